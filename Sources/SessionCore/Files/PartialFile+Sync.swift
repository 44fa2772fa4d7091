// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
import TransferModel

/// Syncs of a file that an earlier process of this boot has begun.
///
/// That process may have been killed after a sync failed and before it noted that. Linux reports such an error once
/// (fsync(2)): the pages that could not be written count as clean from then on, and the next sync succeeds without
/// them. So bytes that are not known to be synced are written again, in place, before they are synced. It costs
/// nothing but after a restart, and then no more than what arrived since the last checkpoint.
extension PartialFile {
    struct Rewriting {
        /// What is still to be written again.
        var rest: Range<Int64> = 0..<0
        /// Whether any byte was.
        var hasBegun = false
    }

    /// Bytes at once: others wait that truncate or unlock the file meanwhile.
    private static let piece = 256 << 10

    /// The next sync writes these bytes again. No other writer changes them.
    package func rewriteBeforeSync(_ range: Range<Int64>) { rewriting.withLock { $0.rest = range } }

    /// Whether bytes were written again, which has changed the file's time.
    package var wasRewritten: Bool { rewriting.withLock { $0.hasBegun } }

    /// The error that closing the file would report. Blocks.
    var closingError: TransferError? {
        do throws(SystemError) { try Descriptor(borrowing: descriptor).flush() } catch {
            return TransferError(.cannotWrite, file: .write, path: path, systemErrno: error.errno)
        }
        return nil
    }

    /// Nothing is written again from now on.
    package func stopRewriting() { rewriting.withLock { $0.rest = 0..<0 } }

    /// Makes the bytes durable; may take long. From any thread, not from several at once: the system reports a failure
    /// to one of them.
    /// - Returns: 0 or an errno; then any byte may be missing on the disk. After a failure always the same: see above.
    package func sync() -> Int32 {
        if syncFailure != 0 { return syncFailure }
        var code = rewrite()
        if code == 0, fdatasync(descriptor) != 0 { code = errno }
        if code != 0 { firstSyncFailure.store(code, ordering: .releasing) }
        return code
    }

    /// What ``sync()`` returned when it failed; 0: it has not. For a caller that syncs the file by other means, which
    /// do not miss the bytes either.
    package var syncFailure: Int32 { firstSyncFailure.load(ordering: .acquiring) }

    /// The part of ``sync()`` that precedes the system's, for a caller that syncs several files together.
    /// - Returns: as ``sync()``.
    package func rewrite() -> Int32 {
        guard rewriting.withLock({ !$0.rest.isEmpty }) else { return 0 }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            if let code = rewritePiece(buffer) { return code }
        }
    }

    /// - Returns: `nil` if there is more to write.
    private func rewritePiece(_ buffer: UnsafeMutableRawBufferPointer) -> Int32? {
        rewriting.withLock { rewriting in
            let rest = rewriting.rest
            let wanted = Int(min(Int64(buffer.count), rest.upperBound - rest.lowerBound))
            guard wanted > 0 else { return 0 }
            rewriting.hasBegun = true
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(rest.lowerBound))
            guard count >= 0 else { return errno == EINTR ? nil : errno }
            // Another program has truncated it, which is detected elsewhere.
            guard count > 0 else {
                rewriting.rest = 0..<0
                return 0
            }
            let written = pwrite(descriptor, buffer.baseAddress, count, off_t(rest.lowerBound))
            guard written >= 0 else { return errno == EINTR ? nil : errno }
            guard written > 0 else { return EIO }
            rewriting.rest = (rest.lowerBound + Int64(written))..<rest.upperBound
            return nil
        }
    }
}
