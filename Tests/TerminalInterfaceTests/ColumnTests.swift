// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct ListColumnsTests {
    @Test(arguments: ["name", "id,name:40,size", "folder:3,name,added,confirmed,priority,state:200"])
    func readsWhatItWrites(_ text: String) throws { #expect(try ListColumns(parsing: text).text == text) }

    /// They were columns of their own.
    @Test func percentageAndBarAreParts() throws {
        let text = "name:28,size,progress:20,percent,rate,state"
        #expect(try ListColumns(parsing: text).text == "name:28,size,state:20,rate")
    }

    @Test func spacesDoNotMatter() throws {
        #expect(try ListColumns(parsing: " id, name : 30 ,left").text == "id,name:30,left")
    }

    @Test(arguments: [
        ("", "'' is no column; there are id, name, server"), ("name,", "'' is no column"),
        ("name,sise", "'sise' is no column"), ("Name", "'Name' is no column"), ("size", "'name' must be one of"),
        ("name,size,name", "'name' is there twice"),
        ("name:5", "'name:5' is no column and width; write name:20, with 6 to 200 columns"),
        ("name,size:2", "'size:2' is no column and width; write size:20, with 3 to 200 columns"),
        ("name:201", "'name:201' is no"), ("name:x", "'name:x' is no"), ("name:", "'name:' is no"),
        ("name:4:5", "'name:4:5' is no"), ("name:99999999999999999999", "'name:9"),
    ])
    func mistakesSayWhatIsExpected(_ text: String, _ beginning: String) {
        let mistake = #expect(throws: ListColumns.Mistake.self) { try ListColumns(parsing: text) }
        #expect(mistake?.text.hasPrefix(beginning) == true, "\(mistake?.text ?? "")")
    }

    @Test func changes() {
        var columns = ListColumns([ListColumn.id, .name, .size])
        columns.move(.size, by: -1)
        #expect(columns.text == "id,size,name")
        columns.move(.id, by: -1)
        columns.toggle(.id)
        columns.toggle(.folder)
        columns.toggle(.name)
        #expect(columns.text == "size,name,folder")
        columns.setWidth(5000, of: .folder)
        columns.setWidth(-1, of: .size)
        columns.setWidth(9, of: .rate)
        #expect(columns.text == "size:3,name,folder:200")
        columns.setWidth(3, of: .name)
        #expect(columns[.name]?.width == 6, "still a name")
        columns.setWidth(nil, of: .size)
        #expect(columns[.size]?.width == nil && columns[.rate] == nil)
    }
}

/// Columns that the user has chosen, in any window.
struct ChosenColumnTests {
    private func layout(_ text: String, _ width: Int) throws -> ColumnLayout {
        ColumnLayout(width: width, try ListColumns(parsing: text))
    }

    @Test func theLastGoFirst() throws {
        let text = "name:30,server:30,size,state"
        #expect(try layout(text, 120).columns == [.name, .server, .size, .state])
        #expect(try layout(text, 80).columns == [.name, .server, .size])
        #expect(try layout(text, 70).columns == [.name, .server])
        #expect(try layout(text, 60).columns == [.name])
        #expect(try layout("size,server:50,name", 60).columns == [.size, .name], "the name stays")
        #expect(try layout(text, 59) == ColumnLayout(width: 59), "too narrow for wishes")
    }

    @Test func widthsAreKept() throws {
        let layout = try layout("id:6,name:12,server:9,rate", 120)
        #expect(layout[.id]?.width == 6 && layout.name.width == 12 && layout.server?.width == 9)
        #expect(layout.glyph == 9 && layout.name.start == 11 && layout.rate?.width == 8)
        #expect(try self.layout("name,size:9", 80).name.width == 80 - 2 - 2 - 10)
    }

