// SPDX-License-Identifier: MIT

/// Bytes of a response body that a lane has to write: one call at a time, in order. A value without I/O.
struct WriteQueue {
    enum Call: Sendable, Equatable {
        /// Disk space up to this length of the file.
        case reserve(upTo: Int64)
        case write([UInt8], at: Int64)
    }

    private var bytes = ByteQueue()
    /// Where the next call writes.
    private var position: Int64
    private var end: Int64?
    private var isBusy = false

    /// - Parameter end: the file's expected length, if space is to be reserved.
    init(from offset: Int64, reservingUpTo end: Int64?) { (position, self.end) = (offset, end) }

    /// - Returns: how many of the bytes fit.
    mutating func append(_ offered: UnsafeRawBufferPointer) -> Int { bytes.append(offered) }

    /// No call is under way, and none is left.
    var isDrained: Bool { !isBusy && bytes.count == 0 && end == nil }

    /// Enough for many chunks, so that libcurl is not paused and resumed for each call.
    var hasRoom: Bool { bytes.room >= ByteQueue.capacity / 2 }

    /// The next call, if none is under way; ``returned()`` follows it.
    mutating func next() -> Call? {
        guard !isBusy else { return nil }
        if let end {
            (self.end, isBusy) = (nil, true)
            return .reserve(upTo: end)
        }
        let piece = bytes.takePiece()
        guard !piece.isEmpty else { return nil }
        isBusy = true
        defer { position += Int64(piece.count) }
        return .write(piece, at: position)
    }

    mutating func returned() { isBusy = false }
}
