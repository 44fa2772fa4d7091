// SPDX-License-Identifier: MIT

import Synchronization

/// Bounds the bytes that all bodies together hold in memory, however many peers read or write slowly: the less is left,
/// the smaller the pieces that the next one gets.
final class BufferBudget: Sendable {
    /// A piece is never smaller, so that a full budget slows bodies down but stops none.
    static let smallestPiece = 16 * 1024

    private let limit: Int
    private let used = Mutex(0)

    /// - Parameter limit: bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes that are taken now.
    var taken: Int { used.withLock { $0 } }

    /// Takes a piece of at most `most` bytes out of the budget: a thirty-second of what is left, or the smallest piece.
    /// - Returns: its size, to be handed to ``give(_:)``.
    func take(atMost most: Int) -> Int {
        used.withLock { used in
            let piece = min(most, max(Self.smallestPiece, (limit - used) / 32))
            used += piece
            return piece
        }
    }

    func give(_ piece: Int) { used.withLock { $0 -= piece } }
}
