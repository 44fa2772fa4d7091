// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// What is known of a source before it is read.
struct UploadSourceStatus: Equatable, Sendable {
    var name: String
    var size: Int64?
    /// Seconds since 1970.
    var modified: Int64?
    private var nanoseconds = 0
    private var inode: UInt64 = 0

    /// `nil` for a stream.
    var stored: UploadCheckpoint.Source? {
        guard let size, let modified else { return nil }
        return UploadCheckpoint.Source(inode: inode, size: size, seconds: modified, nanoseconds: Int64(nanoseconds))
    }

    /// Of a file of this name, as stored.
    init(name: String, stored: UploadCheckpoint.Source) {
        self.name = name
        (size, modified) = (stored.size, stored.seconds)
        (nanoseconds, inode) = (Int(stored.nanoseconds), stored.inode)
    }

    /// The size of a source that can be looked up without waiting: `nil` for a stream, a link, and what is on a file
    /// system that may hang.
    static func knownSize(of source: Upload.Source, _ mounts: Mounts) -> Int64? {
        guard case .file(let path) = source, mounts.mount(of: path).isLocal else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// - Throws: code `cannotReadSource`.
    init(_ source: Upload.Source) throws(TransferError) {
        switch source {
        case .stream(_, let name):
            self.name = name
        case .file(let path):
            var status = stat()
            guard stat(path, &status) == 0 else {
                let code = errno
                throw TransferError(.cannotReadSource, file: .read, path: path, systemErrno: code)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw TransferError(.cannotReadSource, file: .notRegularFile, path: path)
            }
            name = path.lastPathPart.map(String.init) ?? path
            size = Int64(status.st_size)
            modified = Int64(status.st_mtim.tv_sec)
            nanoseconds = status.st_mtim.tv_nsec
            inode = UInt64(status.st_ino)
        }
    }
}
