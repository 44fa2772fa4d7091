// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Bytes to send, in order. No I/O.
///
/// Droppable bytes are counted separately: a large snapshot must not block the changes after it when the peer reads
/// slowly.
struct OutgoingQueue {
    private struct Piece {
        let data: Data
        let isDroppable: Bool
    }

    private var pieces: [Piece] = []
    /// Earlier ones are sent.
    private var first = 0
    /// Sent bytes of the first chunk.
    private var offset = 0
    /// Unsent bytes.
    private(set) var bytes = 0
    /// The bytes of droppable messages among them.
    private(set) var droppableBytes = 0

    mutating func append(_ data: Data, isDroppable: Bool) {
        guard !data.isEmpty else { return }
        pieces.append(Piece(data: data, isDroppable: isDroppable))
        bytes += data.count
        if isDroppable { droppableBytes += data.count }
    }

    /// The next bytes to send; `nil` when all are sent.
    var next: Data? {
        guard first < pieces.count else { return nil }
        let data = pieces[first].data
        return offset == 0 ? data : data[(data.startIndex + offset)...]
    }

    /// `count` bytes of ``next`` were sent.
    mutating func sent(_ count: Int) {
        guard first < pieces.count else { return }
        let piece = pieces[first]
        offset += count
        bytes -= count
        if piece.isDroppable { droppableBytes -= count }
        guard offset == piece.data.count else { return }
        offset = 0
        first += 1
        // Compacts the array rarely: when it is sent, or mostly so.
        if first == pieces.count || first >= 256 {
            pieces.removeFirst(first)
            first = 0
        }
    }

    mutating func removeAll() { self = OutgoingQueue() }
}
