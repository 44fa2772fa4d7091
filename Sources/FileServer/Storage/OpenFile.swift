// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform

/// A regular file being sent, with its metadata at opening. Its functions block.
struct OpenFile: Sendable {
    /// Some bytes from the position of the reader.
    typealias Chunk = ByteBuffer

    let status: FileStatus
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) throws(SystemError) {
        self.descriptor = descriptor
        status = try descriptor.fileStatus()
    }

    /// All of `range`, which is at most a chunk.
    /// - Throws: `EIO` if the file has become shorter.
    func read(_ range: Range<Int64>) throws -> Chunk {
        var buffer = ByteBufferAllocator().buffer(capacity: range.count)
        while buffer.readableBytes < range.count {
            let missing = range.count - buffer.readableBytes
            let position = range.lowerBound + Int64(buffer.readableBytes)
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { memory in
                let count = pread(descriptor.number, memory.baseAddress, missing, off_t(position))
                guard count >= 0 || errno == EINTR else { throw SystemError("read", errno: errno) }
                guard count != 0 else { throw SystemError("read beyond the end", errno: EIO) }
                return max(0, count)
            }
            _ = count
        }
        return buffer
    }

    /// Throws if the file has changed since opening: the bytes sent would be of two versions.
    func checkUnchanged() throws(SystemError) {
        guard try descriptor.fileStatus() == status else { throw SystemError("read what changes", errno: EIO) }
    }

    func adviseSequentialReading() { _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL) }
}
