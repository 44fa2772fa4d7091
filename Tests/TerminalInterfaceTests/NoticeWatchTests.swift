// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface

struct NoticeWatchTests {
    private static let text = InterfaceState.Notice(text: "Paused. U undoes.")

    @Test func aNoticeGivesWayToTheHints() {
        var watch = NoticeWatch()
        #expect(!watch.isOver(nil, at: 100) && watch.dueIn(100) == nil)
        #expect(!watch.isOver(Self.text, at: 100) && watch.dueIn(100) == NoticeWatch.patience)
        #expect(!watch.isOver(Self.text, at: 119) && watch.dueIn(119) == 1)
        #expect(watch.isOver(Self.text, at: 120) && watch.dueIn(121) == 0)
        #expect(!watch.isOver(nil, at: 120) && watch.dueIn(120) == nil)
    }

    @Test func anotherNoticeOrKeyBeginsTheTimeAgain() {
        var watch = NoticeWatch()
        #expect(!watch.isOver(Self.text, at: 100))
        #expect(!watch.isOver(InterfaceState.Notice(text: "Resumed. U undoes."), at: 119))
        #expect(watch.dueIn(119) == NoticeWatch.patience)
        #expect(!watch.isOver(Self.text, at: 121))
        watch.keyPressed()
        #expect(!watch.isOver(Self.text, at: 140) && watch.dueIn(140) == NoticeWatch.patience)
    }

    @Test func errorsAndWhatStandsAboveAPromptStay() {
        var state = Samples.asking
        state.keys(.character("Z"))
        #expect(state.notice != nil && state.fleetingNotice == state.notice)
        state.keys(.down, .character("u"))
        #expect(state.notice != nil && state.fleetingNotice == nil)
        state.keys(.escape)
        state.notice = InterfaceState.Notice(text: "it broke", isError: true)
        #expect(state.fleetingNotice == nil)
    }
}
