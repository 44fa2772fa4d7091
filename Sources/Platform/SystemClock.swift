// SPDX-License-Identifier: MIT

import Glibc

/// System clocks, in seconds.
package enum SystemClock {
    /// Monotonic; stops during suspend.
    package static var monotonic: Double { seconds(CLOCK_MONOTONIC) }

    /// Monotonic; includes suspend.
    package static var sinceBoot: Double { seconds(CLOCK_BOOTTIME) }

    /// For which the machine was suspended since its boot.
    package static var suspended: Double { sinceBoot - monotonic }

    /// Since 1970; changes when the system time is set.
    package static var wall: Double { seconds(CLOCK_REALTIME) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
