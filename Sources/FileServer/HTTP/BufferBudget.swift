// SPDX-License-Identifier: MIT

import Synchronization

/// Limits the memory of all bodies together, however many peers are slow: the less is left, the smaller the next chunk.
final class BufferBudget: Sendable {
    /// The minimum chunk: a full budget slows bodies down but stops none.
    static let smallestPiece = 16 * 1024

    private let limit: Int
    private let used = Mutex(0)

    /// - Parameter limit: bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes in use.
    var taken: Int { used.withLock { $0 } }

    /// Takes a chunk of at most `most` bytes: a thirty-second of the rest, or the smallest chunk.
    /// - Returns: its size, to return with ``give(_:)``.
    func take(atMost most: Int) -> Int {
        used.withLock { used in
            let piece = min(most, max(Self.smallestPiece, (limit - used) / 32))
            used += piece
            return piece
        }
    }

    func give(_ piece: Int) { used.withLock { $0 -= piece } }
}
