// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface
@testable import fileq

struct MouseTests {
    private func at(_ row: Int, _ column: Int) -> Key { .mouse(Mouse(button: .left, row: row, column: column)) }

    /// 80 × 24: header, views, headings, list from row 3.
    @Test func clicksSelectOpenAndMark() {
        var state = Samples.queued(50)
        state.keys(at(5, 20))
        #expect(state.list.selection?.rawValue == 3 && state.overlay == nil)
        state.keys(at(5, 20))
        #expect(state.overlay == .detail)
        state.keys(.escape, at(4, 1))
        #expect(state.list.selection?.rawValue == 2 && state.list.marks == Set(ids(2)))
        state.keys(at(4, 0))
        #expect(state.list.marks.isEmpty)
    }

    @Test func theWheelMovesAndScrolls() {
        var state = Samples.queued(50)
        state.keys(.mouse(Mouse(button: .wheelDown, row: 9, column: 9)))
        #expect(state.list.selection?.rawValue == 4)
        state.keys(.mouse(Mouse(button: .wheelUp, row: 9, column: 9)))
        #expect(state.list.selection?.rawValue == 1)
        state.receive(CommandOutcome(lines: (1...100).map(String.init)), of: "list")
        state.keys(.mouse(Mouse(button: .wheelDown, row: 9, column: 9)))
        #expect(state.overlayTop == 3 && state.list.selection?.rawValue == 1)
    }

    @Test func everyTabHeadingAndHintIsWhereItIsDrawn() throws {
        for (columns, rows) in [(80, 24), (120, 40), (60, 20)] {
            var state = Samples.kinds
            state.resize(columns: columns, rows: rows)
            let grid = render(state, columns: columns, rows: rows, capabilities: .unicode)
            let layout = state.layout
            let tabs = grid.text(row: try #require(layout.views))
            let done = try #require(tabs.range(of: "5 D"))
            state.keys(at(layout.views ?? 0, tabs.distance(from: tabs.startIndex, to: done.lowerBound)))
            #expect(state.list.view == .done)
            state.keys(at(layout.views ?? 0, 0))
            #expect(state.list.view == .now)
            state.keys(.character("2"))
            // Names in front are narrow, so characters are columns.
            let headings = String(grid.text(row: try #require(layout.headings)))
            let name = try #require(headings.range(of: "NAME"))
            state.keys(at(layout.headings ?? 0, headings.distance(from: headings.startIndex, to: name.lowerBound)))
            #expect(state.list.listOrder == ListOrder(key: .name))
            state.keys(at(layout.headings ?? 0, headings.distance(from: headings.startIndex, to: name.lowerBound)))
            #expect(state.list.listOrder?.isReversed == true)
            let hints = grid.text(row: rows - 1)
            let help = try #require(hints.range(of: "? help"))
            state.keys(at(rows - 1, hints.distance(from: hints.startIndex, to: help.lowerBound)))
            #expect(state.mode.helpMenu != nil)
        }
    }

    /// It hides the hints, so that no one of them is meant.
    @Test func aClickOnANoticeOnlyTakesItAway() throws {
        var state = Samples.queued(3)
        let hints = render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 23)
        let help = try #require(hints.range(of: "? help"))
        let click = at(23, hints.distance(from: hints.startIndex, to: help.lowerBound))
        state.keys(.character("Z"))
        #expect(state.notice != nil)
        state.keys(click)
        #expect(state.notice == nil && state.mode.isList)
        state.keys(click)
        #expect(state.mode.helpMenu != nil)
    }

    @Test func tabsOfTheDetailsAreWhereTheyAreDrawn() throws {
        for (rows, isPane) in [(24, false), (40, true)] {
            var state = Samples.state([Samples.transfer(7, .running, "夏祭り.mp4", bytes: 1, total: 2)])
            state.resize(columns: 80, rows: rows)
            if !isPane { state.keys(.enter) }
            for tab in [DetailTab.pieces, .headers, .attempts, .log, .info] {
                let grid = render(state, columns: 80, rows: rows, capabilities: .unicode)
                let row = try #require((0..<rows).first { grid.text(row: $0).contains("Attempts") })
                let text = grid.text(row: row)
                let start = try #require(text.range(of: tab.title)).lowerBound
                state.keys(at(row, CellWidth.of(String(text[..<start]))))
                #expect(state.details.tab == tab)
            }
            let tab = state.details.tab
            state.keys(at(3, 79))
            #expect(state.details.tab == tab)
        }
    }

    private func rightAt(_ row: Int, _ column: Int) -> Key { .mouse(Mouse(button: .right, row: row, column: column)) }

    /// 80 × 24: the third row of the list is row 5.
    @Test func aRightClickListsTheKeysOfTheRow() throws {
        var state = Samples.queued(50)
        #expect(state.keys(rightAt(5, 20)).isEmpty)
        #expect(state.list.selection?.rawValue == 3 && state.overlay == nil)
        let menu = try #require(state.mode.rowMenu)
        #expect(menu.actions.first == .detail && menu.actions.contains(.pause) && !menu.actions.contains(.forget))
        let shown = try place("pause", state)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: shown.row).contains("│ p    pause"))
        // A click on a line, Enter, and the key itself do the same.
        var other = state
        #expect(other.keys(at(shown.row, shown.column)) == [.perform(.pause, ids(3))] && other.mode.rowMenu == nil)
        other = state
        for _ in 0..<(menu.actions.firstIndex(of: .pause) ?? 0) { other.keys(.down) }
        #expect(other.keys(.enter) == [.perform(.pause, ids(3))])
        other = state
        #expect(other.keys(.character("p")) == [.perform(.pause, ids(3))] && other.mode.rowMenu == nil)
        // Elsewhere it closes, and the click does nothing else.
        other = state
        #expect(other.keys(at(5, 1)).isEmpty && other.mode.rowMenu == nil && other.list.marks.isEmpty)
        other = state
        #expect(other.keys(.escape).isEmpty && other.mode.rowMenu == nil)
        // The row is gone: its keys are not those of the next one.
        state.receive(.removed(ids(3)))
        #expect(state.mode.rowMenu == nil)
    }

