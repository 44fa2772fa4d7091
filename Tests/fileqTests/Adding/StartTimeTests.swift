// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct StartTimeTests {
    /// 2026-11-21T10:00:00Z
    private static let now = 1_795_255_200.0

    @Test(
        arguments: [
            ("+90s", 90), ("+30m", 1800), ("+2h", 7200), ("+2h30m", 9000), ("+1d", 86400), ("+1d12h", 129_600),
            ("10:01", 60), ("23:30", 48_600),
            ("10:00:30", 30), ("09:00", 82_800), ("9:00", 82_800), ("10:00", 86_400), ("today 12:00", 7200),
            ("tomorrow", 50_400), ("tomorrow 08:00", 79_200),
            ("2026-11-21T10:00:01Z", 1), ("2026-11-21t12:00:00.5z", 7200), ("2026-11-21T12:00:00+01:00", 3600),
            ("2026-11-21T09:00:00-01:30", 1800),
            ("2026-11-21 12:00", 7200), ("2026-11-22T10:00", 86_400),
        ] as [(String, Double)])
    func parsesTimes(text: String, after: Double) throws {
        let time = try StartTime.parse(text, now: Self.now, local: .utc)
        #expect(time - Self.now == after)
    }

    @Test func aLeapDayIsADay() throws {
        let time = try StartTime.parse("2028-02-29T12:00:00Z", now: Self.now, local: .utc)
        #expect(LocalTime.utc.day(time) == LocalTime.Day(year: 2028, month: 2, day: 29))
    }

    @Test func hoursAreLocal() throws {
        let tokyo = LocalTime(
            day: { LocalTime.utc.day($0 + 9 * 3600) },
            seconds: { day, clock in LocalTime.utc.seconds(day, clock).map { $0 - 9 * 3600 } })
        // It is 19:00 there.
        #expect(try StartTime.parse("20:00", now: Self.now, local: tokyo) - Self.now == 3600)
        #expect(try StartTime.parse("18:00", now: Self.now, local: tokyo) - Self.now == 23 * 3600)
        #expect(try StartTime.parse("tomorrow", now: Self.now, local: tokyo) - Self.now == 5 * 3600)
        #expect(try StartTime.parse("2026-11-22 00:00", now: Self.now, local: tokyo) - Self.now == 5 * 3600)
        #expect(try StartTime.parse("2026-11-21T11:00:00Z", now: Self.now, local: tokyo) - Self.now == 3600)
    }

    @Test func usesTheSystemTimeZone() throws {
        let day = LocalTime.system.day(Self.now)
        let noon = try #require(LocalTime.system.seconds(day, 43200))
        #expect(LocalTime.system.day(noon) == day)
        #expect(abs(noon - Self.now) <= 86400)
    }

    @Test(arguments: [
        "", " ", "soon", "+", "+2", "+h", "+-2h", "+2h2h", "+5m1h", "+0s", "25:00", "12:60", "1:2", "12",
        "12:00 tomorrow", "today", "tomorrow noon", "yesterday 08:00",
        "2026-13-01T00:00:00Z", "2027-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-22",
        "2026-11-22T10:00:00+25:00", "2026-11-22 10:00 Z", "today 08:00",
        "2020-01-01T00:00:00Z", "+999999999999d", "١٢:٠٠",
    ])
    func rejectsInvalidAndPastTimes(text: String) {
        let error = #expect(throws: TransferError.self) { try StartTime.parse(text, now: Self.now, local: .utc) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix("--at: ") == true)
    }
}
