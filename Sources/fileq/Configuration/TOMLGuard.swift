// SPDX-License-Identifier: MIT

import TransferModel

/// Finds what makes the TOML parser abort the process in place of reporting it (assertions of toml++ 3): brackets that
/// do not match, malformed dates, malformed tables in braces. No option takes a date or such a table.
struct TOMLGuard {
    private let bytes: [UInt8]
    private let path: String
    private var next = 0
    private var line = 1
    /// Brackets that are open.
    private var depth = 0

    /// - Throws: code `usage`, with file and line.
    static func check(_ text: String, path: String) throws(TransferError) {
        var scan = TOMLGuard(bytes: Array(text.utf8), path: path)
        try scan.run()
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
                continue
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "{"): throw complaint("no option takes a table in braces; write it as [name]")
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0, byte == UInt8(ascii: "]") else {
                    throw complaint("'\(Character(Unicode.Scalar(byte)))' closes nothing here")
                }
                depth -= 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isDate { throw complaint("dates are not values of an option; write them as \"text\"") }
            default: break
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
