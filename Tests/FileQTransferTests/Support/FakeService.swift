// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation
import Synchronization
import TransferControl
import TransferTesting

/// A background service in memory, to which one may connect any number of times, and which breaks down when a test
/// wants it to.
final class FakeService: Sendable {
    struct Added: Sendable, Equatable {
        var id: TransferID
        var description: Spec
        var terms: TransferTerms
    }

    struct Contents {
        var transfers: [Transfer] = []
        var events: [SessionEvent] = []
        var added: [Added] = []
        var performed: [QueueCommand] = []
        var acknowledged: [Int64] = []
        var sequence: Int64 = 0
        var connection = 0
        var connects = 0
        var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
        /// Why connections are refused.
        var outage: TransferError?
        /// The next `add` is carried out, and the connection breaks before its answer.
        var losesNextAnswer = false
        var refusal: TransferError?
        /// Ends are reported and not recorded.
        var holdsEvents = false
        var held: [SessionEvent] = []
    }

    static let time = 1_700_000_000.0
    let contents = Mutex(Contents())

    var added: [Added] { contents.withLock { $0.added } }
    var performed: [QueueCommand] { contents.withLock { $0.performed } }
    var events: [SessionEvent] { contents.withLock { $0.events } }
    var acknowledged: [Int64] { contents.withLock { $0.acknowledged } }
    var connects: Int { contents.withLock { $0.connects } }
    var listenerCount: Int { contents.withLock { $0.listeners.count } }
    func transfer(_ id: TransferID) -> Transfer? { contents.withLock { $0.transfers.first { $0.id == id } } }

    func connect() throws(TransferError) -> Client {
        let (connection, outage) = contents.withLock { contents in
            contents.connects += 1
            return (contents.connection, contents.outage)
        }
        if let outage { throw outage }
        return Client(service: self, connection: connection)
    }

    // MARK: What happens to the service

    /// All connections break. The queue stays, as it does when a service is replaced.
    func breakConnections(outage: TransferError? = nil) {
        let listeners = contents.withLock { contents in
            contents.connection += 1
            contents.outage = outage
            defer { contents.listeners = [:] }
            return contents.listeners
        }
        listeners.values.forEach { $0.finish() }
    }

    func comeBack() { contents.withLock { $0.outage = nil } }

    func recordHeldEvents() {
        contents.withLock { contents in
            contents.events += contents.held
            (contents.held, contents.holdsEvents) = ([], false)
        }
    }

    // MARK: What happens to transfers

    func change(_ id: TransferID, _ name: TransferEvent.Name = .progress, _ body: (inout TransferForm) -> Void) {
        contents.withLock { Self.change(&$0, id, name, body) }
    }

    /// Writes a download's file and ends it.
    func complete(_ id: TransferID, bytes: String = "hello", fields: [SessionEvent.Field] = []) {
        let transfer = transfer(id)
        if transfer?.kind == .download, let file = transfer?.file {
            try? Data(bytes.utf8).write(to: URL(fileURLWithPath: file))
        }
        end(id, .completed, fields) { transfer in
            let count = Int64(bytes.utf8.count)
            (transfer.bytes, transfer.total, transfer.status) = (count, count, 200)
        }
    }

    func fail(_ id: TransferID, _ error: TransferError, status: Int? = nil) {
        end(id, .failed) { ($0.error, $0.status) = (error, status) }
    }

    func end(
        _ id: TransferID, _ state: TransferState, _ fields: [SessionEvent.Field] = [],
        _ body: (inout TransferForm) -> Void = { _ in }
    ) {
        contents.withLock { Self.end(&$0, id, state, fields, body) }
    }

    private static func change(
        _ contents: inout Contents, _ id: TransferID, _ name: TransferEvent.Name,
        _ body: (inout TransferForm) -> Void
    ) {
        guard let index = contents.transfers.firstIndex(where: { $0.id == id }) else { return }
        contents.transfers[index].edit(body)
        let event = TransferEvent(time: time, name: name, transfer: contents.transfers[index])
        contents.listeners.values.forEach { $0.yield(.events([event])) }
    }

