// SPDX-License-Identifier: MIT

import Dispatch
import Platform

/// Time, handed in so that tests can set it.
public protocol Scheduler: Sendable {
    /// Seconds on a clock that never goes back and counts sleep of the machine.
    var now: Double { get }
    /// Seconds since 1970.
    var wallNow: Double { get }
    /// Runs `work` once, not before `time` on the clock of ``now``, on a thread of the scheduler's choice.
    func schedule(at time: Double, _ work: @escaping @Sendable () -> Void)
}

/// The machine's clocks and Dispatch's timers.
public struct SystemScheduler: Scheduler {
    private static let queue = DispatchQueue(label: "fileq.timers")

    public init() {}

    public var now: Double { SystemClock.sinceBoot }
    public var wallNow: Double { SystemClock.wall }

    public func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + max(0, time - now), execute: work)
    }
}
