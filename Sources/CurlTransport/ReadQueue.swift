// SPDX-License-Identifier: MIT

/// Bytes of a request body that a lane reads ahead: one call at a time, in order. A value without I/O.
struct ReadQueue {
    struct Call: Sendable, Equatable {
        /// Counted from the first byte of the body.
        var position: Int64
        var count: Int
        /// Rises when the body is sent again from another byte: results of earlier calls are dropped.
        var turn: Int
    }

    private let size: Int64
    private var bytes = ByteQueue()
    private var position: Int64 = 0
    private var turn = 0
    private var isBusy = false

    init(size: Int64) { self.size = size }

    /// The next call, if none is under way and its bytes fit; ``returned(_:of:)`` follows it.
    mutating func next() -> Call? {
        guard !isBusy, position < size, bytes.room >= ByteQueue.piece else { return nil }
        isBusy = true
        return Call(position: position, count: Int(min(Int64(ByteQueue.piece), size - position)), turn: turn)
    }

    mutating func returned(_ read: [UInt8], of turn: Int) {
        guard turn == self.turn else { return }
        isBusy = false
        position += Int64(read.withUnsafeBytes { bytes.append($0) })
    }

    /// - Returns: how many bytes were taken; 0 if none have been read ahead.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int { bytes.take(into: buffer) }

    mutating func seek(to newPosition: Int64) {
        (bytes, position, isBusy) = (ByteQueue(), newPosition, false)
        turn += 1
    }
}
