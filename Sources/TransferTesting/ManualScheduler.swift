// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization

/// A clock that only moves when a test advances it.
package final class ManualScheduler: Scheduler {
    private struct Guarded {
        var now = 1000.0
        var pending: [(time: Double, work: @Sendable () -> Void)] = []
    }

    private let guarded = Mutex(Guarded())

    package init() {}

    package var now: Double { guarded.withLock { $0.now } }
    package var wallNow: Double { now + 1_700_000_000 }

    package func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) {
        guarded.withLock { $0.pending.append((time, work)) }
    }

    /// Seconds until the earliest due work.
    package var nextDelay: Double? {
        guarded.withLock { guarded in guarded.pending.map { $0.time - guarded.now }.min() }
    }

    /// Advances the clock and runs, on this thread and in order, all due work.
    package func advance(by seconds: Double) {
        let due = guarded.withLock { guarded in
            guarded.now += seconds
            let due = guarded.pending.filter { $0.time <= guarded.now }.sorted { $0.time < $1.time }
            guarded.pending.removeAll { $0.time <= guarded.now }
            return due
        }
        due.forEach { $0.work() }
    }
}
