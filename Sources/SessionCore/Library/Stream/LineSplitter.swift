// SPDX-License-Identifier: MIT

/// Splits bytes into lines. No I/O.
struct LineSplitter: Sendable {
    static let longestLine = 1 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// No line end before this index.
    private var searched = 0
    /// The last line ended in CR; an LF that follows belongs to it.
    private var skipsLF = false

    /// Bytes of the incomplete line.
    var waitingCount: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += more
    }

    /// - Returns: the next complete line, if any.
    mutating func next() -> String? {
        if skipsLF, start < bytes.count {
            skipsLF = false
            if bytes[start] == UInt8(ascii: "\n") { start += 1 }
        }
        var index = max(start, searched)
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") { index += 1 }
        searched = index
        guard index < bytes.count else { return nil }
        defer {
            skipsLF = bytes[index] == UInt8(ascii: "\r")
            start = index + 1
            searched = start
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// - Returns: the bytes after the last line end, if any.
    mutating func finish() -> String? {
        defer { start = bytes.count }
        return start < bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : nil
    }
}
