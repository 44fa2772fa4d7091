// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

struct HelpMenuTests {
    private func help(_ columns: Int = 80, _ rows: Int = 24) -> InterfaceState {
        var state = Samples.queued(3)
        state.resize(columns: columns, rows: rows)
        state.keys("?")
        return state
    }

    private func screen(_ state: InterfaceState, _ capabilities: Capabilities = .unicode) -> [String] {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: capabilities)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test func everyActionIsInOneLine() {
        let names = HelpMenu.rows.flatMap(\.self)
        #expect(Set(names) == Set(Action.Name.allCases) && names.count == Action.Name.allCases.count)
    }

    /// Each key, and the beginning of each word.
    @Test(arguments: [(80, 24), (120, 40), (200, 60)]) func allIsOnOneScreen(_ columns: Int, _ rows: Int) {
        let state = help(columns, rows)
        let text = screen(state).joined(separator: "\n")
        for action in ActionTable.all {
            if let key = action.keys.first { #expect(text.contains(" \(key.label) "), "\(key.label)") }
            #expect(text.contains(action.word.prefix(7)), "\(action.word)")
        }
        let layout = HelpLayout(columns: columns, rows: rows)
        #expect(layout.columns.count == (columns < 120 ? 2 : 3) && layout.height <= layout.body.count)
    }

    /// The chosen one is always on the screen, with what it does.
    @Test(arguments: [(80, 24), (40, 10), (30, 5), (20, 2), (120, 12)], [Capabilities.unicode, .ascii])
    func smallWindowsScroll(_ size: (columns: Int, rows: Int), _ capabilities: Capabilities) {
        var state = help(size.columns, size.rows)
        for _ in 0..<HelpMenu.rows.count {
            let choice = state.mode.helpMenu.flatMap { state.setup.keyMap.action($0.choice) }
            let grid = render(state, columns: size.columns, rows: size.rows, capabilities: capabilities)
            let chosen = (0..<grid.rows).first { row in (0..<grid.columns).contains { grid[row, $0].style.isSelected } }
            #expect(chosen != nil, "\(String(describing: choice?.name))")
            if let choice, size.rows >= 6 {
                let words = screen(state, capabilities).suffix(2).joined(separator: " ").lowercased()
                #expect(words.contains(choice.help.prefix(12).lowercased()))
            }
            state.keys(.down)
        }
        #expect(state.mode.helpMenu?.choice == HelpMenu.rows.last?[0])
    }

    @Test func arrowsChooseAndEnterDoesIt() {
        var state = help()
        #expect(state.mode.helpMenu?.choice == .add)
        state.keys(.down, .down, .right)
        #expect(state.mode.helpMenu?.choice == .openFolder)
        state.keys(.right)
        #expect(state.mode.helpMenu?.choice == .down, "what stands beside it")
        state.keys(.left)
        #expect(state.mode.helpMenu.map { $0.choice == .openFolder || $0.choice == .copy } == true)
        state.keys("p")
        #expect(state.mode.helpMenu?.choice == .pause, "a key chooses, and does nothing else")
        #expect(state.keys(.enter) == [.perform(.pause, ids(1))] && state.mode.isList)
        state.keys("?", "j", "?")
        #expect(state.mode.isList)
    }

    @Test func aRefusalIsSaid() {
        var state = help()
        state.keys("T", .enter)
        #expect(state.mode.isList && state.notice?.text == "Nothing to trust: no certificate needs a decision")
    }

    @Test func wordsAndKeysFilter() {
        var state = help()
        state.keys("/")
        state.type("speed")
        let found = screen(state).filter { $0.contains("limit") }
        #expect(!found.isEmpty && state.mode.helpMenu?.matches(.standard).map(\.name) == [.limit])
        state.keys(.escape)
        #expect(state.mode.helpMenu?.isFiltering == false)
        state.keys("/")
        state.type("failed")
        state.keys(.down, .down, .down, .down, .down, .down)
        let last = state.mode.helpMenu?.matches(.standard).last?.name
        #expect(state.mode.helpMenu?.choice == last)
        state.type("zzz")
        #expect(screen(state).last?.contains("No key does that") == true)
        #expect(state.keys(.enter).isEmpty && state.mode.helpMenu != nil)
        state.keys(.escape, .escape)
        #expect(state.mode.isList)
    }

    @Test func clicksChooseAndDoIt() throws {
        var state = help()
        let row = try #require(screen(state).firstIndex { $0.contains("pause all") })
        let place = try #require(screen(state)[row].firstRange(of: "pause all"))
        let column = screen(state)[row].distance(from: screen(state)[row].startIndex, to: place.lowerBound)
        let click = Key.mouse(Mouse(button: .left, row: row, column: column))
        state.keys(click)
        #expect(state.mode.helpMenu?.choice == .pauseAll)
        #expect(state.keys(click) == [.hold(true)] && state.mode.isList)
    }
}
