// SPDX-License-Identifier: MIT

import Glibc
package import Platform

/// A mounted FUSE file system; ``device`` is the side of its server. For root.
package final class FuseMount: Sendable {
    package let path: String
    package let device: Int32
    private let isOwn: Bool

    package static var isPossible: Bool { geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 }

    /// - Parameter folder: covered by it until the end; `nil`: a folder of its own.
    /// - Throws: what the system reports.
    package init(at folder: String? = nil) throws(SystemError) {
        path = folder ?? "/tmp/fileq-hung-\(UInt64.random(in: .min ... .max))"
        isOwn = folder == nil
        if isOwn, mkdir(path, 0o700) != 0 { throw SystemError("mkdir", path: path, errno: errno) }
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw SystemError("open", path: "/dev/fuse", errno: errno) }
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0"
        let flags = UInt(MS_NOSUID) | UInt(MS_NODEV)
        guard mount("fileq-hung", path, "fuse", flags, options) == 0 else {
            let code = errno
            close(device)
            if isOwn { rmdir(path) }
            throw SystemError("mount", path: path, errno: code)
        }
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// From now on the server's reads end, and every call that waits fails.
    package func unmount() { umount2(path, Int32(MNT_FORCE) | Int32(MNT_DETACH)) }

    /// Closing the device ends the connection, and every call that waits with an error.
    deinit {
        unmount()
        close(device)
        if isOwn { rmdir(path) }
    }
}
