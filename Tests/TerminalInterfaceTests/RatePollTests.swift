// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct RatePollTests {
    @Test func asksWhileTransfersRunAndTwiceAfterwards() {
        var poll = RatePoll()
        func asks(_ time: Double, _ isActive: Bool) -> Bool { poll.asks(at: time, isActive: isActive) }
        #expect([asks(0, false), asks(5, false)] == [true, false])
        #expect(poll.nextRequest(at: 5, isActive: false) == nil)
        #expect([asks(10, true), asks(10.9, true)] == [true, false])
        #expect(abs((poll.nextRequest(at: 10.9, isActive: true) ?? 0) - 0.1) < 0.001)
        #expect([asks(11, true), asks(12, false), asks(13, false), asks(14, false)] == [true, true, true, false])
        #expect(poll.nextRequest(at: 14, isActive: false) == nil)
        poll.wanted()
        #expect([asks(15, false), asks(16, false)] == [true, false])
        // Another transfer: soon, but not with each repeated key.
        poll.wantedSoon(at: 16)
        #expect(asks(16, false))
        poll.wantedSoon(at: 16.03)
        #expect(!asks(16.03, false))
        #expect(asks(16.2, false))
        #expect(poll.nextRequest(at: 17, isActive: false) == nil)
    }

    @Test func followsTheGraphsUntilTheyAreEmpty() {
        var poll = RatePoll()
        _ = poll.asks(at: 0, isActive: true, step: 1)
        let asked = (1...120).filter { poll.asks(at: Double($0), isActive: false, step: $0 < 30 ? 1 : nil) }
        #expect(asked == Array(1..<30))
        #expect(poll.nextRequest(at: 120, isActive: false, step: nil) == nil)
    }

    /// A column of five seconds: not more often, and not longer than 60 of them, whatever the service reports.
    @Test func asksAsOftenAsAGraphHasANewColumn() {
        var poll = RatePoll()
        _ = poll.asks(at: 0, isActive: true, step: 1)
        let asked = (1...1000).filter { poll.asks(at: Double($0), isActive: false, step: 5) }
        #expect(asked.prefix(4) == [1, 2, 7, 12] && asked.last == 307)
        #expect(poll.nextRequest(at: 1000, isActive: false, step: 5) == nil)
    }

    @Test func graphsMoveOnWhileTheyAreNotEmpty() {
        var state = Samples.state([Samples.transfer(1, .paused, "a", bytes: 10, total: 100)])
        state.resize(columns: 80, rows: 24)
        #expect(state.graphStep == nil)
        state.rates.down = [0, 5, 0]
        #expect(state.graphStep == 1)
        state.resize(columns: 50, rows: 24)
        #expect(state.graphStep == nil, "no graph")
        state.resize(columns: 80, rows: 24)
        state.rates.down = [0, 0, 0]
        state.rates.downSeries = [.init(step: 1, rates: [0, 0]), .init(step: 5, rates: [9, 0])]
        state.keys(.enter)
        #expect(state.graphStep == nil, "a minute without a byte")
        state.keys(.character("w"))
        #expect(state.graphStep == 5)
        state.keys(.escape)
        #expect(state.graphStep == nil)
    }

    @Test func theDisplayedRateFollowsTheSamples() throws {
        let steady = RateFacts(RateReport(received: Array(repeating: 600, count: 20), sent: [], limits: .init()))
        #expect(abs((steady.downNow ?? 0) - 600) < 0.001 && steady.upNow == nil)
        let falling = RateFacts(
            RateReport(received: Array(repeating: 600, count: 20) + [0, 0], sent: [], limits: .init()))
        #expect((250...280).contains(try #require(falling.downNow)))
        let silent = RateFacts(
            RateReport(received: Array(repeating: 600, count: 20) + [0, 0, 0], sent: [], limits: .init()))
        #expect(silent.downNow == 0)
    }

    /// The samples of its first second are 0.
    @Test(arguments: [40, 80]) func theFirstLineDoesNotContradictTheList(_ columns: Int) {
        var running = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        running.edit { $0.rate = 2048 }
        var state = Samples.state([running])
        state.rates.downNow = 0
        state.resize(columns: columns, rows: 10)
        let line = render(state, columns: columns, rows: 10, capabilities: .unicode).text(row: 0)
        #expect(line.contains("↓2.00K/s"), "\(line)")
    }

    @Test func ofTheFirstLineOnlyFailuresAreRed() {
        var state = Samples.kinds
        state.resize(columns: 40, rows: 10)
        let grid = render(state, columns: 40, rows: 10, capabilities: .unicode)
        #expect(grid.text(row: 0).hasSuffix("2 FAILED  51"))
        #expect(grid[0, 28].style == .failure && grid[0, 38].style == .faint)
    }
}
