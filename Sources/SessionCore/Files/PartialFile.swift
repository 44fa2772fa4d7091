// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
public import TransferModel

/// The partial file of a download: open, locked against other processes, owned by one task at a time.
///
/// The last reference closes the descriptor, which releases the lock.
public final class PartialFile: Sendable {
    private let named: Mutex<String>
    public let descriptor: Int32
    /// The file's size when it was opened.
    public let lengthAtOpening: Int64
    package let device: UInt64
    package let inode: UInt64
    private let closing: @Sendable (Int32) -> Void
    /// See ``rewriteBeforeSync(_:)``.
    let rewriting = Mutex(Rewriting())
    /// The errno of the first sync that failed: bytes may be lost that a later one does not miss. 0: none has.
    let firstSyncFailure = Atomic<Int32>(0)

    /// Opens or creates the file.
    /// - Parameter permissions: of a new file, before the umask; the default is that of the final file.
    /// - Throws: code `cannotWrite`: no permission, locked by another process, not a regular file, or with another hard
    ///   link.
    public convenience init(path: String, permissions: UInt32 = 0o666) throws(TransferError) {
        try self.init(path: path, permissions: permissions) { close($0) }
    }

    /// - Parameter closing: closes the descriptor; called once, on the thread that releases the last reference.
    package init(
        path: String, permissions: UInt32 = 0o666, closing: @escaping @Sendable (Int32) -> Void
    ) throws(TransferError) {
        let (descriptor, status) = try Self.openLocked(path, permissions)
        named = Mutex(path)
        self.descriptor = descriptor
        self.closing = closing
        lengthAtOpening = Int64(status.st_size)
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Its path when opened, or after a rename.
    public var path: String { named.withLock { $0 } }

    private static func openLocked(_ path: String, _ permissions: UInt32) throws(TransferError) -> (Int32, stat) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, permissions)
        guard descriptor >= 0 else {
            let code = errno
            var other = stat()
            // A link or a folder has the name; ELOOP may also be about a part of the path.
            if code == ELOOP || code == EISDIR, lstat(path, &other) == 0 {
                throw TransferError(.cannotWrite, file: .notRegularFile, path: path, variant: .fileInTheWay)
            }
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.cannotWrite, file: .notRegularFile, path: path, variant: .fileInTheWay)
        }
        let isFree: Bool
        do { isFree = try FileLock.take(Descriptor(borrowing: descriptor)) } catch {
            close(descriptor)
            throw TransferError(.cannotWrite, file: .lock, path: path, systemErrno: error.errno)
        }
        guard isFree else {
            close(descriptor)
            throw TransferError(.cannotWrite, file: .beingWritten, path: path, variant: .fileBusy)
        }
        // Between opening and locking, the previous owner may have renamed the file into place.
        var named = stat()
        let isNamed = lstat(path, &named) == 0
        guard isNamed || errno == ENOENT else {
            let code = errno
            close(descriptor)
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
        }
        guard isNamed, named.st_ino == status.st_ino, named.st_dev == status.st_dev else {
            close(descriptor)
            return try openLocked(path, permissions)
        }
        guard status.st_uid == geteuid() else {
            close(descriptor)
            throw TransferError(.cannotWrite, file: .otherUser, path: path, variant: .fileInTheWay)
        }
        // Writing through a hard link would change a file of another name.
        guard status.st_nlink <= 1 else {
            close(descriptor)
            throw TransferError(.cannotWrite, file: .hardLink, path: path, variant: .fileInTheWay)
        }
        return (descriptor, status)
    }

    /// Renames the file in its folder, replacing an existing one.
    /// - Throws: code `cannotWrite`; then both are unchanged.
    public func rename(to path: String) throws(TransferError) {
        // Without the lock: readers of the name do not wait for the file system.
        guard Glibc.rename(self.path, path) == 0 else {
            let code = errno
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
        }
        named.withLock { $0 = path }
    }

    /// Removes its name, unless that belongs to another file now.
    public func remove() {
        let path = path
        var (mine, named) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, lstat(path, &named) == 0, mine.st_ino == named.st_ino,
            mine.st_dev == named.st_dev
        else { return }
        unlink(path)
    }

    /// Releases the lock although references may live on. Nothing is written afterwards.
    public func unlock() {
        stopRewriting()
        FileLock.release(Descriptor(borrowing: descriptor))
    }

    deinit { closing(descriptor) }

    /// The current size; 0 if unknown.
    public var length: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Truncates the file to `length` bytes.
    /// - Throws: code `cannotWrite`.
    public func truncate(to length: Int64) throws(TransferError) {
        try rewriting.withLock { rewriting throws(TransferError) in
            guard ftruncate(descriptor, off_t(length)) == 0 else {
                let code = errno
                throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
            }
            rewriting.rest = rewriting.rest.clamped(to: 0..<length)
        }
    }
}
