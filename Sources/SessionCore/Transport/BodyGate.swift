// SPDX-License-Identifier: MIT

import Synchronization

/// Holds the rest of a request body back until its owner has stored that it may be sent. Thread-safe.
package final class BodyGate: Sendable {
    /// Bytes that are asked for at a time.
    package static let step: Int64 = 8 << 20

    private struct State {
        /// Bytes of the body that may be sent.
        var limit: Int64
        /// Bytes for which ``open(to:)`` was asked.
        var asked = BodyGate.step
        var opened: (@Sendable () -> Void)?
    }

    private let size: Int64
    private let ask: @Sendable (BodyGate, Int64) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - size: of the body, in bytes.
    ///   - isOpen: whether the first ``step`` may be sent; else ``open(to:)`` follows without being asked for.
    ///   - ask: asks for ``open(to:)`` with this number of bytes, before they are needed. Called on the transport's
    ///     thread.
    package init(size: Int64, isOpen: Bool, ask: @escaping @Sendable (BodyGate, Int64) -> Void) {
        (self.size, self.ask) = (size, ask)
        state = Mutex(State(limit: isOpen ? Self.step : 0))
    }

    /// The first `count` bytes of the body may be sent.
    package func open(to count: Int64) {
        let opened = state.withLock { state in
            state.limit = max(state.limit, count)
            return state.opened
        }
        opened?()
    }

    /// - Parameter opened: called on any thread whenever more may be sent.
    package func whenOpened(_ opened: @escaping @Sendable () -> Void) { state.withLock { $0.opened = opened } }

    /// Bytes that may be sent from `position` on; with 0 the transport waits.
    package func room(from position: Int64) -> Int64 {
        let (room, wanted) = state.withLock { state -> (Int64, Int64?) in
            let room = max(0, state.limit - position)
            guard room < Self.step / 2, state.limit == state.asked, state.limit < size else { return (room, nil) }
            state.asked += Self.step
            return (room, state.asked)
        }
        if let wanted { ask(self, wanted) }
        return room
    }
}
