// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// What an upload task sends.
public enum UploadBody: Sendable {
    case bytes([UInt8])
    /// A regular file, opened when the task starts and checked for change when it ends.
    case file(path: String)
    /// Everything up to the end of a descriptor that can be read once; it stays the caller's.
    case stream(descriptor: Int32)
}

/// An opened source with what identified it then.
final class UploadSourceFile: Sendable {
    let path: String
    let descriptor: Int32
    let size: Int64
    private let identity: Identity

    fileprivate struct Identity: Equatable {
        var inode: UInt64
        var size: Int64
        var modified: Time
        /// Cannot be set back, as the time of modification can.
        var changed: Time
    }

    fileprivate struct Time: Equatable {
        var seconds: Int
        var nanoseconds: Int

        init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
    }

    /// - Throws: code `cannotReadSource`.
    init(path: String) throws(TransferError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            throw TransferError(
                .cannotReadSource, "\(path): cannot read: \(SystemError.phrase(code))", systemErrno: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.cannotReadSource, "\(path): is not a regular file")
        }
        self.path = path
        size = Int64(status.st_size)
        identity = Identity(status)
    }

    deinit { close(descriptor) }

    /// Whether the file is no longer what was opened: replaced, resized or rewritten, also with its old time of
    /// modification. A new mode, owner or link counts as well: the kernel does not tell them from new content.
    var hasChanged: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return Identity(status) != identity
    }
}

extension UploadSourceFile.Identity {
    init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), modified: .init(status.st_mtim),
            changed: .init(status.st_ctim))
    }
}
