// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferControl
import TransferModel
@testable import TransferService

@Suite struct RateTimetableTests {
    private static func minute(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Int { day * 1440 + hour * 60 + minute }

    @Test(
        arguments: [
            (minute(0, 7, 59), 7, nil, 60.0), (minute(0, 8), 512, 100, 15 * 3600), (minute(0, 22, 59), 512, 100, 60),
            (minute(0, 23), 7, nil, 9 * 3600),
            // From Friday night to Monday morning.
            (minute(4, 23), 7, nil, 57 * 3600), (minute(6, 23, 59), 7, nil, 8 * 3600 + 60),
        ] as [(Int, Int?, Int?, Double)])
    func theTimetablePrecedesTheUsersRates(
        _ minute: Int, _ download: Int?, _ upload: Int?, _ change: Double
    ) throws {
        let rates = RateTimetable(
            timetable: try LimitTimetable("mon-fri 08:00 down=512 up=100; 23:00 off"),
            limits: QueueLimits(download: 7))
        let time = LocalTime(minuteOfWeek: minute)
        #expect(rates.rates(at: time) == .init(download: download, upload: upload))
        #expect(rates.secondsUntilChange(from: time) == change)
        #expect(rates.secondsUntilChange(from: LocalTime(minuteOfWeek: minute, second: 20.5)) == change - 20.5)
    }

    @Test func neverChangesWithoutEntries() {
        let rates = RateTimetable(timetable: LimitTimetable(), limits: QueueLimits(upload: 3))
        #expect(rates.rates(at: LocalTime(minuteOfWeek: 0)) == .init(download: nil, upload: 3))
        #expect(rates.secondsUntilChange(from: LocalTime(minuteOfWeek: 0)) == nil)
    }

    /// In any time zone, minutes increase by one, and the day is that of the C library.
    @Test(arguments: [0.0, 1_700_000_000, 1_711_846_799.5, 1_711_846_800, 4_000_000_000])
    func theLocalTimeIsThatOfTheMachine(_ time: Double) {
        var seconds = time_t(time.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        let local = LocalTime(of: time)
        #expect((local.minuteOfWeek / 1440 + 1) % 7 == Int(parts.tm_wday))
        #expect(local.minuteOfWeek % 1440 == Int(parts.tm_hour * 60 + parts.tm_min))
        #expect(local.second == Double(parts.tm_sec) + time - time.rounded(.down))
    }
}
