// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
import Glibc
import Synchronization

/// Has the kernel write a growing file to the disk while it grows, so that syncing it at its end finds little left to
/// do.
///
/// The call waits where the disk's queue is full. It is made away from the engine's thread, one at a time for each
/// file, on a descriptor of its own, which may outlive the exchange by that call.
final class WriteBehind: Sendable {
    /// Bytes from one call to the next.
    static let piece: Int64 = 8 << 20
    private static let queue = DispatchQueue(label: "fileq.writeout", qos: .utility, attributes: .concurrent)

    private let descriptor: Int32
    private let isUnderWay = Atomic<Bool>(false)

    /// `nil` where there is no descriptor left: then the end waits for the disk.
    init?(_ descriptor: Int32) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Starts writing out a range of the file. Does not wait.
    /// - Returns: false, and nothing was done, while an earlier range is still being handed to the disk.
    func begin(_ range: Range<Int64>) -> Bool {
        guard !isUnderWay.exchange(true, ordering: .acquiring) else { return false }
        Self.queue.async { [self] in
            _ = clinux_start_write_out(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
            isUnderWay.store(false, ordering: .releasing)
        }
        return true
    }
}
