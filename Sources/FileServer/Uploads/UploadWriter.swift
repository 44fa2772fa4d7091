// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform
import Synchronization
import TransferModel

/// Writes the content of one request to an upload. Its functions block, and must not overlap, except ``sync()``, which
/// may run during ``append(_:)``.
final class UploadWriter: Sendable {
    private let entry: UploadEntry
    private let part: Descriptor
    /// The state file, for its mark. Reopened when the file is replaced.
    private let mark: Mutex<Descriptor>
    private let hasher: Mutex<ContentHasher?>
    private let append: UploadResource.Append
    private let expected: Checksum?
    private let quota: UploadQuota?

    /// Accepts or rejects the append.
    /// - Parameters:
    ///   - expected: the checksum of the content. Its bytes then count all together at the end, or not at all.
    ///   - quota: `nil` if all bytes are reserved.
    /// - Throws: ``UploadFault``, `SystemError`
    init(
        _ append: UploadResource.Append, to entry: UploadEntry, expected: Checksum?, quota: UploadQuota?, now: Double
    ) throws {
        self.entry = entry
        self.quota = quota
        self.append = append
        self.expected = expected
        let before = entry.resource
        try entry.update { (content) throws(UploadFault) in
            try content.resource.begin(append, isVerified: expected != nil, now: now)
        }
        do {
            if entry.resource.length != before.length { try entry.persist() }
            part = try Descriptor.open(entry.id, O_RDWR | O_NOFOLLOW, in: entry.folder.descriptor)
            mark = Mutex(try Self.openState(of: entry))
            hasher = Mutex(expected.map { ContentHasher($0.algorithm) })
            if expected != nil { try writeMark(before.offset, isTentative: true) }
        } catch {
            _ = entry.update { $0.resource.abandon() }
            throw error
        }
    }

    /// Written bytes are hashed.
    var isHashing: Bool { hasher.withLock { $0 != nil } || entry.isHashing }

    private static func openState(of entry: UploadEntry) throws(SystemError) -> Descriptor {
        try Descriptor.open(
            UploadEntry.stateName(entry.id), O_RDWR | O_NOFOLLOW, in: entry.folder.descriptor)
    }

    /// - Throws: ``UploadFault`` for bytes beyond the length, `SystemError` if the disk is full, ``Refusal`` if the
    ///   quota is; what was written before remains.
    func append(_ buffers: [ByteBuffer]) throws {
        for buffer in buffers {
            let count = Int64(buffer.readableBytes)
            let position = try entry.update { (content) throws(UploadFault) in
                try content.resource.admit(count)
                return content.resource.written
            }
            try quota?.reserve(position.clampedSum(count), for: entry.id)
            try buffer.withUnsafeReadableBytes { bytes in
                do { try part.write(bytes, at: position) } catch {
                    // The size of the file is the offset after a crash.
                    ftruncate(part.number, off_t(position))
                    throw error
                }
                hasher.withLock { $0?.update(bytes) }
                entry.update { content in
                    if content.hashed == position {
                        for index in content.hashers.indices { content.hashers[index].update(bytes) }
                        content.hashed += count
                    }
                    content.resource.wrote(count)
                }
            }
        }
    }

    /// Makes the bytes so far durable. A failure deactivates the upload: Linux reports lost bytes once, a later sync
    /// succeeds without them, and the offset never decreases.
    /// - Returns: their number.
    func sync() throws(SystemError) -> Int64 {
        let offset = entry.resource.offset
        if entry.syncs, fdatasync(part.number) != 0 {
            let code = errno
            entry.update { $0.resource.deactivate() }
            throw SystemError("fdatasync", errno: code)
        }
        try writeMark(offset, isTentative: entry.resource.isTentative)
        return offset
    }

    private func writeMark(_ offset: Int64, isTentative: Bool) throws(SystemError) {
        let bytes = UploadState.Mark(synced: offset, isTentative: isTentative).bytes
        try mark.withLock { (file) throws(SystemError) in
            try file.write(bytes, at: 0)
            guard entry.syncs, !isTentative else { return }
            guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync", errno: errno) }
        }
    }

    /// All content has arrived.
    /// - Returns: whether the upload is complete, as far as its bytes are concerned.
    /// - Throws: ``UploadFault``; of a checksum that differs, nothing remains.
    func end() throws -> Bool {
        if let expected, hasher.withLock({ $0?.checksum }) != expected {
            try abandon()
            throw UploadFault.checksumMismatch
        }
        let before = entry.resource.length
        let isWhole = try entry.update { (content) throws(UploadFault) in try content.resource.end(append) }
        _ = try sync()
        if entry.resource.length != before, !isWhole { try entry.persist() }
        return isWhole
    }

    /// The content is incomplete: keeps what counts, and makes it durable. Of a deactivated upload nothing counts.
    func abandon() throws {
        let isTentative = entry.resource.isTentative
        let offset = entry.update { content in
            let offset = content.resource.abandon()
            if content.hashed > offset {
                content.hashers = []
                content.hashed = 0
            }
            return offset
        }
        if entry.resource.phase == .failed { return }
        if isTentative { try check(ftruncate(part.number, off_t(offset)), "truncate") }
        _ = try sync()
    }
}
