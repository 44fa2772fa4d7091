// SPDX-License-Identifier: MIT

import TransferModel

/// Dates as `Expires` may write them (RFC 6265bis, section 5.1.1): words in any order, between almost any signs. Pure.
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .map { Array($0.utf8) }

    /// - Returns: seconds since 1970; `nil` where a part is missing, or there is no such day.
    static func parse(_ text: Substring) -> Int64? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for word in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(word) {
                time = found
            } else if day == nil, let found = number(word, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(word) {
                month = found
            } else if year == nil, let found = number(word, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year, time.second <= 59 else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601 else { return nil }
        return HTTPDate.seconds(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    /// `H:M:S`, one or two digits each; what follows the seconds must not begin with a digit.
    private static func time(_ word: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
        let parts = word.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ word: Substring.UTF8View) -> Int? {
        let start = word.prefix(3).map { $0 | 0x20 }
        return months.firstIndex(of: start).map { $0 + 1 }
    }

    /// The digits at the beginning of `word`, if there are as many as `digits` allows.
    private static func number(_ word: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let number = word.prefix { $0.isDigit }
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
