// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalInterface
import TransferModel

struct NoticeWatchTests {
    private static let text = Notice(text: "Paused. U undoes.")

    @Test func aNoticeGivesWayToTheHints() {
        var watch = NoticeWatch()
        let none = watch.isOver(nil, at: 100)
        #expect(!none && watch.dueIn(100) == nil)
        for (time, isOver, due) in [(100.0, false, 20.0), (119, false, 1), (120, true, 0), (121, true, 0)] {
            let found = watch.isOver(Self.text, at: time)
            #expect(found == isOver && watch.dueIn(time) == due, "\(time)")
        }
        // Nothing wakes the program once more.
        watch.startAgain()
        #expect(watch.dueIn(121) == nil)
        let gone = watch.isOver(nil, at: 121)
        #expect(!gone && watch.dueIn(121) == nil)
    }

    @Test func anotherNoticeOrKeyBeginsTheTimeAgain() {
        var watch = NoticeWatch()
        let other = Notice(text: "Resumed. U undoes.")
        let found = [(Self.text, 100), (other, 119), (Self.text, 121)].map { watch.isOver($0, at: $1) }
        #expect(found == [false, false, false] && watch.dueIn(121) == NoticeWatch.patience)
        watch.startAgain()
        let after = watch.isOver(Self.text, at: 141)
        #expect(!after && watch.dueIn(141) == NoticeWatch.patience)
    }

    @Test func errorsAndWhatStandsAboveAPromptStay() {
        var state = Samples.asking
        state.keys(.character("Z"))
        #expect(state.notice != nil && state.fleetingNotice == state.notice)
        state.keys(.down, .character("u"))
        #expect(state.notice != nil && state.fleetingNotice == nil)
        state.keys(.escape)
        state.notice = Notice(text: "it broke", isError: true)
        #expect(state.fleetingNotice == nil)
    }
}

struct NoticeViewTests {
    /// Also in a window that has neither totals nor a line below the list.
    @Test(arguments: [24, 14, 8, 7, 4, 3, 2]) func theErrorOfWhatIsTypedIsAboveIt(_ rows: Int) {
        var state = Samples.state([Samples.transfer(1, .running)])
        state.resize(columns: 80, rows: rows)
        state.keys(.character("l"))
        state.type("quick")
        state.keys(.enter)
        let grid = render(state, columns: 80, rows: rows, capabilities: .unicode)
        #expect(state.notice?.isError == true && state.mode.prompt != nil)
        #expect(grid.text(row: rows - 2).contains("quick") && grid.text(row: rows - 1).contains("quick"))
    }
}
