// SPDX-License-Identifier: MIT

import TransferModel

/// Times and spans in the few columns of a row.
enum TimeText {
    /// The time to go: `0:04`, `4:31`, `3h02`, `2d4h`; `?` if unknown.
    static func left(_ seconds: Double?) -> String { known(TimeSpan.short(seconds)) }

    /// The time that has passed: `0:37`, `4:31`, `3h02`, `2d4h`.
    static func clock(_ seconds: Double) -> String { known(TimeSpan.clock(seconds)) }

    private static func known(_ span: String) -> String { span == "--" ? "?" : span }

    /// `2–9m`: both ends in the unit of the larger one; `40m–3h` where the lower end has none of it. At most six
    /// columns: no number has three digits.
    static func range(_ least: Double, _ most: Double) -> String {
        guard most.isFinite, most <= 99 * 86400, least >= 0 else { return "?" }
        let (unit, name) =
            most >= 172_800 ? (86400.0, "d") : most > 99 * 60 ? (3600, "h") : most > 99 ? (60, "m") : (1, "s")
        let ends = (Int((least / unit).rounded(.down)), Int((most / unit).rounded(.up)))
        if ends.0 == 0, least >= 1 { return "\(atLeast(least))–\(ends.1)\(name)" }
        return ends.0 == ends.1 ? "\(ends.1)\(name)" : "\(ends.0)–\(ends.1)\(name)"
    }

    /// `3h`, at least: the largest unit alone.
    static func atLeast(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds), 8.64e8))
        if whole >= 86400 { return "\(whole / 86400)d" }
        if whole >= 3600 { return "\(whole / 3600)h" }
        return whole >= 60 ? "\(whole / 60)m" : "\(whole)s"
    }

    static func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Local time of day and dates.
package struct LocalClock: Sendable {
    /// Seconds east of UTC at a time.
    let offset: @Sendable (Double) -> Int

    /// - Parameter offset: seconds east of UTC at a time in seconds since 1970.
    package init(offset: @escaping @Sendable (Double) -> Int) { self.offset = offset }

    package static let utc = LocalClock { _ in 0 }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// `22:41` today, `Sat 09:12` less than a week away, else `2026-10-03`.
    func text(_ time: Double, now: Double) -> String {
        guard time.isFinite, time > 0, time < 2.5e11 else { return "?" }
        let local = Int(time) + offset(time)
        let day = local / 86400
        let today = (Int(now) + offset(now)) / 86400
        let clock = "\(TimeText.digits(local % 86400 / 3600)):\(TimeText.digits(local % 3600 / 60))"
        if day == today { return clock }
        if abs(day - today) < 7 { return "\(Self.days[day % 7]) \(clock)" }
        return Self.date(day)
    }

    /// As one types it: `2026-10-03 22:41`.
    func typed(_ time: Double) -> String {
        guard time.isFinite, time > 0, time < 2.5e11 else { return "" }
        let local = Int(time) + offset(time)
        let (hour, minute) = (TimeText.digits(local % 86400 / 3600), TimeText.digits(local % 3600 / 60))
        return "\(Self.date(local / 86400)) \(hour):\(minute)"
    }

    /// `22:57:44`
    func seconds(_ time: Double) -> String {
        guard time.isFinite, time > 0, time < 2.5e11 else { return "?" }
        let local = Int(time) + offset(time)
        return [local % 86400 / 3600, local % 3600 / 60, local % 60].map(TimeText.digits).joined(separator: ":")
    }

    /// The proleptic Gregorian date of a day since 1970, after Howard Hinnant's `civil_from_days`.
    private static func date(_ day: Int) -> String {
        let shifted = day + 719_468
        let era = shifted / 146_097, ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * ofYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(TimeText.digits(month))-\(TimeText.digits(ofYear - (153 * part + 2) / 5 + 1))"
    }
}
