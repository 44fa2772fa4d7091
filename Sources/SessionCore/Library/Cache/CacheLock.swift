// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// One process at a time changes a cache's folder, and each sees whether another one has since: a locked file that
/// holds the number of the last change. Let go when the last reference goes.
final class CacheLock {
    /// `nil` where it cannot be opened.
    private let file: Descriptor?
    private let isHeld: Bool
    /// Of the last change; `nil` where it cannot be known: the lock was not to be had, or the file is new or damaged.
    let generation: UInt64?

    /// Waits up to a tenth of a second: a process that stands still with the lock must not stop this one.
    init(_ folder: CacheFolder) {
        let file = try? Descriptor.open("lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, in: folder.descriptor)
        let isHeld = file.map { (try? FileLock.take($0, patience: 0.1, interval: 0.002)) == true } ?? false
        let bytes = isHeld ? try? file?.read(8, at: 0) : nil
        generation = bytes?.count == 8 ? bytes?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } : nil
        (self.file, self.isHeld) = (file, isHeld)
    }

    /// Records that the folder was changed.
    /// - Returns: the number of this change; `nil` where others may have changed the folder meanwhile.
    func advance() -> UInt64? {
        let next = generation.map { $0 &+ 1 } ?? .random(in: .min ... .max)
        let isWritten = withUnsafeBytes(of: next) { (try? file?.write($0, at: 0)) != nil }
        return isWritten && isHeld ? next : nil
    }
}
