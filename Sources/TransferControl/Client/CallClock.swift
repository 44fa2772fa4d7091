// SPDX-License-Identifier: MIT

import Dispatch
import Platform

/// The clock for reply timeouts.
package struct CallClock: Sendable {
    /// Monotonic seconds.
    package var now: @Sendable () -> Double
    /// Runs work once after that many seconds, on any thread.
    package var schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

    package init(
        now: @escaping @Sendable () -> Double,
        schedule: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.schedule = schedule
    }

    /// The system's clock. It stops during suspend, when nothing can reply.
    package static let system = CallClock {
        SystemClock.monotonic
    } schedule: { seconds, work in
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: work)
    }
}
