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

    struct State {
        var connection = 0
        var connects = 0
        /// Why connections are refused.
        var outage: TransferError?
        /// The next `add` is carried out, and the connection breaks before its answer.
        var losesNextAnswer = false
        var refusal: TransferError?
        var added: [Added] = []
        var sequence: Int64 = 0
        /// Ends are reported and not recorded.
        var holdsEvents = false
        var held: [SessionEvent] = []
    }

    static let time = FakeQueue.time
    let state = Mutex(State())
    let queue = FakeQueue()

    init() {
        queue.on(AddParams.self) { [unowned self] queue, call in
            if let refusal = state.withLock({ $0.refusal }) { throw refusal }
            let ids = queue.contents.withLock { contents in
                let ids = contents.add(call.transfers, call.terms)
                if !call.terms.paused { for id in ids { contents.change(id, .queued) { $0.state = .running } } }
                return ids
            }
            state.withLock { state in
                state.added += zip(ids, call.transfers).map { Added(id: $0, description: $1, terms: call.terms) }
            }
            return .init(ids: ids)
        }
        queue.on(PerformCall.self) { [unowned self] queue, call in
            for id in call.ids {
                guard let transfer = transfer(id) else { throw TransferError.unknownTransfer(id) }
                switch call.command {
                case .pause: try queue.contents.withLock { try $0.obey(.pause, [id]) }
                case .resume where !transfer.state.isEnded: change(id, .resumed) { $0.state = .running }
                case .cancel: end(id, .cancelled)
                default: break
                }
            }
            return Done()
        }
    }

    var added: [Added] { state.withLock { $0.added } }
    var performed: [QueueCommand] { queue.performed.map(\.command) }
    var events: [SessionEvent] { queue.contents.withLock(\.sessionEvents) }
    var acknowledged: [Int64] { queue.calls(AcknowledgeCall.self).map(\.upTo) }
    var connects: Int { state.withLock { $0.connects } }
    var listenerCount: Int { queue.listenerCount }
    func transfer(_ id: TransferID) -> Transfer? { queue.contents.withLock { $0.transfers.first { $0.id == id } } }

    func connect() throws(TransferError) -> Client {
        let (connection, outage) = state.withLock { state in
            state.connects += 1
            return (state.connection, state.outage)
        }
        if let outage { throw outage }
        return Client(service: self, connection: connection)
    }

    // MARK: What happens to the service

    /// All connections break. The queue stays, as it does when a service is replaced.
    func breakConnections(outage: TransferError? = nil) {
        state.withLock { state in
            state.connection += 1
            state.outage = outage
            queue.end()
        }
    }

    func comeBack() { state.withLock { $0.outage = nil } }

    func recordHeldEvents() {
        let held = state.withLock { state in
            defer { (state.held, state.holdsEvents) = ([], false) }
            return state.held
        }
        queue.contents.withLock { $0.sessionEvents += held }
    }

    // MARK: What happens to transfers

    func change(_ id: TransferID, _ name: TransferEvent.Name = .progress, _ body: (inout TransferForm) -> Void) {
        queue.contents.withLock { $0.change(id, name, body) }
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
        _ id: TransferID, _ end: TransferState, _ fields: [SessionEvent.Field] = [],
        _ body: (inout TransferForm) -> Void = { _ in }
    ) {
        state.withLock { state in
            queue.contents.withLock { contents in
                guard let index = contents.transfers.firstIndex(where: { $0.id == id }),
                    !contents.transfers[index].state.isEnded
                else { return }
                contents.transfers[index].edit { form in
                    form.state = end
                    body(&form)
                }
                state.sequence += 1
                let event = SessionEvent(
                    sequence: state.sequence, time: Self.time, transfer: contents.transfers[index],
                    responseFields: fields)
                if state.holdsEvents { state.held.append(event) } else { contents.sessionEvents.append(event) }
                contents.change(id) { _ in }
            }
        }
    }

    /// One connection.
    final class Client: QueueClient {
        let service: FakeService
        let connection: Int

        init(service: FakeService, connection: Int) { (self.service, self.connection) = (service, connection) }

        private static let broken = TransferError(
            .receiveFailed, "the background service has ended or closed the connection")

        func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply {
            guard service.state.withLock({ $0.connection == connection }) else { throw Self.broken }
            let reply = try await service.queue.call(call)
            let isLost = service.state.withLock { state in
                guard call is AddParams else { return false }
                defer { state.losesNextAnswer = false }
                return state.losesNextAnswer
            }
            if isLost {
                service.breakConnections()
                throw Self.broken
            }
            return reply
        }

        func updates(of session: String?) -> AsyncStream<QueueUpdate> {
            service.state.withLock { state in
                state.connection == connection ? service.queue.updates(of: session) : AsyncStream { $0.finish() }
            }
        }
    }
}
