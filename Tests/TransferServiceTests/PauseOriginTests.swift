// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Who paused a transfer is remembered, over restarts and a cancellation; what is dismissed stays in the history.
@Suite(.timeLimit(.minutes(5))) struct PauseOriginTests {
    let stage: DurableStage
    let server: ScriptedServer

    init() throws {
        (stage, server) = (try DurableStage(), try ScriptedServer.thatHangs())
    }

    private func origins() async throws -> [PauseOrigin?] { try await stage.queue.snapshot().transfers.map(\.pausedBy) }

    @Test func queuePausesAreMarkedAndPersisted() async throws {
        let own = try await stage.queue.add([stage.download(server.url(), name: "a")], paused: true)[0]
        let other = try await stage.queue.add([stage.download(server.url(), name: "b")], paused: false)[0]
        try await stage.wait(for: other) { $0.state == .running }
        try await stage.queue.perform(.hold, on: [own, other])
        #expect(try await stage.states() == [.paused, .paused])
        #expect(try await origins() == [.transfer, .queue])
        try await stage.reopen()
        #expect(try await origins() == [.transfer, .queue])
        try await stage.crash()
        #expect(try await origins() == [.transfer, .queue])
        try await stage.queue.perform(.resume, on: [other])
        try await stage.wait(for: other) { $0.state == .running && $0.pausedBy == nil }
    }

    @Test(arguments: [false, true]) func retryRestoresAPause(_ reopens: Bool) async throws {
        let id = try await stage.queue.add([stage.download(server.url())], paused: true)[0]
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [id])
        if reopens { try await stage.reopen() }
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.states() == [.paused])
        try await stage.queue.perform(.resume, on: [id])
        try await stage.wait(for: id) { $0.state == .running }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [id])
        try await stage.end(of: id)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .running }
    }

    @Test func dismissedTransfersStayInTheHistory() async throws {
        let id = try await stage.queue.add([stage.download(server.url("/missing"))], paused: false)[0]
        try await stage.end(of: id)
        try await stage.queue.perform(.dismiss, on: [id])
        for _ in 0..<2 {
            #expect(try await stage.queue.snapshot().transfers.isEmpty)
            #expect(try await stage.queue.history(HistoryQuery()).map(\.transfer.id) == [id])
            #expect(try await stage.queue.info(id).attempts?.count == 1)
            try await stage.reopen()
        }
        // Started again, it is in the queue as before.
        try await stage.queue.perform(.retry, on: [id])
        try await stage.end(of: id)
        try await stage.reopen()
        #expect(try await stage.states() == [.failed])
        #expect(try await stage.queue.clear(QueueFilter()) == 1)
        #expect(try await stage.queue.history(HistoryQuery()).isEmpty)
    }

    /// At the end of the queue, also for the next process.
    @Test func whatReturnsFromTheHistoryHasANewPlace() async throws {
        let specs = try ["a", "b", "c"].map { try stage.download(server.url(), name: $0) }
        let ids = try await stage.queue.add(specs, paused: true)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [ids[0]])
        try await stage.queue.perform(.dismiss, on: [ids[0]])
        try await stage.queue.perform(.retry, on: [ids[0]])
        let order = [ids[1], ids[2], ids[0]]
        #expect(try await stage.queue.snapshot().transfers.map(\.id) == order)
        try await stage.crash()
        #expect(try await stage.queue.snapshot().transfers.map(\.id) == order)
    }

    @Test func doesNotDismissUnfinishedTransfers() async throws {
        let id = try await stage.queue.add([stage.download(server.url())], paused: true)[0]
        try await stage.queue.perform(.dismiss, on: [id])
        #expect(try await stage.states() == [.paused])
        let unknown = TransferID(rawValue: 77)
        let error = await #expect(throws: TransferError.self) {
            try await stage.queue.perform(.dismiss, on: [id, unknown])
        }
        #expect(error?.code == .usage)
    }

    @Test func retryStartsTheNextAttemptImmediately() async throws {
        let id = try await stage.queue.add([stage.download(server.url("/busy-once"))], paused: false)[0]
        let first = try await stage.wait(for: id) { $0.state == .retrying }
        #expect(first.attempt == 2)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.attempt == 3 }
        #expect(server.requests.count == 2)
    }
}
