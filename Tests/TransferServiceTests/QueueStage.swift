// SPDX-License-Identifier: MIT

import CurlTransport
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// A queue over the real transport, with a folder of its own.
struct QueueStage {
    let folder: TemporaryFolder
    let queue: LocalQueue

    /// - Parameter configuration: of the queue, given the folder.
    init(_ configuration: (TemporaryFolder) -> LocalQueue.Configuration = { _ in .init() }) throws {
        folder = try TemporaryFolder()
        queue = LocalQueue(transport: try CurlTransport(), configuration: configuration(folder))
    }

    /// A download to the file `name` in the folder, tried again up to three times.
    func download(
        _ url: String, name: String = "out.bin",
        _ change: (inout Spec, inout Download) -> Void = { _, _ in }
    ) throws -> Spec {
        var download = Download(destination: .file(path: folder.file(name)))
        var description = Spec(url: try TransferURL(url), operation: .download(download))
        description.options.retries = 3
        change(&description, &download)
        description.operation = .download(download)
        return description
    }

    /// Adds one transfer and waits for its end.
    func end(of description: Spec) async throws -> Transfer {
        let updates = queue.updates()
        let ids = try await queue.add([description], paused: false)
        for await update in updates {
            guard case .events(let events) = update else { continue }
            if let last = events.last(where: { $0.transfer.id == ids[0] && $0.transfer.state.isEnded }) {
                return last.transfer
            }
        }
        throw CancellationError()
    }

    /// Adds all and waits for their ends.
    /// - Returns: the ends in this order, and every event until the last of them.
    func ends(
        of specs: [Spec], in queue: LocalQueue? = nil
    ) async throws -> (ends: [Transfer], events: [TransferEvent]) {
        let queue = queue ?? self.queue
        let updates = queue.updates()
        let ids = try await queue.add(specs, paused: false)
        var ends: [TransferID: Transfer] = [:]
        var all: [TransferEvent] = []
        for await update in updates {
            guard case .events(let events) = update else { continue }
            all += events
            for event in events where event.transfer.state.isEnded { ends[event.transfer.id] = event.transfer }
            if ids.allSatisfy({ ends[$0] != nil }) { break }
        }
        return (ids.compactMap { ends[$0] }, all)
    }

    /// Waits until what is known of the queue satisfies `condition`.
    func wait(for condition: ([TransferID: Transfer]) -> Bool) async throws {
        try await queue.transfers(when: condition)
    }
}

extension QueueClient {
    /// Waits until what is known of the queue satisfies `condition`, and returns it.
    @discardableResult
    func transfers(when condition: ([TransferID: Transfer]) -> Bool) async throws -> [TransferID: Transfer] {
        var known: [TransferID: Transfer] = [:]
        for await update in updates() {
            switch update {
            case .snapshot(let snapshot): for transfer in snapshot.transfers { known[transfer.id] = transfer }
            case .events(let events): for event in events { known[event.transfer.id] = event.transfer }
            default: break
            }
            if condition(known) { return known }
        }
        throw CancellationError()
    }

    /// Waits for the ends of all transfers of a queue that has `count`.
    func ends(count: Int) async throws -> [Transfer] {
        try await transfers { $0.count == count && $0.values.allSatisfy(\.state.isEnded) }.values
            .sorted { $0.id < $1.id }
    }
}
