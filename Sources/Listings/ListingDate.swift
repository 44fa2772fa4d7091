// SPDX-License-Identifier: MIT

import TransferModel

/// Dates as servers state them for programs.
enum ListingDate {
    /// A date of HTTP, of RFC 3339, or of `date(1)`.
    /// - Returns: seconds since 1970; `nil` for anything else.
    static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        let date = words.joined(separator: " ")
        if let seconds = HTTPDate.parse(date) ?? internet(Array(date.utf8)) { return seconds }
        // `Mon May  6 07:08:09 UTC 2024`
        guard words.count == 6, ["GMT", "UTC"].contains(words[4]) else { return nil }
        return HTTPDate.parse((words[..<4] + words[5...]).joined(separator: " "))
    }

    /// RFC 3339, section 5.6. Fractions are cut.
    private static func internet(_ bytes: [UInt8]) -> Int64? {
        func number(_ range: Range<Int>) -> Int? {
            ContentRange.number(String(decoding: bytes[range], as: UTF8.self)).map { Int($0) }
        }
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == 0x20, bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let seconds = HTTPDate.seconds(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            zone = zone.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return seconds }
        let start = zone.startIndex
        guard zone.count == 6, zone[start + 3] == UInt8(ascii: ":"), let sign = zone.first,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = number((start + 1)..<(start + 3)), let minutes = number((start + 4)..<(start + 6)), hours < 24,
            minutes < 60
        else { return nil }
        let offset = Int64(hours * 3600 + minutes * 60)
        return sign == UInt8(ascii: "+") ? seconds - offset : seconds + offset
    }
}
