// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Serializes changes of a cache's folder across processes, and detects changes by others: a locked file with a change
/// counter. Released with the last reference.
final class CacheLock {
    /// `nil` if it cannot be opened.
    private let file: Descriptor?
    private let isHeld: Bool
    /// The last change; `nil` if unknown: no lock, or a new or damaged file.
    let generation: UInt64?

    /// Waits up to a tenth of a second: a stopped process that holds the lock must not block this one.
    init(_ folder: CacheFolder) {
        let file = try? Descriptor.open("lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, in: folder.descriptor)
        let isHeld = file.map { (try? FileLock.take($0, patience: 0.1, interval: 0.002)) == true } ?? false
        let bytes = isHeld ? try? file?.read(8, at: 0) : nil
        generation = bytes?.count == 8 ? bytes?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } : nil
        (self.file, self.isHeld) = (file, isHeld)
    }

    /// Records a change of the folder.
    /// - Returns: the number of this change; `nil` if others may have changed the folder meanwhile.
    func advance() -> UInt64? {
        let next = generation.map { $0 &+ 1 } ?? .random(in: .min ... .max)
        let isWritten = withUnsafeBytes(of: next) { (try? file?.write($0, at: 0)) != nil }
        return isWritten && isHeld ? next : nil
    }
}
