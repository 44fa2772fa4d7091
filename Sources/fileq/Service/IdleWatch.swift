// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization

/// Says when nobody has been connected, and nothing has been left to do, for a while. Nothing happens here while
/// nothing changes.
final class IdleWatch: Sendable {
    private struct State {
        var connections = 0
        var isActive = true
        /// Raised by each change between idle and not; a timer of an older number means nothing.
        var round = 0
        var isIdle = false
    }

    private let seconds: Double?
    private let scheduler: any Scheduler
    private let fire: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - seconds: `nil`: never.
    ///   - fire: called once for each such while, on a thread of the scheduler's.
    init(after seconds: Double?, scheduler: any Scheduler = SystemScheduler(), fire: @escaping @Sendable () -> Void) {
        self.seconds = seconds
        self.scheduler = scheduler
        self.fire = fire
    }

    func connectionsChanged(_ count: Int) { change { $0.connections = count } }

    func activityChanged(_ isActive: Bool) { change { $0.isActive = isActive } }

    private func change(_ body: (inout State) -> Void) {
        guard let seconds else { return }
        let round: Int? = state.withLock { state in
            body(&state)
            let isIdle = state.connections == 0 && !state.isActive
            guard isIdle != state.isIdle else { return nil }
            state.isIdle = isIdle
            state.round += 1
            return isIdle ? state.round : nil
        }
        guard let round else { return }
        scheduler.schedule(at: scheduler.now + seconds) { [weak self] in
            guard let self, self.state.withLock({ $0.round == round }) else { return }
            fire()
        }
    }
}
