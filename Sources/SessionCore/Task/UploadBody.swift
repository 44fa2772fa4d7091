// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import TransferModel

/// The body of an upload task.
public enum UploadBody: Sendable {
    case bytes([UInt8])
    /// A regular file, opened when the task starts and checked for change when it ends.
    case file(path: String)
    /// Everything up to the end of a descriptor that can be read once; the caller closes it.
    case stream(descriptor: Int32)
}

/// An open source, with what identified it when it was opened.
package final class UploadSourceFile: Sendable {
    package let path: String
    package let descriptor: Int32
    package let size: Int64
    /// Makes the calls on the file if its file system may hang. Then its owner asks for ``hasChanged``, on the lane.
    let lane: (any FileLane)?
    private let identity: Identity
    private let closing: @Sendable (Int32) -> Void

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

    /// - Parameters:
    ///   - followsLink: whether a link at the end of `path` is followed.
    ///   - closing: closes the descriptor; called once, on the thread that releases the last reference.
    /// - Throws: code `cannotReadSource`, also for a file that has bytes and no size.
    package init(
        path: String, followsLink: Bool = true, lane: (any FileLane)? = nil,
        closing: @escaping @Sendable (Int32) -> Void = { close($0) }
    ) throws(TransferError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else {
            let code = errno
            throw TransferError(.cannotReadSource, file: .read, path: path, systemErrno: code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.cannotReadSource, file: .notRegularFile, path: path)
        }
        if status.st_size == 0, let error = Self.failure(ofEmpty: descriptor, path) {
            close(descriptor)
            throw error
        }
        (self.path, self.lane, self.closing) = (path, lane, closing)
        size = Int64(status.st_size)
        identity = Identity(status)
    }

    deinit { closing(descriptor) }

    /// Files of /proc are regular, and of size 0 whatever they hold.
    private static func failure(ofEmpty descriptor: Int32, _ path: String) -> TransferError? {
        var byte: UInt8 = 0
        let count = pread(descriptor, &byte, 1, 0)
        guard count >= 0 else {
            let code = errno
            return TransferError(.cannotReadSource, file: .read, path: path, systemErrno: code)
        }
        var status = stat()
        // One that is being written has a size by now; its change is detected later.
        guard count > 0, fstat(descriptor, &status) == 0, status.st_size == 0 else { return nil }
        return TransferError(.cannotReadSource, file: .noSize, path: path, variant: .sourceWithoutSize)
    }

    /// All bytes in one call.
    /// - Returns: at least one byte longer than the file, allocated for the caller; `nil` if it has not its size.
    func readWhole() -> UnsafeMutableRawBufferPointer? {
        // A file that has grown is longer than its size.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size) + 1, alignment: 1)
        if pread(descriptor, bytes.baseAddress, bytes.count, 0) == Int(size) { return bytes }
        bytes.deallocate()
        return nil
    }

    static func absolute(_ path: String) -> String {
        guard !path.beginsWithSlash, let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// The file's identity, for a later process.
    var stored: UploadCheckpoint.Source {
        UploadCheckpoint.Source(
            inode: identity.inode, size: size, seconds: Int64(identity.modified.seconds),
            nanoseconds: Int64(identity.modified.nanoseconds), changedSeconds: Int64(identity.changed.seconds),
            changedNanoseconds: Int64(identity.changed.nanoseconds))
    }

    /// Why an upload fails during which it has changed.
    package var changeError: TransferError {
        TransferError(.cannotReadSource, file: .changed, path: path, variant: .sourceChanged)
    }

    /// Why an upload does not continue whose file has changed since an interruption.
    /// - Parameter offset: bytes that the server has; how many is not always known yet.
    package static func changeError(of path: String, after offset: Int64) -> TransferError {
        TransferError(
            .cannotReadSource, file: FileProblem(.changedBetween, bytes: offset > 0 ? offset : nil), path: path,
            variant: .sourceChanged)
    }

    /// Whether the file is no longer what was opened: replaced, resized or rewritten, also with its old time of
    /// modification. A new mode, owner or link counts as well: the kernel does not distinguish them from new content.
    package var hasChanged: Bool {
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
