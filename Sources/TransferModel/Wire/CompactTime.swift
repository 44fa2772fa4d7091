// SPDX-License-Identifier: MIT

/// Times as small text files hold them, in UTC; whole seconds since 1970. No locale, no time zone.
package enum CompactTime {
    /// `20261122 00:00:00`. Years outside 0…9999 are clamped.
    package static func stamp(_ seconds: Int64) -> String {
        let (date, time) = CivilDate.split(seconds)
        return "\(CivilDate.digits(date.year, 4))\(CivilDate.digits(date.month, 2))\(CivilDate.digits(date.day, 2)) "
            + "\(CivilDate.clock(time))"
    }

    /// `2026-11-22`. Years outside 0…9999 are clamped.
    package static func day(_ seconds: Int64) -> String {
        let date = CivilDate.split(seconds).date
        return "\(CivilDate.digits(date.year, 4))-\(CivilDate.digits(date.month, 2))-\(CivilDate.digits(date.day, 2))"
    }

    /// - Returns: `nil` for another form, and for a day or a time that does not exist.
    package static func parseStamp(_ text: some StringProtocol) -> Int64? {
        parse(Array(text.utf8), like: "dddddddd dd:dd:dd", parts: [0..<4, 4..<6, 6..<8, 9..<11, 12..<14, 15..<17])
    }

    /// The day's midnight.
    /// - Returns: `nil` for another form, and for a day that does not exist.
    package static func parseDay(_ text: some StringProtocol) -> Int64? {
        parse(Array(text.utf8), like: "dddd-dd-dd", parts: [0..<4, 5..<7, 8..<10])
    }

    /// - Parameter shape: `d` stands for a digit, everything else for itself.
    private static func parse(_ bytes: [UInt8], like shape: String, parts: [Range<Int>]) -> Int64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard bytes.count == shape.utf8.count,
            zip(bytes, shape.utf8).allSatisfy({ byte, wanted in
                wanted == UInt8(ascii: "d") ? digits.contains(byte) : byte == wanted
            })
        else { return nil }
        let numbers = parts.map { bytes[$0].reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } }
        let time = numbers.count == 6 ? Array(numbers[3...]) : [0, 0, 0]
        return CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).seconds(time[0], time[1], time[2])
    }
}
