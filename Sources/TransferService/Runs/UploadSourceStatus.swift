// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// What is known of a source before it is read.
struct UploadSourceStatus: Sendable {
    let name: String
    /// `nil` for a stream.
    let stored: UploadCheckpoint.Source?

    var size: Int64? { stored?.size }
    /// Seconds since 1970.
    var modified: Int64? { stored?.seconds }

    /// Of a file of this name, as stored.
    init(name: String, stored: UploadCheckpoint.Source) {
        self.name = name
        self.stored = stored
    }

    /// Whether bytes of one may be joined to those of the other, as far as is known of both.
    /// - Parameter isVerified: see ``UploadCheckpoint/Source/matches(_:isVerified:)``.
    func isSame(as other: Self, isVerified: Bool) -> Bool {
        guard name == other.name else { return false }
        return switch (stored, other.stored) {
        case (let one?, let two?): one.matches(two, isVerified: isVerified)
        case (nil, nil): true
        default: false
        }
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
            stored = nil
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
            stored = UploadCheckpoint.Source(
                inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
                nanoseconds: Int64(status.st_mtim.tv_nsec), changedSeconds: Int64(status.st_ctim.tv_sec),
                changedNanoseconds: Int64(status.st_ctim.tv_nsec))
        }
    }
}
