// SPDX-License-Identifier: MIT

import Dispatch
import Glibc

/// Polls until `condition` holds; false after `seconds`.
package func eventually(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = DispatchTime.now() + seconds
    repeat {
        if try condition() { return true }
        var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
        nanosleep(&pause, nil)
    } while DispatchTime.now() < end
    return try condition()
}

/// The asynchronous variant: blocks no thread of the pool.
package func eventually(within seconds: Double = 60, _ condition: () throws -> Bool) async rethrows -> Bool {
    let end = DispatchTime.now() + seconds
    repeat {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    } while DispatchTime.now() < end
    return try condition()
}
