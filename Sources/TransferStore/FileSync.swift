// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Makes files durable, bytes and names.
enum FileSync {
    /// Above so many files of one file system, the whole of it is synced once: one wait instead of one for each.
    static let maximumSingly = 3

    /// - Returns: an errno for each target that could not be made durable.
    @Sendable static func sync(_ targets: [SyncTarget]) -> [SyncTarget: Int32] {
        var failures: [SyncTarget: Int32] = [:]
        for (_, files) in Dictionary(grouping: targets, by: \.device) {
            if files.count > maximumSingly, let code = syncFileSystem(of: files) {
                if code != 0 { for file in files { failures[file] = code } }
                continue
            }
            for file in files {
                let code = syncSingly(file.path)
                if code != 0 { failures[file] = code }
            }
        }
        return failures
    }

    /// - Returns: 0 or an errno; `nil` where none of the files is left to name it by.
    private static func syncFileSystem(of files: [SyncTarget]) -> Int32? {
        for file in files {
            let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, UInt64(status.st_dev) == file.device else { continue }
            return clinux_sync_file_system(descriptor)
        }
        return nil
    }

    /// A file that somebody has taken away meanwhile needs nothing more.
    private static func syncSingly(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? 0 : errno }
        defer { close(descriptor) }
        guard fdatasync(descriptor) == 0 else { return errno }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written and not read: everything of its file system, then.
        guard parent >= 0 else { return clinux_sync_file_system(descriptor) }
        defer { close(parent) }
        // Some network file systems have no such thing, and keep names at once.
        return fsync(parent) == 0 || errno == EINVAL || errno == EOPNOTSUPP ? 0 : errno
    }
}
