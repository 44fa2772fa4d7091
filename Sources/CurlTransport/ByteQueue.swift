// SPDX-License-Identifier: MIT

/// Bytes in order, at most ``capacity`` of them: what lies between libcurl's thread and a lane. A value.
struct ByteQueue {
    static let capacity = 1 << 20
    /// Bytes of one call: at 32 KB/s it still returns before the lane gives it up.
    static let piece = 1 << 16

    /// Each but the last is ``piece`` bytes long.
    private var pieces: [[UInt8]] = []
    /// The number of bytes taken from the first piece.
    private var taken = 0
    private(set) var count = 0

    var room: Int { Self.capacity - count }

    /// - Returns: how many of the bytes fit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let accepted = min(bytes.count, room)
        var done = 0
        while done < accepted {
            if pieces.last.map({ $0.count == Self.piece }) ?? true { pieces.append([]) }
            let last = pieces.count - 1
            let part = min(accepted - done, Self.piece - pieces[last].count)
            pieces[last].append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[done..<done + part]))
            done += part
        }
        count += accepted
        return accepted
    }

    /// Takes the first piece, or what is left of it; empty if there is none.
    mutating func takePiece() -> [UInt8] {
        guard !pieces.isEmpty else { return [] }
        let first = pieces.removeFirst()
        defer { taken = 0 }
        count -= first.count - taken
        return taken == 0 ? first : Array(first[taken...])
    }

    /// - Returns: how many bytes were taken; 0 if there are none.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < buffer.count, let first = pieces.first {
            let part = min(buffer.count - done, first.count - taken)
            UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part])
                .copyBytes(from: first[taken..<taken + part])
            done += part
            taken += part
            if taken == first.count {
                pieces.removeFirst()
                taken = 0
            }
        }
        count -= done
        return done
    }
}
