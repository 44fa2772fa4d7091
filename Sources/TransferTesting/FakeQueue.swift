// SPDX-License-Identifier: MIT

package import Synchronization
package import TransferControl
package import TransferModel

/// A queue in memory whose commands take effect at once and whose times never change. A test may replace what it does
/// for a call. Also what a control server needs.
package final class FakeQueue: QueueClient, ControlHandler {
    package struct Contents: Sendable {
        package var transfers: [Transfer] = []
        package var limits = QueueLimits()
        package var timetable = LimitTimetable()
        package var history: [HistoryEntry] = []
        package var sessionEvents: [SessionEvent] = []
        /// The attempts of every transfer; `nil`: the queue records none.
        package var attempts: [TransferAttempt]?
        package var ranges: TransferRanges?
        /// Fields that a relocation reports as dropped.
        package var dropped: [String] = []
        package var undone: UndoneCommand?
        /// Every call so far that has not failed.
        package var calls: [any QueueCall] = []
        fileprivate var handlers = FakeQueue.usual
        fileprivate var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
        fileprivate var subscriptions = 0
        fileprivate var isHolding = false
        fileprivate var waiting: [CheckedContinuation<Void, Never>] = []

        package var snapshot: QueueSnapshot { QueueSnapshot(transfers: transfers, limits: limits) }

        /// Sends `update` to all listeners.
        package func post(_ update: QueueUpdate) { listeners.values.forEach { $0.yield(update) } }

        /// Changes a transfer, if there is one with that ID, and reports it.
        package mutating func change(
            _ id: TransferID, _ name: TransferEvent.Name? = nil, _ body: (inout TransferForm) -> Void
        ) {
            guard let index = transfers.firstIndex(where: { $0.id == id }) else { return }
            transfers[index].edit(body)
            let name = name ?? TransferEvent.Name(rawValue: transfers[index].state.rawValue) ?? .started
            post(.events([TransferEvent(time: FakeQueue.time, name: name, transfer: transfers[index])]))
        }
    }

    package static let time = 1_700_000_000.0
    package let contents: Mutex<Contents>

    package init(_ transfers: [Transfer] = []) { contents = Mutex(Contents(transfers: transfers)) }

    /// From now on, `body` takes the place of what the queue does for these calls.
    package func on<Call: QueueCall>(
        _ call: Call.Type, _ body: @escaping @Sendable (FakeQueue, Call) async throws -> Call.Reply
    ) {
        contents.withLock { $0.handlers.reply(to: call, body) }
    }

    package func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply {
        let handlers = contents.withLock { contents in
            contents.calls.append(call)
            return contents.handlers
        }
        do { return try await handlers.call(call, on: self) } catch {
            contents.withLock { contents in
                let index = contents.calls.lastIndex { $0 as? Call == call }
                if let index { contents.calls.remove(at: index) }
            }
            throw error
        }
    }

    package func updates(of session: String?) -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        let key = contents.withLock { contents in
            contents.subscriptions += 1
            contents.listeners[contents.subscriptions] = continuation
            continuation.yield(.snapshot(contents.snapshot))
            return contents.subscriptions
        }
        // Not at once: it is called while the cancelled task is locked, for which `yield` waits with locked contents.
        continuation.onTermination = { [weak self] _ in
            Task { self?.contents.withLock { $0.listeners[key] = nil } }
        }
        return stream.concerning(session: session)
    }

    // MARK: What tests look at

    package var added: [Spec] { calls(AddParams.self).flatMap(\.transfers) }
    package var performed: [(command: QueueCommand, ids: [Int])] {
        calls(PerformCall.self).map { ($0.command, $0.ids.map(\.rawValue)) }
    }
    package var relocated: [Relocation] { calls(RelocateCall.self).map(\.place) }
    package var listenerCount: Int { contents.withLock { $0.listeners.count } }
    /// How many streams of updates there have been.
    package var subscriptions: Int { contents.withLock { $0.subscriptions } }
    /// Calls that wait for ``release()``.
    package var waitingCount: Int { contents.withLock { $0.waiting.count } }

    /// The calls of one method, in order.
    package func calls<Call: QueueCall>(_ call: Call.Type) -> [Call] {
        contents.withLock { $0.calls }.compactMap { $0 as? Call }
    }

    // MARK: What happens to the queue

    package func post(_ update: QueueUpdate) { contents.withLock { $0.post(update) } }

    package func change(_ id: Int, _ state: TransferState, _ body: (inout TransferForm) -> Void = { _ in }) {
        contents.withLock { contents in
            contents.change(TransferID(rawValue: id)) { form in
                form.state = state
                body(&form)
            }
        }
    }

    /// Every stream ends in order.
    package func end() {
        let listeners = contents.withLock { contents in
            defer { contents.listeners = [:] }
            return contents.listeners
        }
        listeners.values.forEach { $0.finish() }
    }

    /// From now on `snapshot` and `list` wait until ``release()``.
    package func hold() { contents.withLock { $0.isHolding = true } }

    package func release() {
        let waiting = contents.withLock { contents in
            contents.isHolding = false
            defer { contents.waiting = [] }
            return contents.waiting
        }
        waiting.forEach { $0.resume() }
    }

    func awaitRelease() async {
        await withCheckedContinuation { continuation in
            let waits = contents.withLock { contents in
                if contents.isHolding { contents.waiting.append(continuation) }
                return contents.isHolding
            }
            if !waits { continuation.resume() }
        }
    }

    // MARK: Behind a control server

    package var queue: any QueueClient { self }
    package func shutDownRequested() { end() }
}
