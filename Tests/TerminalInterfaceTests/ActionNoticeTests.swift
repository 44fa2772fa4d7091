// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

/// What keys say about what they did, or why they did nothing.
struct ActionNoticeTests {
    @Test(
        arguments: [
            ("K", 1, nil, "It is the first in the queue already"),
            ("t", 1, nil, "It is the first in the queue already"),
            ("J", 4, nil, "It is the last in the queue already"), ("b", 4, nil, "It is the last in the queue already"),
            ("K", 2, .up, nil), ("t", 4, .top, nil), ("J", 1, .down, nil), ("b", 3, .bottom, nil),
        ] as [(Unicode.Scalar, Int, QueueMove?, String?)])
    func aMoveBeyondAnEndIsRefused(_ key: Unicode.Scalar, _ id: Int, _ place: QueueMove?, _ notice: String?) {
        var state = Samples.queued(4)
        for _ in 1..<id { state.keys(.down) }
        #expect(state.keys(.character(key)) == (place.map { [.perform(.move($0), ids(id))] } ?? []))
        #expect(state.notice?.text == notice)
    }

    @Test func movesOfSeveralSayHowMany() {
        var state = Samples.queued(4)
        state.keys(.character(" "), .character(" "))
        #expect(state.keys(.character("t")).isEmpty)
        #expect(state.notice?.text == "They are the first 2 in the queue already")
        #expect(state.keys(.character("b")) == [.perform(.move(.bottom), ids(1, 2))])
        #expect(state.notice?.text == "Moved 2 transfers to the bottom. U undoes.")
        #expect(state.keys(.character("J")) == [.perform(.move(.down), ids(2, 1))])
        #expect(state.notice?.text == "Moved 2 transfers down. U undoes.")
    }

    /// Its neighbours may not be in the list.
    @Test func aMoveInAFilteredListSaysSo() {
        var state = Samples.queued(30)
        state.setFilter("file2")
        #expect(state.list.selection == ids(2)[0])
        state.keys(.character("K"))
        #expect(state.notice?.text == "Moved up in the whole queue. U undoes.")
        state.keys(.character("b"))
        #expect(state.notice?.text == "Moved to the bottom of the whole queue. U undoes.")
    }

    @Test func aPriorityOfSeveralSaysOfHowMany() {
        var state = Samples.queued(3)
        state.keys(.control("a"), .character("+"))
        #expect(state.notice?.text == "Priority high for 3 transfers. U undoes.")
    }

    @Test func anOrderIsNamedSinceItsColumnMayNotBeShown() {
        var state = Samples.queued(3)
        state.keys(.character("s"), .character("v"))
        #expect(state.notice?.text == "Sorted by server; s q returns to the order of the queue")
        state.keys(.character("s"), .character("s"))
        #expect(state.notice?.text == "Sorted by server, reversed; s q returns to the order of the queue")
        state.keys(.character("s"), .character("q"))
        #expect(state.notice?.text == "In the order of the queue")
        state.keys(.character("s"), .character("p"))
        #expect(state.notice?.text == "Not sorted: no column has the key p")
        state.keys(.character("s"), .escape)
        #expect(state.mode.prompt == nil && state.notice == nil)
    }

    @Test func aQuestionIsNoPause() {
        var state = Samples.asking
        #expect(state.keys(.character("r")).isEmpty)
        #expect(state.notice?.text == "Cannot retry: it asks about a certificate (T decides)")
        #expect(state.keys(.down, .character("r")).isEmpty)
        #expect(state.notice?.text == "Cannot retry: it asks for a login (u logs in)")
    }

    /// With the next problem out of sight, its key leads nowhere.
    @Test func aFilterThatHidesQuestionsIsNamed() {
        var state = Samples.asking
        state.setFilter("zzz")
        for key in ["T", "u"] as [Unicode.Scalar] {
            #expect(state.keys(.character(key)).isEmpty)
            #expect(state.notice?.text == "Nothing is selected: Esc clears the filter")
        }
    }

    @Test func whatHasEndedIsNotUnfinished() {
        var state = Samples.state([Samples.transfer(1, .cancelled)])
        state.setup.canOpen = true
        state.keys(.character("x"))
        #expect(state.notice?.text == "Cannot cancel: it is cancelled already (d removes it from the list)")
        state.keys(.character("o"))
        #expect(state.notice?.text == "Not complete; O opens its folder")
    }

    /// In narrow windows, too, the keys for the file and for the list come before those for marks.
    @Test func finishedTransfersHintTheirOwnKeys() {
        var state = Samples.state([Samples.transfer(1, .completed)])
        state.setup.canOpen = true
        func hints(_ width: Int) -> [Action.Name] { HintLineView.hints(for: state, width: width).map(\.name) }
        #expect(hints(40) == [.forget, .open, .add, .help, .quit])
        #expect(hints(80).contains(.open) && hints(80).contains(.detail) && !hints(200).contains(.erase))
    }

