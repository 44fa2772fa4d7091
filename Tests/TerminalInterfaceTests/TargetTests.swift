// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

/// Which transfers a key concerns.
struct TargetTests {
    @Test func aFilterSelectsItsFirstMatch() {
        var state = Samples.queued(40)
        state.keys(.character("G"), .character("/"))
        state.type("file1")
        #expect(state.list.visible.count == 11 && state.list.selection == ids(1)[0])
        state.keys(.escape, .character("G"), .character("/"))
        state.type("file4")
        #expect(state.list.visible.count == 2 && state.list.selection == ids(40)[0], "what it shows stays selected")
        state.keys(.escape, .character("z"), .character("G"), .character("/"))
        state.type("file1")
        #expect(state.list.selection == ids(1)[0] && state.list.selectedGroup == nil)
    }

    @Test func limitsWhatHasNotEnded() {
        var limited = Samples.transfer(3, .queued)
        limited.rateLimit = 5
        var state = Samples.state([
            Samples.transfer(1, .running), Samples.transfer(2, .completed), limited, Samples.transfer(4, .failed),
        ])
        state.keys(.control("a"), .character("l"))
        #expect(state.mode.prompt?.labels[0].hasPrefix("Limit for 2 ") == true)
        state.type("10k")
        #expect(state.keys(.enter) == [.perform(.limit(10240), ids(1, 3))])
        #expect(state.notice?.text == "Limit 10K/s for 2 transfers. U undoes.")
        state.keys(.character("l"))
        state.type("none")
        #expect(state.keys(.enter) == [.perform(.limit(nil), ids(1, 3))])
        #expect(state.notice?.text == "No limit for 2 transfers. U undoes.")
    }

    @Test func thePromptForLimitsHasThoseOfServers() {
        var state = Samples.queued(1)
        state.limits = QueueLimits(concurrent: 6, perHost: 2)
        state.keys(.character("L"))
        #expect(state.mode.prompt?.labels.first == "Limit down [up] [6 slots, 2 per-host] (none or empty: no limit): ")
    }

    /// Its row says that it asks, not that it is paused.
    @Test func whatAsksIsNotCountedAsPausedAlready() throws {
        let asks = try #require(Samples.asking.list.transfers[ids(2)[0]])
        #expect(asks.state == .paused && asks.question != nil)
        func notice(_ others: Transfer...) -> String? {
            var state = Samples.state([Samples.transfer(1, .running), asks] + others)
            state.keys(.control("a"))
            #expect(state.keys(.character("p")) == [.perform(.pause, ids(1))])
            return state.notice?.text
        }
        #expect(notice() == nil)
        #expect(notice(Samples.transfer(3, .paused)) == "Paused 1; 1 was paused already. U undoes.")
    }
}
