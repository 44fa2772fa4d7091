// SPDX-License-Identifier: MIT

import CLinux
package import Glibc

/// An open file descriptor. An owned one is closed with its last reference, so that its number is not reused while in
/// use. Retries calls on `EINTR`.
package final class Descriptor: Sendable {
    package let number: Int32
    private let isOwned: Bool

    /// - Parameter number: an open descriptor that nothing else closes.
    package init(owning number: Int32) {
        self.number = number
        isOwned = true
    }

    /// - Parameter number: a descriptor that its owner keeps open longer than this reference.
    package init(borrowing number: Int32) {
        self.number = number
        isOwned = false
    }

    deinit { if isOwned { close(number) } }

    /// openat(2), always with `O_CLOEXEC`.
    /// - Parameters:
    ///   - mode: of a new file, before the umask.
    ///   - folder: the base of a relative path; `nil`: the current folder.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0,
        in folder: Descriptor? = nil
    ) throws(SystemError) -> Descriptor {
        let number = openat(folder?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError("open", path: path, errno: errno) }
        return Descriptor(owning: number)
    }

    /// The file system is known to be on a disk or in the memory of this machine.
    package var isLocal: Bool { clinux_is_local(number) == 1 }

    /// pipe2(2) with `O_CLOEXEC`.
    package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw SystemError("pipe2", errno: errno) }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// fstat(2)
    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("fstat", errno: errno) }
        return status
    }

    /// fsync(2)
    package func sync() throws(SystemError) {
        guard fsync(number) == 0 else { throw SystemError("fsync", errno: errno) }
    }

    /// Reports what closing would: file systems of other machines and of processes (AFS, NFS, FUSE) may store the
    /// bytes, or refuse to, only then. Closes a copy of the descriptor. Blocks. Local ones never refuse.
    package func flush() throws(SystemError) {
        guard !isLocal else { return }
        while case let copy = fcntl(number, F_DUPFD_CLOEXEC, 0), copy >= 0, close(copy) != 0 {
            guard errno == EINTR else { throw SystemError("close", errno: errno) }
        }
    }

    // MARK: Reading

    /// One read(2). Blocks.
    /// - Returns: at most `limit` bytes; empty at the end.
    package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
        try bytes(limit) { [number] in Glibc.read(number, $0.baseAddress, $0.count) }
    }

    /// Reads until `count` bytes or the end.
    /// - Parameter position: the offset; `nil`: the descriptor's own position, which moves.
    /// - Returns: fewer than `count` bytes at the end.
    package func read(_ count: Int, at position: Int64? = nil) throws(SystemError) -> [UInt8] {
        try bytes(count) { [number] buffer in
            var done = 0
            while done < buffer.count {
                let start = buffer.baseAddress! + done
                let got =
                    position.map { pread(number, start, buffer.count - done, off_t($0) + off_t(done)) }
                    ?? Glibc.read(number, start, buffer.count - done)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { return got }
                guard got > 0 else { break }
                done += got
            }
            return done
        }
    }

    /// Reads to the end, also of a pipe.
    /// - Returns: `nil` for more than `limit` bytes.
    package func readToEnd(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while case let piece = try read(upTo: 65_536), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= limit else { return nil }
        }
        return bytes
    }

    package func readToEnd() throws(SystemError) -> [UInt8] { try readToEnd(limit: .max) ?? [] }

    private func bytes(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) throws(SystemError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got: Int
            repeat {
                got = fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            } while got < 0 && errno == EINTR
            if got < 0 { failure = errno }
            filled = max(0, got)
        }
        guard failure == 0 else { throw SystemError("read", errno: failure) }
        return bytes
    }

    // MARK: Writing

    /// Writes all of `bytes`. Blocks.
    /// - Parameter position: the offset; `nil`: the descriptor's own position, which moves.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: Int64? = nil) throws(SystemError) {
        let failure = put(bytes, at: position)
        guard failure == 0 else { throw SystemError("write", errno: failure) }
    }

    package func write(_ bytes: [UInt8], at position: Int64? = nil) throws(SystemError) {
        let failure = bytes.withUnsafeBytes { put($0, at: position) }
        guard failure == 0 else { throw SystemError("write", errno: failure) }
    }

    /// - Returns: 0 or an errno.
    private func put(_ bytes: UnsafeRawBufferPointer, at position: Int64?) -> Int32 {
        var done = 0
        while done < bytes.count {
            let start = bytes.baseAddress! + done
            let count =
                position.map { pwrite(number, start, bytes.count - done, off_t($0) + off_t(done)) }
                ?? Glibc.write(number, start, bytes.count - done)
            if count < 0, errno != EINTR { return errno }
            done += max(0, count)
        }
        return 0
    }
}
