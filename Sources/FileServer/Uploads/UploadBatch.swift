// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Content of an upload that has arrived and is not written yet. Few large writes replace many small ones.
final class UploadBatch: Sendable {
    private struct Pending {
        var buffers: [ByteBuffer] = []
        var bytes = 0
    }

    private let writer: UploadWriter
    private let pending = Mutex(Pending())
    /// Held while bytes are written, so that they stay in order.
    private let writing = Mutex(())

    init(_ writer: UploadWriter) { self.writer = writer }

    /// The memory of what is pending.
    var bytes: Int { pending.withLock(\.bytes) }

    /// The content is hashed as it is written.
    var isHashed: Bool { writer.isHashing }

    func add(_ buffer: ByteBuffer) {
        pending.withLock { pending in
            pending.bytes += max(buffer.readableBytes, RequestHandler.smallestBufferBytes)
            pending.buffers.append(buffer)
        }
    }

    /// Writes what is pending. Blocks.
    /// - Throws: as ``UploadWriter/append(_:)``.
    func flush() throws {
        try writing.withLock { _ in
            let full = pending.withLock { pending in
                defer { pending = Pending() }
                return pending.buffers
            }
            if !full.isEmpty { try writer.append(full) }
        }
    }
}