    @Test func aRightClickBesideTheRowsDoesNothing() {
        var state = Samples.queued(3)
        for row in [0, 1, 2, 9, 23] { #expect(state.keys(rightAt(row, 20)).isEmpty && state.mode.rowMenu == nil) }
        state.keys(.character("a"), rightAt(4, 20))
        #expect(state.mode.rowMenu == nil && state.mode.addForm != nil)
        state = Samples.queued(3)
        state.setup.isReadOnly = true
        state.keys(rightAt(4, 20))
        #expect(state.mode.rowMenu?.actions.contains(.pause) == false)
        // In small windows the lines scroll.
        state = Samples.queued(3)
        state.resize(columns: 40, rows: 6)
        state.keys(rightAt(1, 20))
        for _ in 0..<30 { state.keys(.down) }
        let last = state.mode.rowMenu.map { $0.actions.count - 1 }
        #expect(state.mode.rowMenu?.choice == last && last != nil)
        #expect(render(state, columns: 40, rows: 6, capabilities: .unicode).rows == 6)
    }

    @Test func noClickAnswersAQuestion() {
        var state = Samples.queued(3)
        state.keys(.control("a"), .character("X"))
        #expect(state.keys(at(3, 20)).isEmpty && state.mode.prompt != nil)
    }

    /// Where a text is drawn.
    private func place(_ text: String, _ state: InterfaceState) throws -> (row: Int, column: Int) {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
        let row = try #require((0..<grid.rows).first { grid.text(row: $0).contains(text) }, "\(text)")
        let line = grid.text(row: row)
        return (row, CellWidth.of(String(line[..<(try #require(line.range(of: text)).lowerBound)])))
    }

    /// Clicks on the first cell of a text.
    @discardableResult
    private func click(_ text: String, _ state: inout InterfaceState) throws -> [Effect] {
        let place = try place(text, state)
        return state.keys(at(place.row, place.column))
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 40)])
    func clicksInTheForm(_ size: (Int, Int)) throws {
        var state = Samples.kinds
        (state.setup.workingFolder, state.setup.saveFolder) = ("/home/user", "~/Downloads/")
        state.resize(columns: size.0, rows: size.1)
        state.keys(.paste("https://a.example/1.zip"))
        try click("Limit", &state)
        #expect(state.mode.addForm?.active == .limit)
        state.type("2M")
        #expect(state.mode.addForm?.request.limit == "2M")
        let effects = try click("high", &state)
        #expect(state.mode.addForm?.active == .priority && state.mode.addForm?.request.priority == "high")
        #expect(effects.contains { if case .lookAhead = $0 { true } else { false } })
        let start = try place("at… paused", state)
        state.keys(at(start.row, start.column + 4))
        #expect(state.mode.addForm?.request.start == .paused)
        let again = try click("‹paused›", &state)
        #expect(again.isEmpty, "it is chosen already")
        try click("~/Downloads", &state)
        #expect(state.mode.addForm?.active == .folder && state.mode.picker == nil)
        // The first hint of its kind is that of the files.
        let pick = try click("Enter picks", &state)
        #expect(pick == [.list("/home/user", 0)] && state.mode.picker?.purpose == .files)
        state.keys(.escape)
        try click("Esc", &state)
        #expect(state.mode.addForm == nil)
    }

    @Test func hintsOfDialogsAreTheirKeys() throws {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        state.keys(.paste("https://a.example/1.zip"))
        var outlook = AddOutlook()
        (outlook.downloads, outlook.existing) = (1, 1)
        _ = state.receive(outlook, serial: state.mode.addForm?.serial ?? 0)
        let asked = try click("Enter add", &state)
        #expect(asked.isEmpty && state.mode.addForm?.phase == .asking)
        // A question is not answered by a field, but by what names its key.
        try click("Limit", &state)
        #expect(state.mode.addForm?.phase == .asking && state.mode.addForm?.active == .addresses)
        guard case .add(let request)? = try click("k keep both", &state).first else {
            Issue.record("nothing is added")
            return
        }
        #expect(request.existing == .keepBoth && state.mode.addForm?.phase == .adding)
        try click("Limit", &state)
        #expect(state.mode.addForm?.active == .addresses, "it is being added")
    }

    @Test func clicksInThePicker() throws {
        var state = Samples.kinds
        state.setup.workingFolder = "/home/user"
        state.resize(columns: 80, rows: 24)
        state.keys(.paste("https://a.example/inbox/"), .down, .enter)
        let entries: [Picker.Entry] =
            [.init(name: "folder", isFolder: true)]
            + (1...30).map { .init(name: "file\($0)", isFolder: false, size: 9, modified: 0) }
        state.receive(Picker.Listing(entries: entries), serial: 0)
        try click("file3", &state)
        #expect(state.mode.picker?.current?.name == "file3")
        let mark = try place("file5", state)
        state.keys(at(mark.row, mark.column - 2))
        #expect(state.mode.picker?.marks.map(\.path) == ["/home/user/file5"])
        #expect(state.mode.picker?.current?.name == "file5")
        state.keys(at(mark.row, mark.column - 2))
        #expect(state.mode.picker?.marks.isEmpty == true)
        state.keys(.mouse(Mouse(button: .wheelDown, row: 5, column: 5)))
        #expect(state.mode.picker?.current?.name == "file8")
        state.keys(.mouse(Mouse(button: .wheelUp, row: 5, column: 5)), .home)
        let opened = try click("folder/", &state)
        #expect(opened == [.list("/home/user/folder", 1)], "it is selected already")
        state.receive(Picker.Listing(entries: Array(entries.dropFirst())), serial: 1)
        let above = try click("← up", &state)
        #expect(above == [.list("/home/user", 2)])
        state.receive(Picker.Listing(entries: entries), serial: 2)
        try click("file2", &state)
        try click("file2", &state)
        #expect(state.mode.picker == nil && state.mode.addForm?.request.files == ["~/file2"])
    }

    @Test func clicksOnProposals() throws {
        var state = Samples.kinds
        state.setup.vocabulary = CommandLineRunner.vocabulary
        state.resize(columns: 80, rows: 24)
        state.keys(.character(":"))
        state.type("set 1 --")
        let typed = try #require(state.mode.palette).proposals(on: state)
        #expect(typed.count >= 1)
        try click(try #require(typed.first).text, &state)
        #expect(state.mode.palette?.editor.text.hasPrefix("set 1 " + (typed.first?.text ?? "?")) == true)
        state.keys(at(0, 5), at(23, 5))
        #expect(state.mode.palette?.editor.text.hasPrefix("set 1 " + (typed.first?.text ?? "?")) == true)
    }

    @Test func anywhereInAnyDialog() {
        var random = SeededGenerator(12)
        for scene in DialogGoldenTests.Scene.allCases {
            for _ in 0..<30 {
                var state = scene.state
                state.resize(
                    columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...45, using: &random))
                for _ in 0..<4 {
                    state.keys(at(Int.random(in: 0...45, using: &random), Int.random(in: 0...140, using: &random)))
                }
                let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
                #expect(CellWidth.of(grid.text(row: 0)) == state.columns)
            }
        }
    }

    @Test func anywhereOnAnyWindow() {
        var random = SeededGenerator(11)
        for _ in 0..<300 {
            var state = RenderPropertyTests.randomState(&random)
            state.resize(columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...45, using: &random))
            for _ in 0..<4 {
                let place = (Int.random(in: 0...45, using: &random), Int.random(in: 0...140, using: &random))
                state.keys(at(place.0, place.1))
            }
            #expect(state.list.visible.isEmpty == !state.list.hasSelection)
        }
    }
}
