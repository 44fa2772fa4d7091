// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// `--at`: the earliest start time.
enum StartTime {
    /// - Parameter now: seconds since 1970.
    /// - Returns: seconds since 1970, after `now`.
    /// - Throws: code `usage` for an invalid time, and for one in the past.
    static func parse(_ text: String, now: Double, local: LocalTime) throws(TransferError) -> Double {
        let words = text.split(separator: " ").map(String.init)
        let time: Double?
        switch (words.first, words.count) {
        case (let word?, 1) where word.hasPrefix("+"): time = span(word.dropFirst()).map { now + $0 }
        case ("tomorrow", 1...2), ("today", 2): time = day(words, now: now, local: local)
        case (let word?, 1) where !word.contains("-"): time = clock(word).flatMap { next($0, after: now, local: local) }
        case (_?, 1...2): time = date(words.joined(separator: "T"), local: local)
        default: time = nil
        }
        guard let time, time < 253_402_300_800 else {
            throw TransferError(
                .usage, option: "--at",
                "use a time such as 23:30, 'tomorrow 08:00', 2026-12-24T18:00:00+01:00 or +2h30m")
        }
        guard time > now else {
            throw TransferError(.usage, option: "--at", "that time has passed; omit --at to start immediately")
        }
        return time
    }

    /// `2h`, `1h30m`, `90s`, `1d`: each unit once, in descending order.
    private static func span(_ text: Substring) -> Double? {
        var rest = text
        var seconds = 0.0
        var units = "dhms"[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Double(digits), number < 1e6, let unit = rest.dropFirst(digits.count).first,
                let place = units.firstIndex(of: unit), let length = ["d": 86400.0, "h": 3600, "m": 60, "s": 1][unit]
            else { return nil }
            seconds += number * length
            units = units[units.index(after: place)...]
            rest = rest.dropFirst(digits.count + 1)
        }
        return seconds > 0 ? seconds : nil
    }

    /// `8:00`, `08:00`, `08:00:30`: seconds since midnight.
    private static func clock(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { (1...2).contains($0.count) ? UInt8($0) : nil }.map(Int.init)
        guard (2...3).contains(parts.count), numbers.count == parts.count,
            parts.dropFirst().allSatisfy({ $0.count == 2 }),
            numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    private static func next(_ clock: Int, after now: Double, local: LocalTime) -> Double? {
        let today = local.day(now)
        guard let time = local.seconds(today, clock) else { return nil }
        return time > now ? time : local.seconds(today.adding(days: 1), clock)
    }

    /// `tomorrow` alone is midnight.
    private static func day(_ words: [String], now: Double, local: LocalTime) -> Double? {
        guard let clock = words.count > 1 ? clock(words[1]) : 0 else { return nil }
        return local.seconds(local.day(now).adding(days: words[0] == "tomorrow" ? 1 : 0), clock)
    }

    /// RFC 3339, section 5.6; without an offset local time, without seconds 0.
    private static func date(_ text: String, local: LocalTime) -> Double? {
        let form = /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:([Zz])|([+-])(\d\d:\d\d))?/
        guard let match = text.wholeMatch(of: form), let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3),
            let clock = clock(match.4)
        else { return nil }
        let date = LocalTime.Day(year: year, month: month, day: day)
        guard LocalTime.utc.seconds(date, 0).map({ LocalTime.utc.day($0) }) == date else { return nil }
        if match.5 != nil { return LocalTime.utc.seconds(date, clock) }
        guard let sign = match.6, let text = match.7 else { return local.seconds(date, clock) }
        guard let offset = Self.clock(text), let time = LocalTime.utc.seconds(date, clock) else { return nil }
        return sign == "-" ? time + Double(offset) : time - Double(offset)
    }
}

/// Local days and hours.
struct LocalTime: Sendable {
    struct Day: Sendable, Hashable {
        var year: Int
        var month: Int
        var day: Int

        /// The day may exceed its month; ``LocalTime/seconds`` normalizes it.
        func adding(days: Int) -> Day { Day(year: year, month: month, day: day + days) }
    }

    /// The day of a moment, given in seconds since 1970.
    var day: @Sendable (Double) -> Day
    /// Seconds since 1970 of a number of seconds after midnight of a day; an hour skipped by daylight saving time
    /// becomes the next one.
    var seconds: @Sendable (Day, _ clock: Int) -> Double?

    /// From `TZ` or the system.
    static let system = LocalTime(
        day: { moment in
            var (time, parts) = (time_t(moment.rounded(.down)), tm())
            localtime_r(&time, &parts)
            return Day(parts)
        },
        seconds: { day, clock in
            var parts = tm(day, clock)
            parts.tm_isdst = -1
            return moment(mktime(&parts))
        })

    static let utc = LocalTime(
        day: { moment in
            var (time, parts) = (time_t(moment.rounded(.down)), tm())
            gmtime_r(&time, &parts)
            return Day(parts)
        },
        seconds: { day, clock in
            var parts = tm(day, clock)
            return moment(timegm(&parts))
        })

    private static func moment(_ time: time_t) -> Double? { time == -1 ? nil : Double(time) }
}

extension LocalTime.Day {
    fileprivate init(_ parts: tm) {
        self.init(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }
}

extension tm {
    fileprivate init(_ day: LocalTime.Day, _ clock: Int) {
        self.init()
        (tm_year, tm_mon, tm_mday) = (Int32(day.year - 1900), Int32(day.month - 1), Int32(day.day))
        (tm_hour, tm_min, tm_sec) = (Int32(clock / 3600), Int32(clock / 60 % 60), Int32(clock % 60))
    }
}
