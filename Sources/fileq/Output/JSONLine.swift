// SPDX-License-Identifier: MIT

/// One JSON object on one line, its fields in the order in which they are added; what is `nil` is left out.
struct JSONLine {
    private var text = "{"
    private var isEmpty = true

    /// The finished object, without a line end.
    var object: String { text + "}" }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        Self.quote(value, into: &text)
    }

    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        begin(name)
        text += String(value)
    }

    /// Rounded to thousandths. What is no number is left out, for JSON cannot say it.
    mutating func add(_ name: String, _ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e15 else { return }
        begin(name)
        let rounded = (value * 1000).rounded() / 1000
        text += rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)"
    }

    mutating func add(_ name: String, _ value: Bool) {
        begin(name)
        text += value ? "true" : "false"
    }

    mutating func add(_ name: String, _ value: JSONLine?) {
        guard let value else { return }
        begin(name)
        text += value.object
    }

    /// An empty list is left out too.
    mutating func add(_ name: String, _ values: [JSONLine]) {
        guard !values.isEmpty else { return }
        begin(name)
        text += "[" + values.map(\.object).joined(separator: ",") + "]"
    }

    private mutating func begin(_ name: String) {
        if !isEmpty { text += "," }
        isEmpty = false
        text += "\"\(name)\":"
    }

    /// Controls are escaped, and so are the characters that terminals could take for commands (C1, bidi overrides).
    private static func quote(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{00}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{200b}"..."\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// Times as RFC 3339 writes them, in UTC, with milliseconds.
enum Timestamp {
    static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded(.down))
        let (whole, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (days, second) = whole.quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = civil(fromDays: days)
        return "\(year)-\(two(month))-\(two(day))T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))."
            + (fraction < 100 ? "0" : "") + two(fraction) + "Z"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

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
