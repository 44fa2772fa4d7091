// SPDX-License-Identifier: MIT

import Synchronization

/// Updates between the connection and one listener, with a limited number of bytes of changes: a slower listener gets a
/// new snapshot instead.
final class UpdateFeed: Sendable {
    private enum Phase {
        case listening
        /// Changes were dropped; listening restarts with the next request for an update.
        case behind
        case ended
    }

    private struct State {
        var phase = Phase.listening
        /// Consumed updates are `nil`.
        var updates: [(update: QueueUpdate?, bytes: Int)] = []
        /// Earlier ones are consumed.
        var first = 0
        /// Of changes; snapshots do not count.
        var bytes = 0
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

    init(limit: Int, session: String? = nil) {
        self.limit = limit
        self.session = session
    }

    /// - Parameter bytes: the update's size on the wire.
    /// - Returns: whether the listener has fallen behind; then it must get nothing until it restarts.
    func push(_ update: QueueUpdate, bytes: Int) -> Bool {
        var isSnapshot = false
        if case .snapshot = update { isSnapshot = true }
        let (waiting, isBehind) = state.withLock { state -> (CheckedContinuation<QueueUpdate?, Never>?, Bool) in
            guard state.phase == .listening else { return (nil, false) }
            if let waiting = state.waiting {
                state.waiting = nil
                return (waiting, false)
            }
            let cost = isSnapshot ? 0 : bytes
            state.updates.append((update, cost))
            state.bytes += cost
            guard state.bytes > limit else { return (nil, false) }
            (state.updates, state.first, state.bytes) = ([], 0, 0)
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
                    let (update, bytes) = state.updates[state.first]
                    state.updates[state.first].update = nil
                    state.bytes -= bytes
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
    func finish() {
        let waiting = state.withLock { state in
            state.phase = .ended
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
