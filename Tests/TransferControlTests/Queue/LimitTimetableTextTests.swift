// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@Suite struct LimitTimetableTextTests {
    typealias Day = LimitTimetable.Day
    private static let week: [Day] = [.mon, .tue, .wed, .thu, .fri]

    @Test(
        arguments: [
            ("", []), (" ; ", []), ("off", []), ("08:00 off", []),
            ("08:00 down=512k; 23:00 off", [.init(from: 480, to: 1380, download: 524_288)]),
            ("23:00 down=1M;08:00 off", [.init(from: 1380, to: 480, download: 1_048_576)]),
            (
                "mon-fri 08:00 down=512k up=100k; sat,sun 10:00 off; 23:00 off",
                [.init(days: week, from: 480, to: 1380, download: 524_288, upload: 102_400)]
            ),
            // Goes on until the next entry, over days if need be.
            (
                "mon-fri 9:00 up=1; sat 0:00 off",
                [
                    .init(days: [.mon, .tue, .wed, .thu], from: 540, to: 540, upload: 1),
                    .init(days: [.fri], from: 540, to: 0, upload: 1),
                ]
            ),
            ("fri-MON 18:00 unlimited; 06:00 off", [.init(days: [.mon, .fri, .sat, .sun], from: 1080, to: 360)]),
            ("00:00 down=5", [.init(from: 0, to: 0, download: 5)]),
            ("tue 12:30 up=5", [.init(from: 750, to: 750, upload: 5)]),
            ("08:00 down=1; 08:00 down=1; 09:00 off", [.init(from: 480, to: 540, download: 1)]),
        ] as [(String, [LimitTimetable.Entry])])
    func parsesUserInput(_ text: String, _ entries: [LimitTimetable.Entry]) throws {
        #expect(try LimitTimetable(text).entries == entries)
    }

    @Test(arguments: [
        ("08:00", "timetable: '08:00' says no rate"), ("down=5", "timetable: 'down=5' are no days"),
        ("mon", "timetable: 'mon' has no time"),
        ("24:00 off", "timetable: '24:00' is no time"), ("8 off", "timetable: '8' is no time"),
        ("mon 8:0 off", "timetable: '8:0' is no time"),
        ("+8:00 off", "timetable: '+8:00' are no days"),
        ("mon-tue-wed 08:00 off", "timetable: 'mon-tue-wed' are no days"),
        ("mo 08:00 off", "timetable: 'mo' are no days"), ("mon, 08:00 off", "timetable: 'mon,' are no days"),
        ("08:00 off; mon 08:00 down=1", "timetable: two entries begin on mon at 08:00"),
        ("08:00 down", "timetable: 'down' is no rate"),
        ("08:00 down=1 down=2", "timetable: '08:00 down=1 down=2' says 'down' twice"),
        ("08:00 left=1", "timetable: 'left=1' is neither"), ("08:00 down=0", "rate '0'"), ("08:00 down=", "rate ''"),
        ("08:00 off down=1", "timetable: 'off' is no rate"), ("08:00 \u{1b}[2J", "timetable: '[2J' is no rate"),
        ((0..<1441).map { "\($0 / 60):0 down=\($0 + 1)" }.joined(separator: ";"), "timetable: '0:0' is no time"),
        (
            (0..<240).map { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60) down=\($0 + 1)" }.joined(separator: ";"),
            "timetable: "
        ),
    ])
    func reportsErrors(_ text: String, _ beginning: String) throws {
        let error = #expect(throws: TransferError.self) { try LimitTimetable(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ([], "off"), ([.init(from: 480, to: 480)], "00:00 unlimited"),
            ([.init(from: 480, to: 1380, download: 524_288)], "08:00 down=512k; 23:00 off"),
            (
                [.init(days: week, from: 540, to: 1020, download: 1000, upload: 1_073_741_824)],
                "mon-fri 09:00 down=1000 up=1G; mon-fri 17:00 off"
            ),
            // The first that holds counts.
            (
                [.init(days: [.wed], from: 600, to: 660), .init(from: 0, to: 1440, download: 7)],
                "wed 10:00 unlimited; wed 11:00 down=7"
            ),
            (
                [.init(days: [.sun, .sat, .mon], from: 1439, to: 1, upload: 1)],
                "mon,sat,sun 23:59 up=1; mon,tue,sun 00:01 off"
            ),
        ] as [([LimitTimetable.Entry], String)])
    func printsWhatItParses(_ entries: [LimitTimetable.Entry], _ expected: String) throws {
        let timetable = LimitTimetable(entries: entries)
        let text = timetable.text
        #expect(Set(text.split(separator: "; ")) == Set(expected.split(separator: "; ")))
        try expectSameEffect(timetable, LimitTimetable(text))
    }

    @Test func roundTrips() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<30 {
            let entries = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                LimitTimetable.Entry(
                    days: Day.allCases.filter { _ in Bool.random(using: &random) } + [.wed],
                    from: Int.random(in: 0..<1440),
                    to: Int.random(in: 0...1440), download: Bool.random() ? Int.random(in: 1...9_000_000) : nil,
                    upload: Bool.random() ? 1 << Int.random(in: 0...32) : nil)
            }
            let timetable = LimitTimetable(entries: entries)
            try timetable.validate()
            try expectSameEffect(timetable, LimitTimetable(timetable.text))
        }
    }

    private func expectSameEffect(_ one: LimitTimetable, _ other: LimitTimetable) {
        func rates(_ timetable: LimitTimetable, _ minute: Int) -> [Int?]? {
            timetable.entry(atMinute: minute).map { [$0.download, $0.upload] }
        }
        // Rates change only where an entry begins or ends.
        let entries = one.entries + other.entries
        let bounds: Set<Int> = Set(entries.map(\.from) + entries.map(\.to))
        var minutes: [Int] = []
        for day in 0..<7 {
            for bound in bounds { minutes += (bound - 1...bound + 1).map { (day * 1440 + $0 + 10_080) % 10_080 } }
        }
        let differing = minutes.first { rates(one, $0) != rates(other, $0) }
        #expect(differing == nil, "\(one.entries) → \(one.text)")
    }

    @Test func rejectsTooManyEntries() {
        let entry = LimitTimetable.Entry(from: 0, to: 60)
        #expect(throws: TransferError.self) {
            try LimitTimetable(entries: Array(repeating: entry, count: 201)).validate()
        }
        #expect(throws: Never.self) { try LimitTimetable(entries: Array(repeating: entry, count: 200)).validate() }
    }

    @Test(arguments: [
        (0, 480), (479, 1), (480, 900), (1379, 1), (1380, 540), (10_079, 481),
    ])
    func computesTheNextChange(_ minute: Int, _ minutes: Int) throws {
        #expect(
            try LimitTimetable("08:00 down=1; 12:00 down=1; 23:00 off").minutesUntilChange(after: minute) == minutes)
        #expect(try LimitTimetable("08:00 down=1").minutesUntilChange(after: minute) == nil)
    }
}
