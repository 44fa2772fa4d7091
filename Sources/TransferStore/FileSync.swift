// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform

/// Makes files durable, bytes and names, with as few disk waits as possible. Every call blocks until the disk has
/// replied.
package enum FileSync {
    /// Above this number of files on one file system, the whole file system is synced once: one wait instead of one per
    /// file.
    package static let maximumSingly = 3

    /// A file open for writing.
    package struct OpenFile: Sendable, Hashable {
        package let descriptor: Int32
        /// The device number of its file system.
        package let device: UInt64

        package init(descriptor: Int32, device: UInt64) {
            self.descriptor = descriptor
            self.device = device
        }
    }

    /// The result of a sync of bytes.
    package struct SyncedBytes: Sendable, Hashable {
        /// By descriptor, an errno for each file whose bytes could not be written. The content of such a file is
        /// unknown from then on: the kernel reports a lost page once.
        package var failures: [Int32: Int32]
        /// Whether no sync of a whole file system failed: such a sync makes other files durable too.
        package var isWhole: Bool

        package init(failures: [Int32: Int32] = [:], isWhole: Bool = true) {
            (self.failures, self.isWhole) = (failures, isWhole)
        }
    }

    /// Makes the bytes and lengths of files durable, not their names, and asks what closing the files reports.
    package static func syncBytes(_ files: [OpenFile]) -> SyncedBytes {
        syncBytes(files) { clinux_write_out_error($0) }
    }

    /// - Parameter writeOutError: 0, or the errno of bytes of an open file that could not be written.
    static func syncBytes(_ files: [OpenFile], _ writeOutError: (Int32) -> Int32) -> SyncedBytes {
        var synced = SyncedBytes()
        for (_, files) in Dictionary(grouping: files, by: \.device) {
            // An error of the whole file system may be another file's: then each file is synced singly.
            let isAtOnce = files.count > maximumSingly
            let isSynced = isAtOnce && files.first.map { clinux_sync_file_system($0.descriptor) } == 0
            if isAtOnce, !isSynced { synced.isWhole = false }
            for file in files {
                var code: Int32 = 0
                if isSynced {
                    // It succeeds although bytes were lost earlier if another call has reported that, and before Linux
                    // 5.8 always.
                    code = writeOutError(file.descriptor)
                    // EPERM: a sandbox forbids the call. ESPIPE: not a regular file.
                    if code == EPERM || code == ESPIPE { code = 0 }
                } else if fdatasync(file.descriptor) != 0 {
                    code = errno
                }
                if code == 0 || isNeedless(code) { code = closingError(file.descriptor) }
                if code != 0 { synced.failures[file.descriptor] = code }
            }
        }
        return synced
    }

    private static func closingError(_ descriptor: Int32) -> Int32 {
        do throws(SystemError) { try Descriptor(borrowing: descriptor).flush() } catch { return error.errno }
        return 0
    }

    /// Makes the names of files durable by syncing their folders, each once.
    /// - Returns: by path, an errno for each whose folder could not be synced.
    package static func syncNames(_ paths: [String]) -> [String: Int32] {
        var failures: [String: Int32] = [:]
        for (folder, paths) in Dictionary(grouping: paths, by: ParentFolder.path(of:)) {
            let code = syncFolder(folder, holding: paths[0])
            if code != 0 { for path in paths { failures[path] = code } }
        }
        return failures
    }

    /// - Returns: an errno for each target that could not be made durable.
    @Sendable static func sync(_ targets: [SyncTarget]) -> [SyncTarget: Int32] { sync(targets, syncNames) }

    /// Folders come last, each once for all of its targets: Linux reports to one sync alone that a folder's changes
    /// could not be written, and the next succeeds without them.
    static func sync(_ targets: [SyncTarget], _ syncNames: ([String]) -> [String: Int32]) -> [SyncTarget: Int32] {
        var failures: [SyncTarget: Int32] = [:]
        var named = targets.filter(\.areBytesDurable)
        for (_, files) in Dictionary(grouping: targets.lazy.filter { !$0.areBytesDurable }, by: \.device) {
            if files.count > maximumSingly, let code = syncFileSystem(of: files) {
                if code != 0 { for file in files { failures[file] = code } }
                continue
            }
            for file in files {
                let code = syncBytes(at: file.path)
                if code == 0 { named.append(file) } else { failures[file] = code }
            }
        }
        let codes = named.isEmpty ? [:] : syncNames(named.map(\.path))
        for target in named { failures[target] = codes[target.path] }
        return failures
    }

    /// - Returns: 0 or an errno; `nil` if none of the files exists any more.
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

    /// A file that was removed meanwhile needs no sync.
    private static func syncBytes(at path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? 0 : errno }
        defer { close(descriptor) }
        return fdatasync(descriptor) == 0 ? 0 : errno
    }

    private static func syncFolder(_ folder: String, holding path: String) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? 0 : syncFileSystem(holding: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) != 0 else { return 0 }
        let code = errno
        return isNeedless(code) ? 0 : code
    }

    /// For a folder with write permission but no read permission: syncs its whole file system.
    private static func syncFileSystem(holding path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? 0 : errno }
        defer { close(descriptor) }
        return clinux_sync_file_system(descriptor)
    }

    /// Some file systems lack the call, and need none.
    package static func isNeedless(_ code: Int32) -> Bool { code == EINVAL || code == EOPNOTSUPP || code == ENOSYS }
}
