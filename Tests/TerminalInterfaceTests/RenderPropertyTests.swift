// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct RenderPropertyTests {
    private static let names = [
        "file", "", "日本語のとても長い名前.tar.gz", "か\u{3099}か\u{3099}", "\u{301}mark first", "🎉🎊", "a\u{1b}]0;x\u{7}b",
        "\u{202e}rtl",
        "Ωμέγα①", "한글.hwp", "e" + String(repeating: "\u{301}", count: 30), "ﾊﾟｽﾀ", "x/y", "\u{fffd}", "👩\u{200d}💻",
    ]

    static func randomState(_ random: inout SeededGenerator) -> InterfaceState {
        var transfers: [Transfer] = []
        for id in 1...Int.random(in: 1...60, using: &random) {
            var transfer = Samples.transfer(
                id, TransferState.allCases.randomElement(using: &random)!, names.randomElement(using: &random)!,
                kind: Bool.random(using: &random) ? .upload : .download,
                bytes: Int64.random(in: -5...9_000_000_000, using: &random),
                total: Bool.random(using: &random) ? nil : Int64.random(in: 0...9_000_000_000, using: &random))
            transfer.edit { $0.rate = Bool.random(using: &random) ? nil : Double.random(in: 0...1e12, using: &random) }
            transfer.edit { $0.eta = [nil, 0, 59, 1e5, 1e9, .infinity, .nan].randomElement(using: &random)! }
            transfer.edit { $0.reason = names.randomElement(using: &random)! }
            transfer.edit { $0.retryAt = Double.random(in: 900...1e6, using: &random) }
            if Bool.random(using: &random) {
                transfer.edit { $0.error = TransferError(.other, names.randomElement(using: &random)!) }
            }
            if Bool.random(using: &random) { transfer.edit { $0.metrics = TransferMetrics() } }
            if Bool.random(using: &random) { transfer.file = "/deep/folder/" }
            transfers.append(transfer)
        }
        var state = Samples.state(transfers)
        state.setup.title = names.randomElement(using: &random)!
        return state
    }

    private static let keys: [Key] =
        ActionTable.all.flatMap(\.keys) + [
            .character("日"), .character("y"), .character("5"), .backspace, .left, .right, .paste("http://例え.jp/\n日本"),
            .tab,
        ]

    @Test func everyRowFillsTheScreen() {
        var random = SeededGenerator(42)
        let all: [Capabilities] = [.unicode, .ascii, Capabilities(text: .withoutAmbiguous, glyphs: .ascii)]
        for _ in 0..<150 {
            var state = Self.randomState(&random)
            for _ in 0..<6 {
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    _ = state.keys(Self.keys.randomElement(using: &random)!)
                }
                let columns = Int.random(in: 1...140, using: &random), rows = Int.random(in: 1...45, using: &random)
                if Bool.random(using: &random) { state.resize(columns: columns, rows: rows) }
                let capabilities = all.randomElement(using: &random)!
                check(
                    render(state, columns: columns, rows: rows, capabilities: capabilities), columns, rows, capabilities
                )
            }
        }
    }

    private func check(_ grid: Grid, _ columns: Int, _ rows: Int, _ capabilities: Capabilities) {
        #expect(grid.columns == columns && grid.rows == rows)
        for row in 0..<rows {
            let text = grid.text(row: row)
            #expect(CellWidth.of(text) == columns)
            #expect(TextSanitizer.clean(text) == text)
            if capabilities.text == .ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
            if capabilities.text == .withoutAmbiguous {
                #expect(!text.unicodeScalars.contains(where: CellWidth.isAmbiguous))
            }
            for column in 0..<columns {
                let glyph = grid[row, column].glyph
                if glyph.isEmpty {
                    #expect(column > 0 && grid.width(row: row, column: column - 1) == 2)
                } else {
                    #expect(CellWidth.of(glyph) == grid.width(row: row, column: column))
                }
            }
        }
        if let cursor = grid.cursor {
            #expect((0..<rows).contains(cursor.row) && (0..<columns).contains(cursor.column))
        }
    }

    @Test func theSelectedRowIsVisible() {
        var random = SeededGenerator(7)
        var state = Samples.queued(200)
        for _ in 0..<500 {
            state.keys(
                [.character("j"), .character("k"), .pageDown, .pageUp, .character("G"), .character("g")].randomElement(
                    using: &random)!)
            if Int.random(in: 0..<10, using: &random) == 0 {
                state.resize(columns: 40, rows: Int.random(in: 1...30, using: &random))
            }
            let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .ascii)
            let name = "file\(state.list.selection?.rawValue ?? 0) "
            #expect(
                (0..<grid.rows).contains {
                    grid.text(row: $0).contains("> - " + name) || grid.text(row: $0).contains(">- " + name)
                })
        }
    }

    /// Only with ASCII, where names of other letters look alike, and where the row has no ID.
    @Test func namesThatLoseCharactersHaveTheirID() {
        let transfers = [
            Samples.transfer(7, .queued, "京都駅.jpg"), Samples.transfer(8, .queued, "naïve.jpg"),
            Samples.transfer(9, .queued, "a\u{1b}b.jpg"),
        ]
        func rows(_ columns: Int, _ capabilities: Capabilities) -> String {
            let grid = render(Samples.state(transfers), columns: columns, rows: 12, capabilities: capabilities)
            return (0..<12).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        let ascii = rows(80, .ascii)
        #expect(ascii.contains(" - 7 ???.jpg ") && ascii.contains(" - naive.jpg ") && ascii.contains(" - a?b.jpg "))
        #expect(rows(120, .ascii).contains(" 7 - ???.jpg "))
        #expect(rows(80, .unicode).contains(" · 京都駅.jpg "))
    }

    @Test func theSelectedRowHasABackgroundAndABoldName() {
        for columns in [50, 80, 120, 200] {
            var state = Samples.mixed
            state.panePlace = .bottom
            let grid = render(state, columns: columns, rows: 24, capabilities: .unicode)
            #expect((0..<columns).allSatisfy { grid[3, $0].style.isSelected })
            #expect(!(0..<columns).contains { grid[4, $0].style.isSelected })
            let name = ColumnLayout(width: columns).name.start
            #expect(grid[3, name].style.isBold && !grid[4, name].style.isBold)
        }
    }

    @Test func dimsOutdatedRows() {
        var state = Samples.mixed
        state.silence = 3
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(
            (2..<80).allSatisfy {
                grid[4, $0].style == .faint || grid[4, $0].style == .plain && grid[4, $0].glyph == " "
            })
        #expect(grid.text(row: 22).hasPrefix("the service has not replied for 3 s "))
        #expect(grid[22, 0].style == .failure)
    }

    /// In every window that holds a name, a reason begins with what matters.
    @Test(arguments: [40, 50, 60, 80, 100, 200]) func failuresSayWhy(_ columns: Int) {
        let grid = render(Samples.failed, columns: columns, rows: 12, capabilities: .unicode)
        #expect(
            grid.text(row: 1).contains(columns >= 50 ? "✗ missing.bin" : "✗ m")
                && grid.text(row: 1).contains(columns >= 50 ? " 404 Not Found" : " 404 "))
        #expect(grid.text(row: 2).contains(columns >= 50 ? " exists already" : " exists"))
        #expect(grid.text(row: 3).contains(columns >= 80 ? "paused · no space left on device" : "no space le"))
        // The cause matters more than the number.
        #expect(grid.text(row: 4).contains([40, 60].contains(columns) ? " in 0:12" : "try 3 in 0:12"))
        #expect(columns < 60 || grid.text(row: 4).contains("connection refused"))
        #expect(grid.text(row: 10).hasPrefix(columns >= 60 ? "404 Not Found: example.org. r retries" : "404 Not Found"))
    }

    @Test func stateIsNotShownByColourOnly() {
        for columns in [30, 50, 80, 120] {
            let rows = TransferState.allCases.map { state in
                let one = Samples.state([Samples.transfer(1, state)])
                return render(one, columns: columns, rows: 10, capabilities: .unicode).text(row: 1)
            }
            #expect(Set(rows).count == rows.count, "\(columns)")
        }
    }
}

