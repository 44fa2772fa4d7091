// SPDX-License-Identifier: MIT

import Glibc

/// One process at a time changes a cache's folder, and each sees whether another one has since: a locked file that holds
/// the number of the last change. Let go when the last reference goes.
final class CacheLock {
    private let descriptor: Int32
    private let isHeld: Bool
    /// Of the last change; `nil` where it cannot be known: the lock was not to be had, or the file is new or damaged.
    let generation: UInt64?

    /// Waits up to a tenth of a second: a process that stands still with the lock must not stop this one.
    init(_ folder: CacheFolder) {
        descriptor = openat(folder.descriptor, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        var number: UInt64 = 0
        isHeld = descriptor >= 0 && Self.lock(descriptor)
        generation = isHeld && pread(descriptor, &number, 8, 0) == 8 ? number : nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Records that the folder was changed.
    /// - Returns: the number of this change; `nil` where others may have changed the folder meanwhile.
    func advance() -> UInt64? {
        var next = generation.map { $0 &+ 1 } ?? .random(in: .min ... .max)
        return pwrite(descriptor, &next, 8, 0) == 8 && isHeld ? next : nil
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            nanosleep(&pause, nil)
        }
        return false
    }
}
