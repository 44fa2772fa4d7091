// SPDX-License-Identifier: MIT

import TransferModel

/// One JSON object on one line, with fields in the order of addition; omits `nil`.
struct JSONLine {
    private(set) var bytes: [UInt8]

    init() {
        bytes = []
        bytes.reserveCapacity(480)
        bytes.append(UInt8(ascii: "{"))
    }

    /// The finished object, without a line end.
    var object: String { String(decoding: bytes, as: UTF8.self) + "}" }

    /// Appends the finished object and a line end to `output`.
    func append(to output: inout [UInt8]) {
        output.append(contentsOf: bytes)
        output.append(UInt8(ascii: "}"))
        output.append(UInt8(ascii: "\n"))
    }

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        quote(value)
    }

    mutating func add(_ name: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        begin(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Rounded to thousandths. Omits values that are not finite, which JSON cannot represent.
    mutating func add(_ name: StaticString, _ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e15 else { return }
        begin(name)
        let rounded = (value * 1000).rounded() / 1000
        bytes.append(contentsOf: (rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)").utf8)
    }

    mutating func add(_ name: StaticString, _ value: Bool) {
        begin(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func add(_ name: StaticString, _ value: JSONLine?) {
        guard let value else { return }
        begin(name)
        bytes.append(contentsOf: value.bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Also omits an empty list.
    mutating func add(_ name: StaticString, _ values: [JSONLine]) {
        guard !values.isEmpty else { return }
        begin(name)
        bytes.append(contentsOf: "[\(values.map(\.object).joined(separator: ","))]".utf8)
    }

    /// - Parameter name: a key that needs no quoting.
    mutating func add(word name: String, _ value: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: "\"\(name)\":".utf8)
        quote(value)
    }

    mutating func add(_ name: StaticString, words: [String]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            quote(word)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func add(_ name: StaticString, _ ids: [TransferID]?) {
        guard let ids else { return }
        begin(name)
        bytes.append(contentsOf: "[\(ids.map(\.description).joined(separator: ","))]".utf8)
    }

    mutating func add(word name: String, _ value: Int) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: "\"\(name)\":\(value)".utf8)
    }

    private mutating func begin(_ name: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(contentsOf: "\":".utf8)
    }

    /// Escapes controls and characters that terminals could interpret (C1, bidi overrides).
    private mutating func quote(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // A fast path: nearly all text is plain.
        var value = value
        let isPlain = value.withUTF8 { utf8 in
            guard utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if isPlain { return }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": bytes.append(contentsOf: "\\\"".utf8)
            case "\\": bytes.append(contentsOf: "\\\\".utf8)
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case "\u{00}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{200b}"..."\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}", "\u{61c}":
                let digits = String(scalar.value, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
    }
}

/// RFC 3339, in UTC, with milliseconds.
enum Timestamp {
    static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded(.down))
        let (whole, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (days, second) = whole.quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = civil(fromDays: days)
        guard (0...9999).contains(year), milliseconds >= 0 else { return "\(year)-\(month)-\(day)" }
        let parts =
            [
                (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (second / 3600, 2, ":"), (second / 60 % 60, 2, ":"),
                (second % 60, 2, "."),
                (fraction, 3, "Z"),
            ] as [(Int, Int, Unicode.Scalar)]
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            for (value, digits, mark) in parts {
                var rest = value
                for place in stride(from: end + digits - 1, through: end, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[end + digits] = UInt8(ascii: mark)
                end += digits + 1
            }
            return end
        }
    }

    /// Days since 1970 to a date of the Gregorian calendar: Howard Hinnant's `civil_from_days`, for days from 0 on.
    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
