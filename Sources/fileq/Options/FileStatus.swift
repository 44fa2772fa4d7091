// SPDX-License-Identifier: MIT

import Glibc

/// The file at a path, following links.
struct FileStatus {
    private let status: stat

    /// `nil` on failure, with `errno`.
    init?(_ path: String, followingLinks: Bool = true) {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.status = status
    }

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
    /// Pipes and character devices: no size, no seeking.
    var isStream: Bool { [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) }
    var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    /// The user's number.
    var owner: UInt32 { status.st_uid }
    /// Of a regular file, in bytes.
    var size: Int64? { isRegular ? Int64(status.st_size) : nil }
    var isOpenToOthers: Bool { status.st_mode & 0o077 != 0 }

    /// Equal for two paths to the same file.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    var identity: Identity { Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }
}
