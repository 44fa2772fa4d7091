// SPDX-License-Identifier: MIT

import CLinux

/// The buffered output of `print`.
package enum StandardOutput {
    /// Writes what is buffered.
    /// - Returns: `nil` if everything that was printed has been written, else why not: an errno, -1 if it is not known.
    package static func flush() -> Int32? {
        let code = clinux_flush_output()
        return code == 0 ? nil : code
    }
}
