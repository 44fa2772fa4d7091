// SPDX-License-Identifier: MIT

import Glibc

/// The machine's clocks, in seconds.
package enum SystemClock {
    /// Never goes back, and stands still while the machine sleeps.
    package static var monotonic: Double { seconds(CLOCK_MONOTONIC) }

    /// Never goes back, and counts the time that the machine sleeps.
    package static var sinceBoot: Double { seconds(CLOCK_BOOTTIME) }

    /// Since 1970; changes when the machine's time is set.
    package static var wall: Double { seconds(CLOCK_REALTIME) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
