// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// Forms over the list, and what stands behind them.
struct BackdropTests {
    private func form(_ columns: Int = 80) -> InterfaceState {
        var running = Samples.transfer(1, .running, "a.iso", bytes: 10, total: 100)
        running.edit { $0.rate = 5 }
        var state = Samples.state([running])
        state.resize(columns: columns, rows: 24)
        state.keys("a")
        return state
    }

    @Test func standsStillWithoutColours() {
        var state = form()
        let behind = backdrop(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect((0..<24).allSatisfy { row in (0..<80).allSatisfy { behind[row, $0].style == .faint } })
        var later = Samples.transfer(1, .running, "a.iso", bytes: 90, total: 100)
        later.edit { $0.rate = 7000 }
        state.receive(.events([TransferEvent(time: 1000, name: .progress, transfer: later)]))
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode, over: behind)
        #expect(grid.text(row: 3) == behind.text(row: 3) && grid.text(row: 3).contains("a.iso"))
        #expect(grid.text(row: 23).hasPrefix("Enter add  Tab field"))
        // A window of another size needs another one.
        state.resize(columns: 100, rows: 30)
        let wide = render(state, columns: 100, rows: 30, capabilities: .unicode, over: behind)
        #expect(wide.columns == 100 && wide.text(row: 29).hasPrefix("Enter add"))
    }

    @Test func aSilentServiceIsReportedOverIt() {
        var state = form()
        let behind = backdrop(state, columns: 80, rows: 24, capabilities: .unicode)
        state.silence = 12
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode, over: behind)
        #expect(grid.text(row: 22).contains("has not replied for 12 s"))
    }

    @Test func theAddressIsWholeWhereTheWindowHasTheColumns() {
        var state = form(120)
        let address = "https://mirror.example.org/a-folder/a-name-2026-11-28.iso?size=500000&signature=0123456789"
        state.type(address)
        let grid = render(state, columns: 120, rows: 24, capabilities: .unicode)
        #expect((0..<24).contains { grid.text(row: $0).contains(address) })
    }
}

/// Keys that ask before they start something.
struct StartKeyTests {
    @Test func aTimeTakesSevenKeys() {
        var state = Samples.queued(2)
        state.setup.canEdit = true
        state.keys("@")
        state.type("23:30")
        var expected = EditRequest(ids(1))
        expected.start = .at("23:30")
        #expect(state.keys(.enter) == [.edit(expected)] && state.mode.isList)
        state.keys("@")
        state.type("now")
        expected.start = .now
        #expect(state.keys(.enter) == [.edit(expected)])
        state.receive(EditOutcome.failed("'23:3' is no time; write 23:30", .start))
        #expect(state.notice?.isError == true)
    }

    /// The hint says what its key does to one that has not failed.
    @Test func aScheduledOneIsStartedByTheKeyThatRetries() {
        var scheduled = Samples.transfer(1, .queued, "a.iso")
        scheduled.earliestBegin = 1_900_000_000
        let state = Samples.state([scheduled])
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 23).contains("r start now"))
        let failed = render(Samples.failed, columns: 80, rows: 24, capabilities: .unicode)
        #expect(failed.text(row: 23).contains("r retry"))
    }

    @Test func onlyWhatHasNotBegunStartsAtATime() {
        var state = Samples.state([Samples.transfer(1, .running)])
        state.setup.canEdit = true
        #expect(state.keys("@").isEmpty && state.notice?.text == "Cannot start it at a time: it has begun")
    }

    @Test func anExistingFileIsAskedAbout() {
        var taken = Samples.transfer(2, .failed, "disk.iso")
        taken.edit { $0.error = TransferError(.destinationExists, "/home/user/disk.iso: exists already") }
        var state = Samples.state([taken])
        state.resize(columns: 80, rows: 24)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 3).contains("exists already · B both, r replace"))
        #expect(grid.text(row: 21).contains("B keeps both, r replaces it"))
        #expect(state.keys("r") == [.perform(.retry, ids(2))], "a queue that edits nothing")
        state.setup.canEdit = true
        for (key, choice) in [("r", .replace), ("k", .keepBoth), ("s", .skip), ("n", .newer)]
            as [(Key, EditRequest.Existing)]
        {
            state.keys("r")
            #expect(state.mode.prompt?.labels.first?.hasPrefix("disk.iso exists: [r] replace") == true)
            var expected = EditRequest(ids(2))
            expected.existing = choice
            #expect(state.keys(key) == [.edit(expected)] && state.mode.isList)
        }
        state.keys("r")
        #expect(state.keys(.escape).isEmpty && state.mode.isList)
    }

    @Test func oneKeyKeepsBothFiles() {
        var taken = Samples.transfer(2, .failed, "disk.iso")
        taken.edit { $0.error = TransferError(.destinationExists, "/home/user/disk.iso: exists already") }
        var state = Samples.state([taken, Samples.transfer(3, .failed, "missing.bin")])
        state.setup.canEdit = true
        #expect(HintLineView.hints(for: state, width: 80).contains { $0.name == .keepBoth })
        var expected = EditRequest(ids(2))
        expected.existing = .keepBoth
        #expect(state.keys("B") == [.edit(expected)])
        state.keys("j")
        #expect(state.keys("B").isEmpty && state.notice?.text == "Cannot keep both: no file is in its place")
    }

    /// Without its key the row names the question.
    @Test func aRowNamesNoKeyThatThereIsNot() {
        let (map, _) = KeyMap.changed(["keep-both": ["none"]])
        var around = RowText.Surroundings(now: 0, clock: .utc, words: Samples.words)
        around.keys = map.words
        var taken = Samples.transfer(2, .failed, "disk.iso")
        taken.edit { $0.error = TransferError(.destinationExists, "/home/user/disk.iso: exists already") }
        #expect(RowText(taken, around)?.texts.first == "exists already · press r")
    }
}
