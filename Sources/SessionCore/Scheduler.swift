// SPDX-License-Identifier: MIT

import Dispatch
import Glibc

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

    public var now: Double { seconds(CLOCK_BOOTTIME) }
    public var wallNow: Double { seconds(CLOCK_REALTIME) }

    public func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) {
        Self.queue.asyncAfter(deadline: .now() + max(0, time - now), execute: work)
    }

    private func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// When tasks must be done; asks for as few wake-ups as there are earlier deadlines. Pure.
struct DeadlineTable: Sendable {
    private var deadlines: [Int: Double] = [:]
    private var armed: Double?

    /// - Returns: when to call ``passed(at:)``, where that is earlier than asked for before.
    mutating func insert(_ identifier: Int, at time: Double) -> Double? {
        deadlines[identifier] = time
        if let armed, armed <= time { return nil }
        armed = time
        return time
    }

    mutating func remove(_ identifier: Int) { deadlines[identifier] = nil }

    /// - Returns: whose time has come, each once, and when to ask again. Nothing for a call that was not asked for, or not any more.
    mutating func passed(at now: Double) -> (late: [Int], next: Double?) {
        guard let armed, armed <= now else { return ([], nil) }
        let late = deadlines.filter { $0.value <= now }.keys.sorted()
        for identifier in late { deadlines[identifier] = nil }
        let next = deadlines.values.min()
        self.armed = next
        return (late, next)
    }
}
