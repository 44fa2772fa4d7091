// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization

/// Reports when no client was connected, nothing was active and no remote control was enabled for a given time.
/// Event-driven: no polling.
final class IdleWatch: Sendable {
    private struct State {
        var connections = 0
        var isActive = true
        /// Whether clients that need no process of this user can connect: the service must be there for them.
        var isServing = false
        /// Incremented by each change between idle and active; timers with an older number are ignored.
        var round = 0
        var isIdle = false
    }

    private let seconds: Double?
    private let scheduler: any Scheduler
    private let fire: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - seconds: `nil`: never.
    ///   - fire: called once per idle period, on a scheduler thread.
    init(after seconds: Double?, scheduler: any Scheduler = SystemScheduler(), fire: @escaping @Sendable () -> Void) {
        self.seconds = seconds
        self.scheduler = scheduler
        self.fire = fire
    }

    func connectionsChanged(_ count: Int) { change { $0.connections = count } }

    func activityChanged(_ isActive: Bool) { change { $0.isActive = isActive } }

    func servingChanged(_ isServing: Bool) { change { $0.isServing = isServing } }

    private func change(_ body: (inout State) -> Void) {
        guard let seconds else { return }
        let round: Int? = state.withLock { state in
            body(&state)
            let isIdle = state.connections == 0 && !state.isActive && !state.isServing
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
