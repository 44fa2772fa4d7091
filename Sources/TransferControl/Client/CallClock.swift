// SPDX-License-Identifier: MIT

import Dispatch
import Platform

/// The time by which a client judges that an answer does not come.
public struct CallClock: Sendable {
    /// Seconds on a clock that never goes back.
    public var now: @Sendable () -> Double
    /// Runs work once, that many seconds from now, on any thread.
    public var schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

    public init(
        now: @escaping @Sendable () -> Double,
        schedule: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.schedule = schedule
    }

    /// The machine's clock. It stands still while the machine sleeps: nobody answers then.
    public static let system = CallClock {
        SystemClock.monotonic
    } schedule: { seconds, work in
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: work)
    }
}
