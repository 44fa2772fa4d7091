// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// RFC 9111, section 4.2. The answer was asked for and came at the same second, `start`.
@Suite struct CacheFreshnessTests {
    typealias Pairs = [(String, String)]
    private static let start = CacheSamples.start

    private static func date(_ offset: Int64) -> String { HTTPDate.format(start + offset) }

    @Test(
        arguments: [
            ([("Cache-Control", "max-age=60")], 60), ([("Cache-Control", "max-age=0")], 0),
            ([("Cache-Control", "max-age=60"), ("Expires", date(900))], 60), ([("Cache-Control", "s-maxage=60")], 0),
            ([("Cache-Control", "max-age=x"), ("Expires", date(900))], 0),
            ([("Cache-Control", "max-age=1, max-age=2")], 0),
            ([("Cache-Control", "max-age=99999999999999999999")], 2_147_483_648),
            ([("Expires", date(900))], 900), ([("Expires", date(900)), ("Date", date(100))], 800),
            ([("Expires", date(-5))], 0),
            ([("Expires", "0")], 0), ([("Expires", "never"), ("Last-Modified", date(-1000))], 0),
            ([("Expires", date(900)), ("Expires", date(1))], 900),
            (
                [("Expires", "Fri, 31 Dec 9999 23:59:59 GMT"), ("Date", "Sat, 01 Jan 0000 00:00:00 GMT")],
                315_569_519_999
            ),
            ([("Last-Modified", date(-1000))], 100), ([("Last-Modified", date(-1000)), ("Date", date(-500))], 50),
            ([("Last-Modified", date(-100_000_000))], 86_400), ([("Last-Modified", date(10))], 0),
            ([("Last-Modified", "x")], 0),
            ([], 0),
        ] as [(Pairs, Int64)]) func readsLifetimes(_ fields: Pairs, _ expected: Int64) throws
    {
        #expect(try CacheSamples.stored(fields).freshnessLifetime == expected)
    }

    @Test func heuristicFreshnessForSomeStatusesOnly() throws {
        let modified = ("Last-Modified", Self.date(-1000))
        #expect(try CacheSamples.stored([modified], status: 404).freshnessLifetime == 100)
        #expect(try CacheSamples.stored([modified], status: 302).freshnessLifetime == 0)
        #expect(try CacheSamples.stored([modified, ("Cache-Control", "public")], status: 302).freshnessLifetime == 100)
    }

    @Test(
        arguments: [
            ([], 0, 0), ([], 30, 30), ([("Age", "100")], 30, 130), ([("Age", "100, 5")], 0, 100),
            ([("Age", "x")], 30, 30),
            ([("Age", "-5")], 30, 30), ([("Age", "99999999999999999999")], 5, 2_147_483_653),
            ([("Date", date(-50))], 30, 80), ([("Date", date(-50)), ("Age", "20")], 30, 80),
            ([("Date", date(-50)), ("Age", "70")], 30, 100),
            ([("Date", date(500))], 30, 30), ([("Date", "x")], 30, 30),
        ] as [(Pairs, Int64, Int64)]) func countsAges(_ fields: Pairs, _ later: Int64, _ expected: Int64) throws
    {
        #expect(try CacheSamples.stored(fields).age(at: Self.start + later) == expected)
    }

    @Test func slowResponsesAreOlder() throws {
        let answer = CachedResponse(
            answering: try CacheSamples.request(), head: try CacheSamples.head(200, [("Age", "5")]), body: [],
            requestTime: Self.start - 10, storedTime: Self.start)
        #expect(answer.age(at: Self.start + 1) == 16)
    }

    @Test func freshnessEndsWithTheSecond() throws {
        let answer = try CacheSamples.stored([("Cache-Control", "max-age=60")])
        #expect(answer.isFresh(at: Self.start + 59))
        #expect(!answer.isFresh(at: Self.start + 60))
        // The clock went back: nothing is known of the time between.
        #expect(!answer.isFresh(at: Self.start - 1))
    }

    @Test func readsTheAgeField() throws {
        let answer = try CacheSamples.stored([("Age", "5"), ("ETag", "\"a\"")])
        #expect(answer.answer(at: Self.start + 7).headerFields[.age] == "12")
        #expect(answer.answer(at: Self.start - 7).headerFields[.age] == "2147483648")
        #expect(answer.answer(at: Self.start).headerFields[.eTag] == "\"a\"")
    }
}
