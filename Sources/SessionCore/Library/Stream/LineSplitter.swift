// SPDX-License-Identifier: MIT

/// Cuts bytes into lines. Pure.
struct LineSplitter: Sendable {
    static let longestLine = 1 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here no end of a line has been found.
    private var searched = 0
    /// The line before ended in CR; an LF that follows belongs to it.
    private var skipsLF = false

    /// Bytes of the line whose end has not come.
    var waitingCount: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        bytes.removeFirst(start)
        searched -= start
        start = 0
        bytes += more
    }

    /// - Returns: the next whole line; `nil` where its end has not come.
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

    /// - Returns: what stands behind the last end, where anything does.
    mutating func finish() -> String? {
        defer { start = bytes.count }
        return start < bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : nil
    }
}
