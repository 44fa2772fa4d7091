// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
import Glibc
import Synchronization

/// Starts writing a growing file to disk, so that the sync at its end has little left to do.
///
/// The call blocks if the disk's queue is full. It runs off the engine's thread, one at a time per file, on its own
/// descriptor, which may outlive the exchange for that call.
final class WriteBehind: Sendable {
    /// Bytes between calls.
    static let piece: Int64 = 8 << 20
    private static let queue = DispatchQueue(label: "fileq.writeout", qos: .utility, attributes: .concurrent)

    private let descriptor: Int32
    private let isUnderWay = Atomic<Bool>(false)

    /// `nil` without a free descriptor: then only the final sync writes.
    init?(_ descriptor: Int32) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Starts writing out a range of the file. Does not block.
    /// - Returns: false, without effect, while an earlier range is in progress.
    func begin(_ range: Range<Int64>) -> Bool {
        guard !isUnderWay.exchange(true, ordering: .acquiring) else { return false }
        Self.queue.async { [self] in
            _ = clinux_start_write_out(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
            isUnderWay.store(false, ordering: .releasing)
        }
        return true
    }
}
