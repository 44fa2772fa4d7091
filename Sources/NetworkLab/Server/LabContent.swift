// SPDX-License-Identifier: MIT

/// A body that can be generated from any offset.
enum LabContent: Sendable, Hashable {
    /// Numbered lines with offset and version, so that mixed content shows.
    case lines(size: Int64, version: Int)
    case text([UInt8])

    /// Bytes of a numbered line, with its end.
    static let lineBytes: Int64 = 64

    var size: Int64 {
        switch self {
        case .lines(let size, _): size
        case .text(let bytes): Int64(bytes.count)
        }
    }

    /// A strong one (RFC 9110, section 8.8.3). `nil`: what is answered exists once.
    var entityTag: String? {
        switch self {
        case .lines(let size, let version): "\"lab-\(size)-\(version)\""
        case .text: nil
        }
    }

    /// Where the line after the one that holds `offset` begins; it may lie beyond the end.
    func nextLine(after offset: Int64) -> Int64 {
        switch self {
        case .lines: return (offset / Self.lineBytes + 1) * Self.lineBytes
        case .text(let bytes):
            let end = bytes[Int(min(offset, size))...].firstIndex(of: UInt8(ascii: "\n"))
            return end.map { Int64($0) + 1 } ?? size
        }
    }

    /// The bytes of `range`, which lies within ``size``.
    func bytes(in range: Range<Int64>) -> [UInt8] {
        switch self {
        case .text(let bytes): return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        case .lines(_, let version):
            let (first, last) = (
                range.lowerBound / Self.lineBytes, (range.upperBound + Self.lineBytes - 1) / Self.lineBytes
            )
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int((last - first) * Self.lineBytes))
            var line = Self.template(version: version)
            for number in first..<last {
                Self.write(number + 1, digits: 12, to: &line, at: 5)
                bytes += line
            }
            let start = Int(range.lowerBound - first * Self.lineBytes)
            return start == 0 && bytes.count == range.count ? bytes : Array(bytes[start..<(start + range.count)])
        }
    }

    private static func template(version: Int) -> [UInt8] {
        var line = Array("line 000000000000, version 0000 ".utf8)
        line += Array("abcdefghijklmnopqrstuvwxyz01234\n".utf8)
        write(Int64(version), digits: 4, to: &line, at: 27)
        return line
    }

    private static func write(_ number: Int64, digits: Int, to line: inout [UInt8], at start: Int) {
        var rest = number
        for place in (start..<(start + digits)).reversed() {
            line[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
