// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct CompactTimeTests {
    @Test(
        arguments: [
            (0, "19700101 00:00:00", "1970-01-01"), (-1, "19691231 23:59:59", "1969-12-31"),
            (784_111_777, "19941106 08:49:37", "1994-11-06"), (951_782_400, "20000229 00:00:00", "2000-02-29"),
            (253_402_300_799, "99991231 23:59:59", "9999-12-31"),
        ] as [(Int64, String, String)])
    func writesAndReads(seconds: Int64, stamp: String, day: String) throws {
        #expect(CompactTime.stamp(seconds) == stamp)
        #expect(CompactTime.parseStamp(stamp) == seconds)
        #expect(CompactTime.day(seconds) == day)
        let midnight = try #require(CompactTime.parseDay(day))
        #expect((0..<86_400).contains(seconds - midnight))
    }

    @Test(arguments: [
        "", "20261122", "20261122 00:00", "20261122T00:00:00", "20260230 00:00:00", "20261322 00:00:00",
        "20261122 24:00:00", "20261122 00:61:00", "-0261122 00:00:00", "20261122 00:00:00 ", "２0261122 00:00:00",
    ])
    func refusesStamps(text: String) { #expect(CompactTime.parseStamp(text) == nil) }

    @Test(arguments: ["", "2026-11", "20261122", "2026-02-30", "2026-00-01", "2026-11-22 ", "2026/11/22"])
    func refusesDays(text: String) { #expect(CompactTime.parseDay(text) == nil) }
}
