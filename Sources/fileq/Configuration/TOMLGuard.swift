// SPDX-License-Identifier: MIT

import TransferModel

/// Finds what the TOML parser must not see: where it aborts the process in place of reporting it (assertions of
/// toml++ 3), which are malformed names of tables, brackets that do not match, malformed dates and malformed tables in
/// braces, Unicode's line separators in place of a value, and strings with NUL, which it truncates. No option takes a
/// date or a table in braces.
struct TOMLGuard {
    private let bytes: [UInt8]
    private let path: String
    private var next = 0
    private var line = 1
    /// Brackets that are open.
    private var depth = 0
    /// Only blanks and comments since what a value follows.
    private var startsValue = false

    /// - Throws: code `usage`, with file and line.
    static func check(_ text: String, path: String) throws(TransferError) {
        try checkTables(text, path: path)
        try checkForNUL(text, path: path)
        var scan = TOMLGuard(bytes: Array(text.utf8), path: path)
        try scan.run()
    }

    /// Only names of tables that exist here.
    private static func checkTables(_ text: String, path: String) throws(TransferError) {
        let table =
            /\[([A-Za-z-]+|interface\.(keys|views)|(places|network\.interface)\.([A-Za-z0-9_-]+|"[A-Za-z0-9_.@-]+"))\]/
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            // By scalars, as the parser reads: a bracket with a combining mark is a bracket.
            let scalars = line.unicodeScalars
            let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
            guard let start = scalars.firstIndex(where: { !isBlank($0) }), scalars[start] == "[" else { continue }
            let name = line[start...].prefixMatch(of: table.matchingSemantics(.unicodeScalar))
            let rest = name.map { line[$0.range.upperBound...].drop(while: \.isWhitespace) }
            guard let rest, rest.isEmpty || rest.first == "#" else {
                throw TransferError(
                    .usage,
                    "\(path):\(index + 1): a table must be [get], [interface.keys], [places.NAME] or "
                        + "[network.interface.NAME], alone on its line")
            }
        }
    }

    /// A truncated path would name another file.
    private static func checkForNUL(_ text: String, path: String) throws(TransferError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.firstRange(of: "\\u0000") != nil || line.firstRange(of: "\\U00000000") != nil else { continue }
            throw TransferError(.usage, "\(path):\(index + 1): values cannot contain NUL")
        }
    }

    private init(bytes: [UInt8], path: String) { (self.bytes, self.path) = (bytes, path) }

    private mutating func run() throws(TransferError) {
        while next < bytes.count {
            let byte = bytes[next]
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "#"):
                skip { $0 == UInt8(ascii: "\n") }
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skipString(byte)
                startsValue = false
                continue
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "{"): throw complaint("no option takes a table in braces; write it as [name]")
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0, byte == UInt8(ascii: "]") else {
                    throw complaint("'\(Character(Unicode.Scalar(byte)))' closes nothing here")
                }
                depth -= 1
            case 0xc2, 0xe2:
                if isSeparator { throw complaint("a line separator outside quotes; end lines with Return") }
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isDate || startsValue && resemblesDate {
                    throw complaint("dates are not values of an option; write them as \"text\"")
                }
            default: break
            }
            if ![0x20, 0x09, 0x0a, 0x0d].contains(byte) {
                startsValue = [UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "[")].contains(byte)
            }
            next += 1
        }
    }

    private func complaint(_ words: String) -> TransferError { TransferError(.usage, "\(path):\(line): \(words)") }

    private mutating func skip(to isEnd: (UInt8) -> Bool) {
        while next < bytes.count, !isEnd(bytes[next]) { next += 1 }
    }

    /// From the opening quote to behind the closing one; to the end of the line where that is missing, which the parser
    /// reports.
    private mutating func skipString(_ quote: UInt8) {
        let isLong = bytes[next...].starts(with: [quote, quote, quote])
        next += isLong ? 3 : 1
        while next < bytes.count {
            let byte = bytes[next]
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                if next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: "\n") { line += 1 }
                next += 2
                continue
            }
            if byte == UInt8(ascii: "\n") {
                guard isLong else { return }
                line += 1
            }
            if byte == quote, !isLong || bytes[next...].starts(with: [quote, quote, quote]) {
                next += isLong ? 3 : 1
                return
            }
            next += 1
        }
    }

    /// U+0085, U+2028 and U+2029: to the parser they end a value, but no line.
    private static let separators: [[UInt8]] = [[0xc2, 0x85], [0xe2, 0x80, 0xa8], [0xe2, 0x80, 0xa9]]

    private var isSeparator: Bool { Self.separators.contains { bytes[next...].starts(with: $0) } }

    /// As the parser looks ahead: hyphens where a date has them, whatever the other characters are, without
    /// underscores.
    private var resemblesDate: Bool {
        var count = 0
        for byte in bytes[next...] where byte & 0xc0 != 0x80 && byte != UInt8(ascii: "_") {
            if byte == 0x20 || (0x09...0x0d).contains(byte) { return false }
            if count == 4 || count == 7, byte != UInt8(ascii: "-") { return false }
            if count == 7 { return true }
            count += 1
        }
        return false
    }

    /// `1979-05-27`, also malformed behind it.
    private var isDate: Bool {
        let pattern = bytes[next...].prefix(10)
        guard pattern.count == 10 else { return false }
        return pattern.enumerated().allSatisfy { index, byte in
            index == 4 || index == 7
                ? byte == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
