// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct HTTPDateTests {
    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func writesAndReads(seconds: Int64, text: String) {
        #expect(HTTPDate.format(seconds) == text)
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994"])
    func readsObsoleteForms(text: String) { #expect(HTTPDate.parse(text) == 784_111_777) }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    ])
    func readsWhatServersWrite(text: String) { #expect(HTTPDate.parse(text) == 784_111_777) }

    @Test func shortYearIsAtMostFiftyYearsAhead() {
        #expect(HTTPDate.parse("Monday, 01-Jan-73 00:00:00 GMT") == 3_250_454_400)
        #expect(HTTPDate.parse("Monday, 01-Jan-74 00:00:00 GMT") == 126_230_400)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 29 Feb 2100 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 :49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Abc, 06 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func refuses(text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test(
        arguments: [
            ([1994, 11, 6, 8, 49, 37], 784_111_777), ([2000, 2, 29, 0, 0, 0], 951_782_400),
            ([2016, 12, 31, 23, 59, 60], 1_483_228_799),
            ([0, 1, 1, 0, 0, 0], -62_167_219_200), ([9999, 12, 31, 23, 59, 59], 253_402_300_799),
            ([2100, 2, 29, 0, 0, 0], nil),
            ([1994, 0, 6, 0, 0, 0], nil), ([1994, 13, 6, 0, 0, 0], nil), ([1994, 11, 0, 0, 0, 0], nil),
            ([1994, 11, 31, 0, 0, 0], nil),
            ([1994, 11, 6, 24, 0, 0], nil), ([1994, 11, 6, 0, 60, 0], nil), ([1994, 11, 6, 0, 0, 61], nil),
            ([1994, 11, 6, -1, 0, 0], nil),
            ([-1, 1, 1, 0, 0, 0], nil), ([.max, 1, 1, 0, 0, 0], nil),
        ] as [([Int], Int64?)])
    func countsMoments(_ parts: [Int], _ expected: Int64?) {
        #expect(
            HTTPDate.seconds(
                year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
                == expected)
    }

    @Test func yearsWithoutAFormAreClamped() {
        #expect(HTTPDate.format(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}
