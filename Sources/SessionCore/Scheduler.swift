// SPDX-License-Identifier: MIT

import Dispatch
import Platform

/// The clocks and timers, which tests replace.
public protocol Scheduler: Sendable {
    /// Monotonic seconds, including suspend.
    var now: Double { get }
    /// Seconds since 1970.
    var wallNow: Double { get }
    /// Runs `work` once, not before `time` of ``now``, on any thread.
    func schedule(at time: Double, _ work: @escaping @Sendable () -> Void)
}

/// The system clocks and Dispatch's timers.
public struct SystemScheduler: Scheduler {
    private static let queue = DispatchQueue(label: "fileq.timers")

    public init() {}

    public var now: Double { SystemClock.sinceBoot }
    public var wallNow: Double { SystemClock.wall }

    public func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + max(0, time - now), execute: work)
    }
}
