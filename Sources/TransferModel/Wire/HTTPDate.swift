// SPDX-License-Identifier: MIT

/// Dates as HTTP writes them (RFC 9110, section 5.6.7), as whole seconds since 1970. No locale, no time zone.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`. Years outside 0…9999 have no such form and are clamped.
    package static func format(_ seconds: Int64) -> String {
        let (date, time) = CivilDate.split(seconds)
        let weekday = days[Int(floorModulo(date.dayNumber + 4, 7))]
        return
            "\(weekday), \(CivilDate.digits(date.day, 2)) \(months[date.month - 1]) \(CivilDate.digits(date.year, 4)) "
            + "\(CivilDate.clock(time)) GMT"
    }

    /// Reads the fixed form and the two obsolete ones: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    /// As some servers write it, the fixed form may have `UTC`, `+0000` or nothing in place of `GMT`, and an hour of
    /// one digit.
    ///
    /// The weekday's name must be one, but need not be the right one.
    /// - Parameter now: what a year of two digits is read against: never more than 50 years ahead.
    /// - Returns: `nil` for anything else, and for a day that does not exist.
    package static func parse(_ text: some StringProtocol, now: Int64 = 1_700_000_000) -> Int64? {
        if let seconds = Array(text.utf8).withUnsafeBytes(parseFixed) { return seconds }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        switch words.count {
        case 5 where words[0].last == ",", 6:
            guard words[0].count == 4, isWeekday(words[0].dropLast()), words[0].last == ",",
                words.count == 5 || ["GMT", "UTC", "+0000"].contains(words[5])
            else { return nil }
            return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
        case 5:
            guard isWeekday(words[0]) else { return nil }
            return seconds(day: words[2], month: words[1], year: number(words[4], digits: 4), time: words[3])
        case 4:
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, words[0].last == ",", isWeekday(words[0].prefix(3)), words[3] == "GMT",
                let short = number(parts[2], digits: 2)
            else { return nil }
            let thisYear = CivilDate(dayNumber: floorDivide(now, 86400)).year
            var year = thisYear - thisYear % 100 + short
            if year > thisYear + 50 { year -= 100 }
            return seconds(day: parts[0], month: parts[1], year: year, time: words[2])
        default: return nil
        }
    }

    /// As ``parse(_:now:)``, of the fixed form alone, without a string.
    package static func parse(fixed bytes: UnsafeRawBufferPointer) -> Int64? { parseFixed(bytes) }

    /// A moment in UTC, for other forms of date than HTTP's own. A leap second counts as the one before it.
    /// - Returns: `nil` for an invalid day or time.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour >= 0, minute >= 0,
            second >= 0
        else { return nil }
        return CivilDate(year: year, month: month, day: day).seconds(hour, minute, second)
    }

    /// Only the fixed form, byte by byte: nearly every date of a server has it, and there may be many.
    private static func parseFixed(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        func index(of range: Range<Int>, in names: [StaticString]) -> Int? {
            names.firstIndex { name in
                zip(bytes[range], UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
                    .allSatisfy { $0 == $1 }
            }
        }
        let shape: StaticString = "ddd, DD mmm YYYY HH:MM:SS GMT"
        guard bytes.count == shape.utf8CodeUnitCount,
            [
                (3, ","), (4, " "), (7, " "), (11, " "), (16, " "), (19, ":"), (22, ":"), (25, " "), (26, "G"),
                (27, "M"), (28, "T"),
            ]
            .allSatisfy({ bytes[$0.0] == UInt8(ascii: $0.1) }),
            index(of: 0..<3, in: fixedDays) != nil, let month = index(of: 8..<11, in: fixedMonths),
            let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19),
            let minute = number(20..<22),
            let second = number(23..<25)
        else { return nil }
        return CivilDate(year: year, month: month + 1, day: day).seconds(hour, minute, second)
    }

    private static let fixedDays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let fixedMonths: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isWeekday(_ text: some StringProtocol) -> Bool { days.contains { $0 == text } }

    private static func seconds(
        day: some StringProtocol, month: some StringProtocol, year: Int?,
        time: some StringProtocol
    ) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(where: { $0 == month }), let year, clock.count == 3,
            let day = number(day, digits: 2) ?? number(day, digits: 1),
            let hour = number(clock[0], digits: 2) ?? number(clock[0], digits: 1),
            let minute = number(clock[1], digits: 2),
            let second = number(clock[2], digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month + 1, day: day).seconds(hour, minute, second)
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
        guard text.utf8.count == digits else { return nil }
        return ContentRange.number(text).map(Int.init)
    }
}
