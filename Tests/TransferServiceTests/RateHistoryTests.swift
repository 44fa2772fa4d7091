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
}
