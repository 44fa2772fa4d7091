// SPDX-License-Identifier: MIT

package import TransferModel

/// The text form of a timetable: `mon-fri 08:00 down=512k up=100k; sat,sun 10:00 off; 23:00 off`.
///
/// Entries are separated by `;`. Each applies until the next entry of the week: days (default: all), a time, and rates,
/// of which an omitted one is unlimited. `off` applies the limits of the queue, `unlimited` none.
extension LimitTimetable {
    /// The rates from a minute of the week on. No rates: the limits of the queue.
    private struct Point: Equatable {
        var minute: Int
        var rates: Rates?
    }

    // MARK: Reading

    /// Parses ``text``. An empty text and `off` alone are the timetable without entries.
    /// - Throws: code `usage`, with the expected format.
    package init(_ text: String) throws(TransferError) {
        var points: [Point] = []
        let parts = text.split(separator: ";").map { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
        self.init()
        if parts == [["off"]] { return }
        for part in parts {
            for point in try Self.points(part) {
                guard let other = points.first(where: { $0.minute == point.minute }) else {
                    points.append(point)
                    continue
                }
                if other != point {
                    throw TransferError(
                        .timetableDoubleTime, Day.allCases[point.minute / Self.minutesOfDay].rawValue,
                        Self.clock(point.minute % Self.minutesOfDay))
                }
            }
            guard points.count <= Self.maximumEntries * Day.allCases.count else {
                throw TransferError(.timetableEntriesOfText)
            }
        }
        points.sort { $0.minute < $1.minute }
        entries = Self.entries(points)
        try validate()
    }

    /// The switching points of one entry, one for each day.
    private static func points(_ words: [Substring]) throws(TransferError) -> [Point] {
        var rest = words[...]
        var days = Day.allCases
        if let first = rest.first, first.first?.isNumber == false {
            days = try self.days(first)
            rest = rest.dropFirst()
        }
        guard let time = rest.popFirst() else { throw TransferError(.timetableNoTime, shown(words)) }
        guard let minute = minute(time) else { throw TransferError(.timetableTime, plain(time)) }
        let rates = try self.rates(rest, words)
        return days.map { Point(minute: $0.number * minutesOfDay + minute, rates: rates) }
    }

    /// `mon`, `mon-fri`, `fri-mon`, `sat,sun`.
    private static func days(_ text: Substring) throws(TransferError) -> [Day] {
        var found: Set<Day> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Day(rawValue: String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                throw TransferError(.timetableDays, plain(text))
            }
            let count = (last.number - first.number + 7) % 7
            for step in 0...count { found.insert(Day.allCases[(first.number + step) % 7]) }
        }
        return Day.allCases.filter(found.contains)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]),
            let minute = Int(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func rates(_ rest: ArraySlice<Substring>, _ words: [Substring]) throws(TransferError) -> Rates? {
        if rest == ["off"] { return nil }
        var rates = Rates()
        if rest == ["unlimited"] { return rates }
        guard !rest.isEmpty else { throw TransferError(.timetableNoRate, shown(words)) }
        for word in rest {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw TransferError(.timetableRate, plain(word)) }
            let rate = try TransferRate.parse(plain(parts[1]))
            switch parts[0] {
            case "down" where rates.download == nil: rates.download = rate
            case "up" where rates.upload == nil: rates.upload = rate
            case "down", "up":
                throw TransferError(.timetableDoubleRate, shown(words), String(parts[0]))
            default: throw TransferError(.timetableDirection, plain(word))
            }
        }
        return rates
    }

    /// - Parameter points: ascending.
    private static func entries(_ points: [Point]) -> [Entry] {
        struct Hours: Hashable { var from: Int, to: Int, rates: Rates }
        var order: [Hours] = []
        var days: [Hours: Set<Day>] = [:]
        for (index, point) in points.enumerated() {
            guard let rates = point.rates else { continue }
            let next = points[(index + 1) % points.count].minute
            var (start, left) = (point.minute, distance(from: point.minute, to: next))
            // The only one of the week always applies.
            if left == 0 { left = minutesOfWeek }
            while left > 0 {
                let length = min(left, minutesOfDay)
                let hours = Hours(from: start % minutesOfDay, to: (start + length) % minutesOfDay, rates: rates)
                if days[hours] == nil { order.append(hours) }
                days[hours, default: []].insert(Day.allCases[start / minutesOfDay])
                (start, left) = ((start + length) % minutesOfWeek, left - length)
            }
        }
        return order.map { hours in
            Entry(
                days: Day.allCases.filter { days[hours]?.contains($0) == true }, from: hours.from, to: hours.to,
                download: hours.rates.download, upload: hours.rates.upload)
        }
    }

    private static func shown(_ words: [Substring]) -> String { plain(words.joined(separator: " ")[...]) }

    /// For a message.
    private static func plain(_ text: Substring) -> String {
        String(
            String.UnicodeScalarView(
                text.prefix(60).unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}

extension LimitTimetable {
    // MARK: Writing

    /// One line that ``init(_:)`` parses as an equivalent timetable, possibly with other entries.
    package var text: String {
        var points = boundaries.map { Point(minute: $0, rates: rates(atMinute: $0)) }
        // Unchanged rates need no entry.
        let all = points
        points = all.enumerated().filter { index, point in point.rates != all[(index + all.count - 1) % all.count].rates
        }.map(\.element)
        guard let only = all.first else { return "off" }
        if points.isEmpty {
            guard only.rates != nil else { return "off" }
            points = Day.allCases.map { Point(minute: $0.number * Self.minutesOfDay, rates: only.rates) }
        }
        struct Line: Hashable { var minute: Int, rates: Rates? }
        var order: [Line] = []
        var days: [Line: [Day]] = [:]
        for point in points {
            let line = Line(minute: point.minute % Self.minutesOfDay, rates: point.rates)
            if days[line] == nil { order.append(line) }
            days[line, default: []].append(Day.allCases[point.minute / Self.minutesOfDay])
        }
        return order.map { line in
            [Self.words(days[line] ?? []), Self.clock(line.minute), Self.words(line.rates)].compactMap(\.self).joined(
                separator: " ")
        }.joined(separator: "; ")
    }

    /// - Parameter days: ascending. `nil` for all.
    private static func words(_ days: [Day]) -> String? {
        guard days.count < Day.allCases.count else { return nil }
        var runs: [[Day]] = []
        for day in days {
            if let last = runs.last?.last, day.number == last.number + 1 {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            run.count > 2 ? "\(run[0])-\(run[run.count - 1])" : run.map(\.rawValue).joined(separator: ",")
        }.joined(separator: ",")
    }

    private static func words(_ rates: Rates?) -> String {
        guard let rates else { return "off" }
        let words = [rates.download.map { "down=\(rate($0))" }, rates.upload.map { "up=\(rate($0))" }].compactMap(
            \.self)
        return words.isEmpty ? "unlimited" : words.joined(separator: " ")
    }

    /// Exactly, in the largest unit that fits.
    private static func rate(_ bytes: Int) -> String {
        for (factor, suffix) in [(1_073_741_824, "G"), (1_048_576, "M"), (1024, "k")] where bytes % factor == 0 {
            return "\(bytes / factor)\(suffix)"
        }
        return String(bytes)
    }

    private static func clock(_ minute: Int) -> String {
        "\(minute < 600 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    }
}