    @Test func nothingOverlaps() {
        var random = SeededGenerator(11)
        for _ in 0..<400 {
            var columns = ListColumns(ListColumn.allCases.shuffled(using: &random))
            for _ in 0..<8 {
                let column = ListColumn.allCases.randomElement(using: &random)!
                if Bool.random(using: &random) { columns.toggle(column) }
                columns.setWidth(Int.random(in: 1...60, using: &random), of: column)
            }
            let width = Int.random(in: 1...250, using: &random)
            let layout = ColumnLayout(width: width, columns)
            let places = layout.columns.compactMap { layout[$0] }
            #expect(layout.columns.contains(.name) && places.count == layout.columns.count)
            for (left, right) in zip(places, places.dropFirst()) { #expect(left.end < right.start) }
            #expect(width < 12 || places.allSatisfy { $0.end <= width })
            #expect(layout.reason.map { $0.start < $0.end && $0.end <= width } ?? true)
            #expect(layout.bar.map { $0.end == layout.state?.end } ?? true)
        }
    }

    /// A reason stands where figures would, and nowhere else.
    @Test func reasonsLeaveOtherColumns() throws {
        var state = Samples.kinds
        state.resize(columns: 100, rows: 24)
        state.listColumns = try ListColumns(parsing: "rate,left,name:30,size,server,priority")
        let grid = render(state, columns: 100, rows: 24, capabilities: .unicode)
        let missing = try #require((0..<24).map { grid.text(row: $0) }.first { $0.contains("missing.bin") })
        #expect(
            missing.hasPrefix("▌ 404 Not Found   ✗ missing.bin") && missing.contains("example.org")
                && missing.contains("normal"))
        // Running ones have figures there.
        let running = try #require((0..<24).map { grid.text(row: $0) }.first { $0.contains("debian") })
        #expect(running.hasPrefix("    885K/s   4:31 ↓ debian"))
    }

    @Test func headingsSortWhereTheyStand() throws {
        var state = Samples.kinds
        state.resize(columns: 120, rows: 24)
        state.listColumns = try ListColumns(parsing: "added,size,name,rate")
        let grid = render(state, columns: 120, rows: 24, capabilities: .unicode)
        let row = try #require(state.layout.headings)
        for (title, key) in [("ADDED", ListOrder.Key.added), ("SIZE", .size), ("NAME", .name), ("RATE", .rate)] {
            let text = grid.text(row: row)
            let place = try #require(text.range(of: title)).lowerBound
            state.keys(
                .mouse(Mouse(button: .left, row: row, column: text.distance(from: text.startIndex, to: place))))
            #expect(state.list.listOrder?.key == key)
        }
    }
}

/// The blank behind a heading is its edge.
struct ColumnDragTests {
    private func mouse(_ button: Mouse.Button, _ row: Int, _ column: Int) -> Key {
        .mouse(Mouse(button: button, row: row, column: column))
    }

    @Test func edgesSetWidths() throws {
        var state = Samples.kinds
        state.resize(columns: 120, rows: 24)
        let row = try #require(state.layout.headings)
        let server = try #require(ColumnLayout(width: 120).server)
        state.keys(mouse(.left, row, server.end))
        #expect(state.listColumns == nil && state.list.listOrder == nil, "it neither sorts nor changes anything yet")
        state.keys(mouse(.released, 9, server.end + 4))
        #expect(state.listColumns?[.server]?.width == server.width + 4)
        let line = state.listColumns.map { "list-columns = \"\($0.text)\"" }
        #expect(line != nil && state.notice?.text == line.map { "[interface] \($0)" })
        #expect(state.log.entries.last?.text == line.map { "columns: \($0) in [interface] of config.toml keeps them" })
        #expect(ColumnLayout(width: 120, state.listColumns).server?.width == server.width + 4)
        let wider = try #require(ColumnLayout(width: 120, state.listColumns).server)
        state.keys(mouse(.left, row, wider.end), mouse(.released, row, 0))
        #expect(state.listColumns?[.server]?.width == 3)
        let text = state.listColumns?.text
        state.keys(mouse(.left, row, ColumnLayout(width: 120, state.listColumns).name.end))
        state.keys(mouse(.released, row, ColumnLayout(width: 120, state.listColumns).name.end))
        #expect(state.listColumns?.text == text && state.drag == nil, "it was not moved")
    }

