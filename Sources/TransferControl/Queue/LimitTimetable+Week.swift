// SPDX-License-Identifier: MIT

/// The week as a ring of minutes, counted from Monday's first.
extension LimitTimetable {
    static let minutesOfDay = 1440
    static let minutesOfWeek = 7 * minutesOfDay

    /// The entry that applies in a minute of the week, 0..<10080, if any.
    package func entry(atMinute minute: Int) -> Entry? {
        entries.first { entry in
            entry.days.contains { Self.distance(from: entry.start(on: $0), to: minute) < entry.length }
        }
    }

    /// The rates in force at one moment.
    struct Rates: Hashable {
        var download: Int?
        var upload: Int?
    }

    /// `nil` if no entry applies.
    func rates(atMinute minute: Int) -> Rates? {
        entry(atMinute: minute).map { Rates(download: $0.download, upload: $0.upload) }
    }

    /// From a minute of the week to the next change of rates: 1..<10080; `nil` if there is none.
    package func minutesUntilChange(after minute: Int) -> Int? {
        let present = rates(atMinute: minute)
        let ahead = boundaries.map { Self.distance(from: minute, to: $0) }.filter { $0 > 0 }.sorted()
        return ahead.first { rates(atMinute: (minute + $0) % Self.minutesOfWeek) != present }
    }

    /// Minutes of the week in which an entry begins or ends, ascending.
    var boundaries: [Int] {
        var found: Set<Int> = []
        for entry in entries {
            for day in entry.days {
                let start = entry.start(on: day)
                found.formUnion([start, (start + entry.length) % Self.minutesOfWeek])
            }
        }
        return found.sorted()
    }

    /// Forward, around the week; 0 for the same minute.
    static func distance(from start: Int, to end: Int) -> Int { (end - start + minutesOfWeek) % minutesOfWeek }
}

extension LimitTimetable.Day {
    /// 0 for Monday.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension LimitTimetable.Entry {
    func start(on day: LimitTimetable.Day) -> Int { day.number * LimitTimetable.minutesOfDay + from }

    /// Duration in minutes, 1…1440.
    var length: Int { to > from ? to - from : to - from + LimitTimetable.minutesOfDay }
}
