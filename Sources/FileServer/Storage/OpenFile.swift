// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform

/// A regular file being sent, as it was when it was opened. Its functions block.
struct OpenFile: Sendable {
    /// Some bytes of the file, from a position that the reader knows.
    typealias Chunk = ByteBuffer

    let status: FileStatus
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) throws(SystemError) {
        self.descriptor = descriptor
        status = try descriptor.fileStatus()
    }

    /// All of `range`, which is not larger than one piece should be.
    /// - Throws: `EIO` where the file has become shorter.
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

    /// Throws where the file was changed since it was opened: then what was sent is of two versions.
    func checkUnchanged() throws(SystemError) {
        guard try descriptor.fileStatus() == status else { throw SystemError("read what changes", errno: EIO) }
    }

    func adviseSequentialReading() { _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL) }
}