    @Test func theHistoryHintsTheKeyThatRemovesFromIt() {
        var state = Samples.state([])
        state.keys(.character("6"))
        state.receive([HistoryEntry(endedAt: 990, transfer: Samples.transfer(1, .completed))], before: nil, limit: 100)
        #expect(HintLineView.hints(for: state, width: 40).map(\.name).contains(.erase))
    }

    @Test func aPasteThatAddsNothingSaysWhy() {
        var state = Samples.queued(1)
        state.keys(.enter, .paste("https://a.example/"))
        #expect(state.mode.addForm == nil && state.notice?.text == "The details cover the list; Esc closes them")
        state.keys(.escape)
        state.setup.isReadOnly = true
        #expect(state.keys(.paste("https://a.example/")).isEmpty && state.mode.addForm == nil)
        #expect(state.notice?.text == "This screen only watches; another one can change the queue")
    }

    /// No column of a small window shows it.
    @Test func aLimitSaysWhatItIs() {
        var state = Samples.queued(1)
        func limit(_ key: Unicode.Scalar, _ text: String) -> String? {
            state.keys(.character(key), .control("u"))
            state.type(text)
            state.keys(.enter)
            return state.notice?.text
        }
        #expect(limit("l", "300k") == "Limit 300K/s. U undoes.")
        #expect(limit("l", "none") == "No limit, as before.")
        state.limits = QueueLimits(concurrent: 4, isHeld: true)
        let words = "Limits: down 3M/s, up none, 5 slots, 2 per host. U undoes."
        #expect(limit("L", "3M none 5 slots 2 per-host") == words)
        #expect(limit("L", "none") == "Limits: down none, up none, 4 slots, as before.")
        #expect(limit("L", "1 slot") == "Limits: down none, up none, 1 slot. U undoes.")
    }

    /// What is typed is seen.
    @Test(arguments: [
        (100, "Limit down [up] [9 slots, 9 per-host] (none or empty: no limit): 3M 1M"),
        (60, "Limit down [up] [9 slots, 9 per-host]: 3M 1M"), (44, "Limit down [up] [slots]: 3M 1M"),
        (24, "Limit: 3M 1M"),
    ])
    func thePromptForLimitsIsShorterInNarrowWindows(_ columns: Int, _ text: String) {
        var state = Samples.queued(1)
        state.limits = QueueLimits(concurrent: 9, perHost: 9)
        state.resize(columns: columns, rows: 14)
        state.keys(.character("L"))
        state.type("3M 1M")
        func line() -> String { render(state, columns: columns, rows: 14, capabilities: .unicode).text(row: 13) }
        #expect(line().hasPrefix(text + " "), "\(line())")
        state.type(" 7 slots")
        #expect(line().contains(columns < 40 ? "7 slots" : "3M 1M 7 slots"), "\(line())")
    }

    @Test func limitsAreProposedAsTheyAreTyped() throws {
        #expect(RateText.editable(QueueLimits(download: nil, upload: 307_200)) == "none 300k")
        let limits = try RateText.parse("none 300k", into: QueueLimits(download: 1, upload: 1))
        #expect(limits.download == nil && limits.upload == 307_200)
    }
}

struct SelectionTests {
    private func event(_ id: Int, _ state: TransferState) -> QueueUpdate {
        .events([TransferEvent(time: 0, name: .changed, transfer: Samples.transfer(id, state))])
    }

    private var problems: InterfaceState {
        var state = Samples.state([
            Samples.transfer(1, .failed), Samples.transfer(2, .retrying), Samples.transfer(3, .failed),
        ])
        state.keys(.character("3"), .down)
        return state
    }

    /// An attempt takes it out of the problems.
    @Test func whatReturnsIsSelectedAgain() {
        var state = problems
        #expect(state.list.selection == ids(2)[0])
        state.receive(event(2, .running))
        #expect(state.list.visible == ids(1, 3) && state.list.selection == ids(3)[0])
        state.receive(event(1, .failed))
        state.receive(event(2, .retrying))
        #expect(state.list.visible == ids(1, 2, 3) && state.list.selection == ids(2)[0])
    }

    @Test func aKeyMeanwhileDecides() {
        var state = problems
        state.receive(event(2, .running))
        state.keys(.up)
        state.receive(event(2, .retrying))
        #expect(state.list.selection == ids(1)[0])
    }

    @Test func whatIsRemovedIsForgotten() {
        var state = problems
        state.receive(event(2, .running))
        state.receive(.removed(ids(2)))
        #expect(state.list.selection == ids(3)[0] && state.list.departed == nil)
    }
}
