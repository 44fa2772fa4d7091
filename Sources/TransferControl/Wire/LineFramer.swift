// SPDX-License-Identifier: MIT

import Glibc

/// Cuts a stream of bytes into lines. Pure; it never holds more than ``maximum`` bytes.
///
/// A line ends with LF; a CR before it is no part of the line. Lines without anything in them are ignored.
struct LineFramer {
    enum Output: Equatable {
        case line([UInt8])
        /// A line is longer than allowed. It comes once, and nothing after it.
        case tooLong
    }

    /// Bytes of one line without its end.
    let maximum: Int
    private var partial: [UInt8] = []
    private var isBroken = false

    init(maximum: Int) { self.maximum = maximum }

    /// What is held of a line whose end has not come.
    var heldBytes: Int { partial.count }

    /// - Returns: what `bytes` complete, in order.
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

    /// - Returns: false where the line has become too long; then nothing is held any more.
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
