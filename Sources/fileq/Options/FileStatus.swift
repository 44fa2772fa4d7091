// SPDX-License-Identifier: MIT

import Glibc

/// What stands at a path, links followed.
struct FileStatus {
    private let status: stat

    /// `nil` where nothing can be found out, `errno` says why.
    init?(_ path: String, followingLinks: Bool = true) {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.status = status
    }

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
    /// Pipes and character devices: bytes in order, no size.
    var isStream: Bool { [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) }
    /// Of a regular file, in bytes.
    var size: Int64? { isRegular ? Int64(status.st_size) : nil }
    var isOpenToOthers: Bool { status.st_mode & 0o077 != 0 }

    /// The same for two paths to one file.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    var identity: Identity { Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }
}