    /// What the mouse does until it is released is undone by moving it back.
    @Test func theColumnFollowsTheMouse() throws {
        var state = Samples.kinds
        state.resize(columns: 120, rows: 24)
        let row = try #require(state.layout.headings)
        let name = ColumnLayout(width: 120).name
        func shown() -> ColumnLayout { ColumnLayout(width: 120, state.listColumns) }
        state.keys(mouse(.left, row, name.end))
        for step in [1, 5, -4] {
            state.keys(mouse(.dragged, row + step, name.end + step))
            #expect(shown().name.width == name.width + step && state.notice == nil && state.drag != nil)
            let headings = render(state, columns: 120, rows: 24, capabilities: .unicode).text(row: row)
            let server = try #require(headings.range(of: "SERVER")).lowerBound
            #expect(headings.distance(from: headings.startIndex, to: server) == name.end + step + 1)
        }
        state.keys(mouse(.dragged, row, 0))
        #expect(shown().name.width == 6, "still a name")
        state.keys(mouse(.dragged, row, 119))
        #expect(shown().columns == [.id, .name], "no other has room")
        state.keys(mouse(.dragged, row, name.end), mouse(.released, row, name.end))
        #expect(state.listColumns == nil && state.notice == nil && state.drag == nil, "it is where it was")
        state.keys(mouse(.dragged, row, 9))
        #expect(state.listColumns == nil, "it is not held")
        state.keys(mouse(.left, row, name.end), mouse(.dragged, row, 30), mouse(.left, 5, 30), mouse(.dragged, 5, 40))
        #expect(shown().name.end == 30 && state.drag == nil, "the report of the release was lost")
    }

    @Test func aReleaseAloneDoesNothing() {
        var state = Samples.kinds
        state.keys(.character("E"))
        #expect(state.notice != nil)
        let before = state.notice
        state.keys(mouse(.dragged, 2, 8), mouse(.released, 2, 9))
        #expect(state.notice == before && state.listColumns == nil)
    }
}

/// The line with which columns are changed.
struct ColumnEditorTests {
    private var state: InterfaceState {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        return state
    }

    private func text(_ state: InterfaceState) -> String? { state.listColumns?.text }

    @Test func beginsWithWhatIsOnTheScreen() {
        var state = state
        state.keys(.character("c"))
        #expect(state.mode.column == .name && state.listColumns == nil)
        state.keys(.left, .character(" "))
        #expect(text(state) == "name,size,state,rate,left,priority" && state.mode.column == .priority)
        state.keys(.character(" "))
        #expect(text(state) == "name,size,state,rate,left")
    }

    @Test func movesAndSizes() {
        var state = state
        state.keys(.character("c"), .right, .character("<"), .character("<"))
        #expect(text(state) == "size,name,state,rate,left")
        state.keys(.character("+"), .character("+"), .character("-"))
        #expect(state.listColumns?[.size]?.width == 6)
        state.keys(.character("0"))
        #expect(state.listColumns?[.size]?.width == nil)
        state.keys(.character(">"), .tab, .backTab, .character("d"))
        #expect(state.listColumns == nil && state.mode.column == .name)
        state.keys(.character(" "))
        #expect(state.notice?.text == "The name stays")
        state.keys(.left, .character("+"))
        #expect(state.notice?.text == "Not on the screen; Space shows it")
    }

    @Test func saysHowToKeepThem() {
        var state = state
        state.keys(.character("c"), .enter)
        #expect(state.mode.column == nil && state.notice == nil)
        state.keys(.character("c"), .right, .character(" "), .escape)
        #expect(
            state.notice?.text == "[interface] list-columns = \"name,state,rate,left\"")
        #expect(state.logEntries.last?.text.contains("list-columns = \"name,state") == true)
        // The keys are those of the list again.
        state.keys(.character("j"))
        #expect(state.list.selection?.rawValue == 15)
    }

    @Test func narrowWindowsHaveNone() {
        var state = state
        state.resize(columns: 59, rows: 24)
        state.keys(.character("c"))
        #expect(state.mode.column == nil)
        #expect(state.notice?.text == "The window is too narrow: columns can be chosen in 60 or more")
    }

    @Test func takesNoOtherKeys() {
        var state = state
        state.keys(.character("c"))
        #expect(state.keys(.character("x")).isEmpty && state.notice?.text == "Unknown key; Enter ends")
        #expect(state.keys(.paste("https://a.example/")).isEmpty && state.mode.addForm == nil)
        #expect(state.keys(.control("l")) == [.redraw] && state.keys(.control("z")) == [.suspend])
        state.keys(.mouse(Mouse(button: .left, row: 5, column: 30)))
        #expect(state.list.selection?.rawValue == 14 && state.mode.column == .name)
    }
}
