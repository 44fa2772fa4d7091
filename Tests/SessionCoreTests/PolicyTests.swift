// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct PolicyTests {
    @Test(arguments: [
        (TransferError(.hostNotResolved, ""), FailureClassifier.Verdict.transient),
        (TransferError(.cannotConnect, "", systemErrno: 101), .waitForConnectivity),
        (TransferError(.cannotConnect, "", systemErrno: 113), .waitForConnectivity),
        (TransferError(.cannotConnect, "", systemErrno: 111), .transient),
        (TransferError(.timedOut, ""), .transient),
        (TransferError(.partialFile, ""), .transient),
        (TransferError(.receiveFailed, ""), .transient),
        (TransferError(.sendFailed, ""), .transient),
        (TransferError(.tlsHandshake, ""), .permanent),
        (TransferError(.tlsHandshake, "", systemErrno: 104), .transient),
        (TransferError(.certificateRefused, ""), .permanent),
        (TransferError(.pinMismatch, ""), .permanent),
        (TransferError(.cannotWrite, "", systemErrno: 28), .pause),
        (TransferError(.cannotWrite, "", systemErrno: 13), .permanent),
        (TransferError(.rangeRefused, ""), .restartFromZero),
        (TransferError(.checksumMismatch, ""), .permanent),
        (TransferError(.tooManyRedirects, ""), .permanent),
    ]) func outcomesMeanOneThing(_ error: TransferError, _ verdict: FailureClassifier.Verdict) {
        #expect(FailureClassifier.verdict(on: error) == verdict)
    }

    @Test(arguments: [(200, nil), (304, nil), (404, .permanent), (408, .transient), (429, .transient), (500, .transient),
                      (501, .permanent), (503, .transient), (507, .permanent), (524, .transient)]
        as [(Int, FailureClassifier.Verdict?)])
    func statusesMeanOneThing(_ status: Int, _ verdict: FailureClassifier.Verdict?) {
        #expect(FailureClassifier.verdict(onStatus: status) == verdict)
    }

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

    @Test func theServersWishGoesFirst() {
        #expect(Backoff().delay(afterFailures: 1, random: 0.1, retryAfter: 90) == 90)
    }

    @Test(arguments: [("\"a\"", "\"a\""), ("W/\"a\"", nil)] as [(String, String?)])
    func weakTagsNeverJoin(_ tag: String, _ condition: String?) {
        #expect(Validator(entityTag: tag, lastModified: "Mon, 01 Jan 2024 00:00:00 GMT").ifRange == condition)
    }
}
