// SPDX-License-Identifier: MIT

/// Local times for people. Programs get ``Timestamp``.
extension LocalTime {
    /// `2026-11-22 23:59:05`.
    /// - Parameter moment: seconds since 1970.
    func text(_ moment: Double) -> String {
        guard moment.isFinite, (0..<253_402_300_800).contains(moment) else { return Timestamp.text(0) }
        let (day, clock) = parts(moment)
        let time = [clock / 3600, clock / 60 % 60, clock % 60].map { Self.digits($0, 2) }.joined(separator: ":")
        return "\(Self.digits(day.year, 4))-\(Self.digits(day.month, 2))-\(Self.digits(day.day, 2)) \(time)"
    }

    /// `line` with its leading ``Timestamp`` converted to local time; other lines unchanged.
    func localized(_ line: String) -> String {
        let stamp = line.utf8.prefix(24)
        guard stamp.count == 24, stamp.last == UInt8(ascii: "Z"),
            let match = line.prefixMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{3}Z/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5),
            let second = Int(match.6),
            let moment = Self.utc.seconds(Day(year: year, month: month, day: day), hour * 3600 + minute * 60 + second)
        else { return line }
        return text(moment) + line[match.range.upperBound...]
    }

    /// The day, and the local seconds since midnight, including daylight saving time.
    private func parts(_ moment: Double) -> (day: Day, clock: Int) {
        let day = day(moment)
        let moment = moment.rounded(.down)
        guard let midnight = seconds(day, 0) else { return (day, 0) }
        let passed = Int(moment - midnight)
        let shift = seconds(day, passed).map { Int(moment - $0) } ?? 0
        return (day, max(0, passed + shift))
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
