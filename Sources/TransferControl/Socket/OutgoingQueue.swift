// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Bytes that are to be sent, in order. Pure.
///
/// What may be left out when the other end reads slowly counts by itself: a snapshot that is large by nature must not
/// keep the changes after it from being sent.
struct OutgoingQueue {
    private struct Piece {
        let data: Data
        let isDroppable: Bool
    }

    private var pieces: [Piece] = []
    /// Those before it are sent.
    private var first = 0
    /// Bytes of the first piece that are sent.
    private var offset = 0
    /// Bytes that are not sent yet.
    private(set) var bytes = 0
    /// Of them, those of messages that could have been left out.
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
        // The array moves up seldom: when it is done, or mostly so.
        if first == pieces.count || first >= 256 {
            pieces.removeFirst(first)
            first = 0
        }
    }

    mutating func removeAll() { self = OutgoingQueue() }
}
