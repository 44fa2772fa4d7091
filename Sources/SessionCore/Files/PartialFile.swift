// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
public import TransferModel

/// A download's unfinished file: open, locked against every other process, owned by one task at a time.
///
/// The descriptor is closed, and with it the lock let go, when the last reference goes.
public final class PartialFile: Sendable {
    private let named: Mutex<String>
    public let descriptor: Int32
    /// Bytes that were in the file when it was opened.
    public let lengthAtOpening: Int64

    /// Opens or makes the file.
    /// - Parameter permissions: of a new file, before the umask; the default is that of the file it will become.
    /// - Throws: code `cannotWrite`: no permission, another process holds it, it is not a regular file, or it has
    ///   another name too.
    public init(path: String, permissions: UInt32 = 0o666) throws(TransferError) {
        let (descriptor, length) = try Self.openLocked(path, permissions)
        named = Mutex(path)
        self.descriptor = descriptor
        lengthAtOpening = length
    }

    /// Where it was opened or made, or what it was renamed to.
    public var path: String { named.withLock { $0 } }

    private static func openLocked(_ path: String, _ permissions: UInt32) throws(TransferError) -> (Int32, Int64) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, permissions)
        guard descriptor >= 0 else {
            let code = errno
            throw TransferError(.cannotWrite, "\(path): cannot write: \(SystemError.phrase(code))", systemErrno: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.cannotWrite, "\(path): is not a regular file")
        }
        guard (try? FileLock.take(Descriptor(borrowing: descriptor))) == true else {
            close(descriptor)
            throw TransferError(.cannotWrite, "\(path): another process is writing this file")
        }
        // Between opening and locking, whoever held the lock may have given the file its final name.
        var named = stat()
        guard lstat(path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev else {
            close(descriptor)
            return try openLocked(path, permissions)
        }
        guard status.st_uid == geteuid() else {
            close(descriptor)
            throw TransferError(.cannotWrite, "\(path): belongs to another user; move it away first")
        }
        // Written through, a hard link would change a file that bears another name.
        guard status.st_nlink <= 1 else {
            close(descriptor)
            throw TransferError(.cannotWrite, "\(path): is a hard link to a file with another name; move it away first")
        }
        return (descriptor, Int64(status.st_size))
    }

    /// Gives the file another name in its folder, in place of the file that bears it.
    /// - Throws: code `cannotWrite`; then both are as they were.
    public func rename(to path: String) throws(TransferError) {
        try named.withLock { named throws(TransferError) in
            guard Glibc.rename(named, path) == 0 else {
                let code = errno
                throw TransferError(
                    .cannotWrite, "\(path): cannot write: \(SystemError.phrase(code))", systemErrno: code)
            }
            named = path
        }
    }

    /// Removes its name, unless that is another file's by now.
    public func remove() {
        let path = path
        var (mine, named) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, lstat(path, &named) == 0, mine.st_ino == named.st_ino,
            mine.st_dev == named.st_dev
        else { return }
        unlink(path)
    }

    /// Lets another opener lock the file although references to this one may live on a while. Nothing is written after.
    public func unlock() { FileLock.release(Descriptor(borrowing: descriptor)) }

    deinit { close(descriptor) }

    /// Bytes the file has now; 0 when it cannot be asked.
    public var length: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Cuts the file to `length` bytes.
    /// - Throws: code `cannotWrite`.
    public func truncate(to length: Int64) throws(TransferError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            let code = errno
            throw TransferError(.cannotWrite, "\(path): cannot write: \(SystemError.phrase(code))", systemErrno: code)
        }
    }
}