struct GridTests {
    @Test func wideCharactersAreNotSplit() {
        var grid = Grid(columns: 6, rows: 1)
        grid.write("日本語", row: 0, column: 0)
        grid.write("x", row: 0, column: 1)
        #expect(grid.text(row: 0) == " x本語")
        grid.write("漢", row: 0, column: 3)
        #expect(grid.text(row: 0) == " x 漢 ")
        grid.write("字字", row: 0, column: 3)
        #expect(grid.text(row: 0) == " x 字 ")
    }

    @Test func nothingIsWrittenOutside() {
        var grid = Grid(columns: 3, rows: 1)
        #expect(grid.write("abcdef", row: 0, column: 1) == 2)
        #expect(grid.write("x", row: 1, column: 0) == 0)
        #expect(grid.write("x", row: -1, column: 0) == 0)
        #expect(grid.write("x", row: 0, column: 9) == 0)
        #expect(grid.write("日", row: 0, column: 2) == 0)
        #expect(grid.text(row: 0) == " ab")
    }
}

struct ColumnLayoutTests {
    @Test func fillsEveryWidthAndKeepsTheName() {
        for width in 1...300 {
            let layout = ColumnLayout(width: width)
            let columns = [
                layout.id, layout.name, layout.server, layout.size, layout.state, layout.rate, layout.left,
                layout.limit,
            ].compactMap(\.self)
            for (left, right) in zip(columns, columns.dropFirst()) { #expect(left.end < right.start, "\(width)") }
            #expect(width < 12 || columns.last?.end == width, "\(width)")
            #expect(width < 12 || layout.name.width >= 6, "\(width)")
        }
    }

    @Test(arguments: [(120, 20), (160, 26), (200, 44), (240, 44), (80, 14), (60, 8), (40, nil)])
    func theBarGrowsWithTheWindow(_ width: Int, _ bar: Int?) { #expect(ColumnLayout(width: width).bar?.width == bar) }

    /// Between the mock-ups of 40 and of 80 columns, too.
    @Test(arguments: [(40, false, 24), (46, false, 30), (47, true, 24), (59, true, 36), (60, true, 27)])
    func theTimeLeftHasAColumnWhereTheNameKeepsItsOwn(_ width: Int, _ hasLeft: Bool, _ name: Int) {
        let layout = ColumnLayout(width: width)
        #expect((layout.left != nil) == hasLeft && layout.name.width == name)
        var running = Samples.transfer(1, .running, bytes: 38, total: 100)
        running.edit { ($0.rate, $0.eta) = (906_240, 271) }
        let row = render(Samples.state([running]), columns: width, rows: 10, capabilities: .unicode).text(row: 1)
        #expect(row.contains("885K/s") && row.contains("4:31") == hasLeft, "\(row)")
    }

    @Test func aReasonHasTheRoomOfTheTimeLeft() {
        var waiting = Samples.transfer(1, .waiting, bytes: 1, total: 10)
        waiting.status = .waiting(NetworkWait(.reported("no DNS"), since: 958))
        let rows = [40, 50].map {
            render(Samples.state([waiting]), columns: $0, rows: 10, capabilities: .unicode).text(row: 1)
        }
        #expect(rows[0].contains(" no DNS") && !rows[0].contains("0:42"), "\(rows)")
        #expect(rows[1].hasSuffix(" waits 0:42 · no DNS"), "\(rows)")
    }

    /// Columns join where the name has enough for itself, and nowhere else it gets narrower.
    @Test func aLargerWindowLeavesTheNameItsWidth() {
        func name(_ width: Int) -> Int { ColumnLayout(width: width).name.width }
        for width in 40...240 {
            let isSame = ColumnLayout(width: width).columns == ColumnLayout(width: width - 1).columns
            // There the state grows.
            let isStep = [40, 60, 80].contains(width)
            #expect(isStep || !isSame || name(width) >= name(width - 1), "\(width)")
            #expect(name(width) >= name(40), "\(width)")
            #expect(width < 80 || name(width) >= name(80) - 2, "\(width)")
        }
        #expect(ColumnLayout(width: 119).server == nil && ColumnLayout(width: 120).server != nil)
    }

    @Test func theNameHasWhatIsLeftBeforeOthersGrow() {
        for (width, name, state, server) in [
            (120, 46, 24, 16), (154, 80, 24, 16), (178, 80, 48, 16), (194, 80, 48, 32),
        ] {
            let layout = ColumnLayout(width: width)
            #expect(layout.name.width == name && layout.state?.width == state && layout.server?.width == server)
        }
        #expect(ColumnLayout(width: 200).name.width == 86)
    }

    /// Whatever a row says, it begins where the percentages do, or behind a bar where the rates do.
    @Test(arguments: [40, 50, 60, 80, 100, 120, 200]) func reasonsHaveOneEdge(_ width: Int) throws {
        var state = Samples.kinds
        state.resize(columns: width, rows: 60)
        let grid = render(state, columns: width, rows: 60, capabilities: .unicode)
        let edge = try #require(ColumnLayout(width: width).state?.start)
        let list = state.layout.list
        for row in list.prefix(18) where width >= 60 {
            #expect(grid[row, edge - 1].glyph == " " && (edge..<edge + 3).contains { grid[row, $0].glyph != " " })
        }
        #expect(!list.contains { grid.text(row: $0).contains("running") })
        let failed = list.filter { row in (0..<12).contains { grid[row, $0].glyph == "✗" } }
        #expect(!failed.isEmpty && failed.allSatisfy { grid[$0, edge].glyph != " " && grid[$0, edge - 1].glyph == " " })
    }
}

struct ScreenLayoutTests {
    /// Rows of the window, and the rows of the list; the other parts appear from the given heights on.
    @Test(arguments: [
        (1, 80, 0..<1), (2, 80, 0..<1), (4, 80, 1..<3), (8, 80, 1..<6), (14, 80, 2..<11), (18, 80, 3..<15),
        (24, 80, 3..<21), (24, 120, 3..<14), (40, 120, 3..<26), (30, 80, 3..<19),
    ])
    func list(_ rows: Int, _ columns: Int, _ list: Range<Int>) {
        #expect(ScreenLayout(columns: columns, rows: rows).list == list)
    }

    @Test func everyRowHasOnePart() {
        for rows in 1...80 {
            for columns in [40, 120] {
                let layout = ScreenLayout(columns: columns, rows: rows)
                let single = [
                    layout.header, layout.views, layout.headings, layout.why, layout.total, layout.bottom,
                ].compactMap(\.self)
                let all = single + Array(layout.list) + Array(layout.pane ?? 0..<0)
                #expect(all.sorted() == Array(0..<rows), "\(columns) x \(rows)")
            }
        }
    }
}

struct PanePlaceTests {
    @Test(
        arguments: [
            (.auto, 120, 40, false), (.auto, 160, 29, true), (.auto, 160, 30, false), (.auto, 159, 24, false),
            (.right, 120, 40, true), (.right, 119, 40, false), (.right, 120, 19, false), (.bottom, 200, 24, false),
        ] as [(PanePlace, Int, Int, Bool)])
    func stands(_ place: PanePlace, _ columns: Int, _ rows: Int, _ isRight: Bool) {
        let layout = ScreenLayout(columns: columns, rows: rows, place: place)
        #expect(layout.isPaneRight == isRight)
        #expect(isRight || layout.listColumns == columns && layout.paneColumns == 0..<columns)
        guard isRight else { return }
        #expect((48...80).contains(layout.paneColumns.count) && layout.paneColumns.upperBound == columns)
        #expect(layout.listColumns == layout.paneColumns.lowerBound - 1)
        #expect(layout.paneText == layout.paneColumns.count - layout.paneInset)
        #expect(layout.why == nil && layout.pane == 2..<rows - 2 && layout.list == 3..<rows - 2)
    }

    @Test func aKeyMovesIt() {
        var state = Samples.kinds
        state.resize(columns: 119, rows: 40)
        state.keys(.character("i"))
        #expect(state.panePlace == .auto && state.notice?.text.contains("too narrow") == true)
        state.resize(columns: 120, rows: 40)
        state.keys(.character("i"))
        #expect(state.layout.isPaneRight && state.notice?.text.contains("pane = \"right\"") == true)
        state.keys(.character("i"))
        #expect(!state.layout.isPaneRight && state.panePlace == .bottom)
    }

    /// The tab under the mouse, and a row beside the details.
    @Test func clicksFindTabsAndRows() throws {
        var state = Samples.kinds
        state.panePlace = .right
        state.resize(columns: 160, rows: 40)
        let grid = render(state, columns: 160, rows: 40, capabilities: .unicode)
        let title = grid.text(row: 2)
        let tab = try #require(title.range(of: "Pieces"))
        let column = CellWidth.of(String(title[..<tab.lowerBound]))
        state.keys(.mouse(Mouse(button: .left, row: 2, column: column)))
        #expect(state.details.tab == .pieces)
        let selected = state.list.selection
        state.keys(.mouse(Mouse(button: .left, row: 8, column: 130)))
        #expect(state.list.selection == selected)
        state.keys(.mouse(Mouse(button: .left, row: 8, column: 30)))
        #expect(state.list.selectedIndex == 5)
    }

    @Test(arguments: ["ascii", "utf8"]) func golden(_ encoding: String) throws {
        var state = Samples.kinds
        state.panePlace = .right
        state.resize(columns: 160, rows: 30)
        let grid = render(
            state, columns: 160, rows: 30, capabilities: encoding == "utf8" ? .unicode : .ascii)
        try ScreenGolden.compare(grid, "paneRight-160x30-\(encoding).txt")
    }
}

struct GraphTests {
    @Test(
        arguments: [(0, 1024), (1, 1), (300, 500), (716_800, 1_048_576), (3_586_129, 5_242_880)] as [(Double, Double)])
    func scales(_ peak: Double, _ top: Double) { #expect(Graph.scale(peak) == top) }

    @Test(
        arguments: [
            (5_242_880, "5M"), (1024, "1K"), (200, "200"), (512_000, "500K"), (1_572_864, "1.5M"), (1_000_000, "977K"),
            (9.96 * 1_048_576, "10M"),
        ] as [(Double, String)])
    func labels(_ scale: Double, _ label: String) { #expect(Graph.label(scale) == label) }

    @Test func drawsTheNewestAtTheRight() {
        let samples: [Double?] = [9, nil, 0, 1, 4, 8]
        #expect(Graph.draw(samples, width: 5, top: 8, .unicode) == " _▁▄█")
        #expect(Graph.draw(samples, width: 8, top: 8, .ascii) == "  # __-#")
        #expect(Graph.draw([100.0], width: 2, top: 8, .unicode) == " █")
        #expect(Graph.draw([Double?](), width: 2, top: 0, .unicode) == "  ")
        #expect(Graph.draw([.infinity, .nan], width: 2, top: 1, .unicode) == "█_")
        let high = [nil, 0, 0.1, 4, 5, 8]
        #expect(Graph.rows(high, width: 7, height: 2, top: 8, .unicode) == ["     ▂█", "  _▁███"])
        #expect(Graph.rows(high, width: 3, height: 2, top: 8, .ascii) == [" .#", "###"])
        #expect(Graph.rows(high, width: 0, height: 2, top: 8, .unicode).isEmpty)
    }
}

struct RowColourTests {
    /// A line is no area, what has ended has none, and the sign in front has the colour.
    @Test func whatHasEndedHasNoBar() {
        let transfers = [
            Samples.transfer(1, .running, "a", bytes: 5, total: 10),
            Samples.transfer(2, .completed, "b", bytes: 5, total: 5),
            Samples.transfer(3, .cancelled, "c", bytes: 5, total: 10),
            Samples.transfer(4, .paused, "d", bytes: 5, total: 10),
            Samples.transfer(5, .failed, "e", bytes: 5, total: 10),
        ]
        func roles(_ glyph: String, _ row: Int, _ capabilities: Capabilities = .unicode) -> Set<Style.Role> {
            let grid = render(Samples.state(transfers), columns: 80, rows: 24, capabilities: capabilities)
            return Set((0..<80).filter { grid[row, $0].glyph == glyph }.map { grid[row, $0].style.role })
        }
        #expect(roles("━", 3) == [.key] && roles("─", 3) == [.track] && roles("↓", 3) == [.key])
        for row in [4, 5, 7] { #expect(roles("━", row).isEmpty && roles("─", row).isEmpty) }
        #expect(roles("✓", 4) == [.done] && roles("–", 5) == [.faint] && roles("✗", 7) == [.failed])
        #expect(roles("━", 6) == [.faint] && roles("‖", 6) == [.faint])
        #expect(roles("=", 3, .ascii) == [.key] && roles("#", 3, .narrow) == [.key] && roles("￬", 3, .narrow) == [.key])
    }

    /// The states that differ without colour.
    @Test func everyStateHasAGlyph() {
        func glyph(_ transfer: Transfer) -> Character { StateGlyph(transfer, now: 1000).character }
        let states = TransferState.allCases.map { glyph(Samples.transfer(1, $0)) }
        #expect(String(states.sorted()) == String("·↓◷↻‖↓✓✗–".sorted()))
        var scheduled = Samples.transfer(1, .queued)
        scheduled.earliestBegin = 1001
        var due = Samples.transfer(1, .queued)
        due.attempt = 2
        #expect(glyph(scheduled) == "◷" && glyph(due) == "↻")
        #expect(glyph(Samples.transfer(1, .running, kind: .upload)) == "↑")
        #expect(Samples.asking.list.order.allSatisfy { Samples.asking.list.transfer($0).map(glyph) == "!" })
    }

    /// Where ambiguous characters are wide, no glyph of the interface is one, and none is a letter of ASCII art alone.
    @Test func narrowTerminalsHaveGlyphsOfTheirOwn() {
        var state = Samples.kinds
        state.resize(columns: 120, rows: 40)
        let grid = render(state, columns: 120, rows: 40, capabilities: .narrow)
        for row in 0..<40 {
            for scalar in grid.text(row: row).unicodeScalars { #expect(!CellWidth.isAmbiguous(scalar), "\(scalar)") }
        }
        #expect(grid.text(row: 4).contains("￬ 夏祭りの動画.mp4"))
    }
}
