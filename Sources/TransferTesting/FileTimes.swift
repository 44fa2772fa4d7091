// SPDX-License-Identifier: MIT

import Glibc

/// What the file system says of a file.
package enum FileTimes {
    /// Modification time in whole seconds since 1970; `nil` where there is no such file.
    package static func modified(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
    }
}