    private static func end(
        _ contents: inout Contents, _ id: TransferID, _ state: TransferState, _ fields: [SessionEvent.Field],
        _ body: (inout TransferForm) -> Void
    ) {
        guard let index = contents.transfers.firstIndex(where: { $0.id == id }),
            !contents.transfers[index].state.isEnded
        else { return }
        contents.transfers[index].edit { form in
            form.state = state
            body(&form)
        }
        contents.sequence += 1
        let event = SessionEvent(
            sequence: contents.sequence, time: time, transfer: contents.transfers[index], responseFields: fields)
        if contents.holdsEvents { contents.held.append(event) } else { contents.events.append(event) }
        let name: TransferEvent.Name = state == .completed ? .completed : state == .failed ? .failed : .cancelled
        change(&contents, id, name) { _ in }
    }

    /// One connection.
    final class Client: QueueClient {
        let service: FakeService
        let connection: Int

        init(service: FakeService, connection: Int) { (self.service, self.connection) = (service, connection) }

        private static let broken = TransferError(
            .receiveFailed, "the background service has ended or closed the connection")

        private func use<Result>(_ body: (inout Contents) throws -> Result) throws -> Result {
            try service.contents.withLock { contents in
                guard contents.connection == connection else { throw Self.broken }
                return try body(&contents)
            }
        }

        func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
            let (ids, isLost) = try use { contents in
                if let refusal = contents.refusal { throw refusal }
                let ids = descriptions.map { description in
                    let id = TransferID(rawValue: contents.transfers.count + 1)
                    let file =
                        switch description.operation {
                        case .download(let download):
                            if case .file(let path) = download.destination { path } else { "?" }
                        case .upload(let upload): if case .file(let path) = upload.source { path } else { "?" }
                        }
                    var transfer = Transfer(
                        id: id, kind: description.kind, url: description.url.string, file: file,
                        state: terms.paused ? .paused : .running)
                    (transfer.session, transfer.taskDescription, transfer.addedAt) = (
                        terms.session, terms.taskDescription, time
                    )
                    contents.transfers.append(transfer)
                    contents.added.append(Added(id: id, description: description, terms: terms))
                    FakeService.change(&contents, id, .queued) { _ in }
                    return id
                }
                defer { contents.losesNextAnswer = false }
                return (ids, contents.losesNextAnswer)
            }
            if isLost {
                service.breakConnections()
                throw Self.broken
            }
            return ids
        }

        func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
            try use { contents in
                contents.performed.append(command)
                for id in ids {
                    guard contents.transfers.contains(where: { $0.id == id }) else {
                        throw TransferError.unknownTransfer(id)
                    }
                    switch command {
                    case .pause:
                        FakeService.change(&contents, id, .paused) { if !$0.state.isEnded { $0.state = .paused } }
                    case .resume:
                        FakeService.change(&contents, id, .resumed) { if !$0.state.isEnded { $0.state = .running } }
                    case .cancel: FakeService.end(&contents, id, .cancelled, []) { _ in }
                    default: break
                    }
                }
            }
        }

        func setLimits(_ limits: QueueLimits) async throws {}
        func snapshot() async throws -> QueueSnapshot { try use { QueueSnapshot(transfers: $0.transfers) } }

        func updates() -> AsyncStream<QueueUpdate> {
            let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
            service.contents.withLock { contents in
                guard contents.connection == connection else { return continuation.finish() }
                let key = (contents.listeners.keys.max() ?? 0) + 1
                contents.listeners[key] = continuation
                continuation.yield(.snapshot(QueueSnapshot(transfers: contents.transfers)))
            }
            return stream
        }

        func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
            try use { Array($0.events.filter { $0.transfer.session == session }.prefix(limit)) }
        }

        func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
            try use { contents in
                contents.acknowledged.append(sequence)
                contents.events.removeAll { $0.transfer.session == session && $0.sequence <= sequence }
            }
        }
    }
}
