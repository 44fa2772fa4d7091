// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct PolicyTests {
    @Test(arguments: [(1, 1.0), (2, 2.0), (3, 4.0), (6, 32.0), (7, 60.0), (1000, 60.0)])
    func backoffDoublesToItsCeiling(_ failures: Int, _ window: Double) {
        let backoff = Backoff()
        #expect(backoff.delay(afterFailures: failures, random: 1) == window)
        #expect(backoff.delay(afterFailures: failures, random: 0) == 0)
        #expect(backoff.delay(afterFailures: failures, random: 0.5) == window / 2)
    }

    @Test func backoffGrowsByItsFactor() {
        let backoff = Backoff(base: 60, ceiling: 3600, factor: 4)
        #expect((1...6).map { backoff.delay(afterFailures: $0, random: 1) } == [60, 240, 960, 3600, 3600, 3600])
    }

    @Test func retryAfterTakesPrecedence() {
        #expect(Backoff().delay(afterFailures: 1, random: 0.1, retryAfter: 90) == 90)
    }

    @Test(arguments: [("\"a\"", "\"a\""), ("W/\"a\"", nil)] as [(String, String?)])
    func weakTagsNeverJoin(_ tag: String, _ condition: String?) {
        #expect(Validator(entityTag: tag, lastModified: "Mon, 01 Jan 2024 00:00:00 GMT").ifRange == condition)
    }
}
