// SPDX-License-Identifier: MIT

import Synchronization

/// Updates between their source and one listener, with a limited cost of unread changes: a slower listener gets a new
/// snapshot instead. Any thread.
package final class UpdateFeed: Sendable {
    private enum Phase {
        case listening
        /// Changes were dropped; listening restarts with the next request for an update.
        case behind
        case ended
    }

    private struct State {
        var phase = Phase.listening
        /// Consumed updates are `nil`.
        var updates: [(update: QueueUpdate?, cost: Int)] = []
        /// Earlier ones are consumed.
        var first = 0
        /// The size of pending changes; snapshots do not count.
        var cost = 0
        var waiting: CheckedContinuation<QueueUpdate?, Never>?
    }

    private enum Next {
        case wait(startsListening: Bool)
        case give(QueueUpdate?)
    }

    private let state = Mutex(State())
    private let limit: Int
    /// The background session of the transfers; `nil`: all.
    let session: String?

    /// - Parameter limit: of the cost of unread changes, in the unit of ``push(_:cost:)``.
    package init(limit: Int, session: String? = nil) {
        self.limit = limit
        self.session = session
    }

    /// The updates as a stream for one listener. Listening begins with this call; it ends with the stream's release.
    /// - Parameters:
    ///   - listen: makes the source push a snapshot and what follows; called again after ``push(_:cost:)`` returned
    ///     true, as soon as the listener asks for more.
    ///   - leave: the source pushes no more; called at least once.
    package func stream(
        listen: @escaping @Sendable (UpdateFeed) -> Void, leave: @escaping @Sendable (UpdateFeed) -> Void
    ) -> AsyncStream<QueueUpdate> {
        let listener = Listener(feed: self, listen: listen, leave: leave)
        listen(self)
        return AsyncStream {
            await self.next { listener.listen(self) }
        } onCancel: {
            listener.stop()
        }
    }

    /// Retained by a stream.
    private final class Listener: Sendable {
        let feed: UpdateFeed
        let listen, leave: @Sendable (UpdateFeed) -> Void

        init(
            feed: UpdateFeed, listen: @escaping @Sendable (UpdateFeed) -> Void,
            leave: @escaping @Sendable (UpdateFeed) -> Void
        ) { (self.feed, self.listen, self.leave) = (feed, listen, leave) }

        deinit { stop() }

        func stop() {
            leave(feed)
            feed.finish()
        }
    }

    /// - Parameter cost: of the update; 0 for a snapshot whatever is given.
    /// - Returns: whether the listener has fallen behind; then it must get nothing until it restarts.
    package func push(_ update: QueueUpdate, cost: Int) -> Bool {
        var isSnapshot = false
        if case .snapshot = update { isSnapshot = true }
        let (waiting, isBehind) = state.withLock { state -> (CheckedContinuation<QueueUpdate?, Never>?, Bool) in
            guard state.phase == .listening else { return (nil, false) }
            if let waiting = state.waiting {
                state.waiting = nil
                return (waiting, false)
            }
            let cost = isSnapshot ? 0 : cost
            state.updates.append((update, cost))
            state.cost += cost
            guard state.cost > limit else { return (nil, false) }
            (state.updates, state.first, state.cost) = ([], 0, 0)
            state.phase = .behind
            return (nil, true)
        }
        waiting?.resume(returning: update)
        return isBehind
    }

    /// The next update; `nil` at the end.
    /// - Parameter listen: called to restart listening.
    func next(restarting listen: () -> Void) async -> QueueUpdate? {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state -> Next in
                if state.first < state.updates.count {
                    let (update, cost) = state.updates[state.first]
                    state.updates[state.first].update = nil
                    state.cost -= cost
                    state.first += 1
                    if state.first == state.updates.count { (state.updates, state.first) = ([], 0) }
                    return .give(update)
                }
                // One listener, one pending request.
                guard state.phase != .ended, state.waiting == nil else { return .give(nil) }
                state.waiting = continuation
                defer { state.phase = .listening }
                return .wait(startsListening: state.phase == .behind)
            }
            switch next {
            case .give(let update): continuation.resume(returning: update)
            case .wait(let startsListening): if startsListening { listen() }
            }
        }
    }

    /// No more updates will come; buffered ones can still be read.
    package func finish() {
        let waiting = state.withLock { state in
            state.phase = .ended
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
