// SPDX-License-Identifier: MIT

import CLinux
import Glibc
package import TransferStore

/// The disk operations that renaming downloads into place needs. All but ``isInMemory`` may take long.
package struct PlacementDisk: Sendable {
    /// Whether the descriptor's file is not on disk, so that there is nothing to sync.
    package var isInMemory: @Sendable (Int32) -> Bool = { clinux_is_in_memory($0) == 1 }
    /// Makes bytes durable.
    package var syncBytes: @Sendable ([FileSync.OpenFile]) -> FileSync.SyncedBytes = { FileSync.syncBytes($0) }
    /// Whether files can be renamed from one device to the other.
    package var isSameFileSystem: @Sendable (_ device: UInt64, _ other: UInt64) -> Bool = { $0 == $1 }
    /// Makes names durable; returns an errno for each path whose name could not be.
    package var syncNames: @Sendable ([String]) -> [String: Int32] = { FileSync.syncNames($0) }
    /// Makes durable what has changed on the file system of an open file; returns 0 or an errno.
    package var syncFileSystem: @Sendable (Int32) -> Int32 = { clinux_sync_file_system($0) }

    /// Makes the names of open files durable; returns an errno for each path whose name could not be. Where descriptors
    /// or memory are short for opening a folder, the file system is synced, which takes neither.
    func makeNamesDurable(of files: [(path: String, descriptor: Int32)]) -> [String: Int32] {
        var failures = syncNames(files.map(\.path))
        for file in files where PartialRecord.isShortage(failures[file.path]) {
            let code = syncFileSystem(file.descriptor)
            failures[file.path] = code == 0 ? nil : code
        }
        return failures
    }

    /// How many complete small downloads may wait for their names: half of this process's descriptor limit.
    static var maximumLandings: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? 256 : max(1, min(8192, limit / 2))
    }

    /// How many complete downloads may wait to be synced: a quarter of this process's descriptor limit.
    static var maximumWaiting: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? 256 : max(1, min(256, limit / 4))
    }
}
