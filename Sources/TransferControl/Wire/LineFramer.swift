// SPDX-License-Identifier: MIT

import Glibc

/// Splits a stream of bytes into lines. Pure; it never holds more than ``maximum`` bytes.
///
/// A line ends with LF; a CR before it is not part of the line. Empty lines are ignored.
struct LineFramer {
    enum Output: Equatable {
        case line([UInt8])
        /// A line is longer than allowed. Comes once, and last.
        case tooLong
    }

    /// Maximum bytes of a line without its end.
    let maximum: Int
    private var partial: [UInt8] = []
    private var isBroken = false

    init(maximum: Int) { self.maximum = maximum }

    /// Bytes of an incomplete line.
    var heldBytes: Int { partial.count }

    /// - Returns: the lines that `bytes` complete, in order.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Output] {
        guard !isBroken else { return [] }
        var output: [Output] = []
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            guard let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else {
                guard keep(rest) else { return output + [.tooLong] }
                return output
            }
            let length = UnsafeRawPointer(end) - start
            guard keep(UnsafeRawBufferPointer(rebasing: rest[..<length])) else { return output + [.tooLong] }
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
            if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
            if !partial.isEmpty { output.append(.line(partial)) }
            partial = []
        }
        return output
    }

    /// - Returns: false if the line has become too long; then nothing is held any more.
    private mutating func keep(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard partial.count + piece.count <= maximum else {
            partial = []
            isBroken = true
            return false
        }
        partial.append(contentsOf: piece)
        return true
    }
}
