// SPDX-License-Identifier: MIT

import Glibc

/// Metadata of a file.
package enum FileTimes {
    /// Modification time in whole seconds since 1970; `nil` if the file does not exist.
    package static func modified(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
    }
}
