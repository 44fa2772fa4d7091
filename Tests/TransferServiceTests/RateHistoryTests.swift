// SPDX-License-Identifier: MIT

import Testing
import TransferControl

@testable import TransferService

struct RateHistoryTests {
    @Test func sumsTheBytesOfEachSecond() {
        var history = RateHistory(now: 100.5)
        history.note(3, .received, at: 100.6)
        history.note(4, .received, at: 100.9)
        history.note(5, .sent, at: 101.2)
        history.note(6, .received, at: 104)
        #expect(history.last(60, at: 104.5) == ([7, 0, 0, 0], [0, 5, 0, 0]))
        #expect(history.last(2, at: 106) == ([6, 0], [0, 0]))
        #expect(history.last(0, at: 106).received.isEmpty)
    }

    @Test func ignoresAClockThatStandsAndBytesThatAreNone() {
        var history = RateHistory(now: 5)
        history.note(0, .sent, at: 5)
        history.note(-7, .received, at: 5)
        history.note(1, .received, at: 4)
        #expect(history.last(9, at: 6) == ([1], [0]))
    }

    @Test func staysSmall() {
        var history = RateHistory(now: 0)
        for second in 0..<5000 { history.note(Int64(second), .received, at: Double(second)) }
        let samples = history.last(10_000, at: 5000)
        #expect(samples.received.count >= RateReport.maximumSeconds && samples.received.count <= 1201)
        #expect(samples.received.last == 4999)
        // A long rest costs no more.
        #expect(history.last(10_000, at: 1e9).received.allSatisfy { $0 == 0 })
    }

    @Test func hasMeansOfLongerTimes() {
        var history = RateHistory(now: 0)
        for second in 0..<120 { history.note(10, .received, at: Double(second)) }
        history.note(600, .sent, at: 119)
        let series = history.series(at: 120)
        #expect(series.received.map(\.step) == [1, 5, 60] && series.sent.map(\.step) == [1, 5, 60])
        #expect(series.received[2].rates == [10, 10] && series.sent[2].rates == [0, 10])
        #expect(series.received[0].rates == Array(repeating: 10, count: 60))
        // A second without a byte is no gap.
        #expect(history.series(at: 125).sent[1].rates.suffix(2) == [120, 0])
    }
}
