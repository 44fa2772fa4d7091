// SPDX-License-Identifier: MIT

import Glibc

/// flock(2): an exclusive lock across processes. The lock belongs to the open file, and ends when all descriptors of it
/// are closed, or with the process.
package enum FileLock {
    package enum Kind: Sendable { case exclusive, shared }

    /// Takes the lock. Blocks the thread for `patience` at most, polling every `interval`; an infinite patience blocks
    /// in the kernel.
    /// - Parameters:
    ///   - patience: in seconds; 0 tries once.
    ///   - interval: in seconds.
    /// - Returns: false if it is held elsewhere.
    package static func take(
        _ file: Descriptor, _ kind: Kind = .exclusive, patience: Double = 0,
        interval: Double = 0.005
    ) throws(SystemError) -> Bool {
        let operation = (kind == .exclusive ? LOCK_EX : LOCK_SH) | (patience == .infinity ? 0 : LOCK_NB)
        let end = SystemClock.monotonic + patience
        while flock(file.number, operation) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard SystemClock.monotonic < end else { return false }
                usleep(UInt32(interval * 1e6))
            case let code: throw SystemError("flock", errno: code)
            }
        }
        return true
    }

    /// Releases it immediately, even if a child being spawned has a copy of the descriptor.
    package static func release(_ file: Descriptor) { flock(file.number, LOCK_UN) }
}
