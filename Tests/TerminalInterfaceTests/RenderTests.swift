// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// Screens as text. `FILEQ_RECORD_GOLDENS=1` in the environment records them again, for review.
struct RenderGoldenTests {
    enum Scene: String, CaseIterable {
        case queue, marked, detail, help, prompt, refused, question, empty, waiting, waitingDetail, asking, trust,
            trustDetail, password, confirm, silent, failed

        var state: InterfaceState {
            var state = Samples.mixed
            switch self {
            case .queue: break
            case .marked: state.keys(.character("j"), .character(" "), .character("j"), .character(" "))
            case .detail: state.keys(.down, .down, .down, .down, .enter)
            case .help: state.keys(.character("?"))
            case .prompt:
                state.keys(.character("a"))
                state.type("https://例え.jp/ファイル.zip")
                state.keys(.left, .left, .left, .left)
            case .refused:
                state.keys(.character("l"))
                state.type("fast")
                state.keys(.enter)
            case .question:
                state.ask(.quit, text: "3 transfers are running; quit and keep them for the next run? y/n ")
            case .asking: state = Samples.asking
            case .trust:
                state = Samples.asking
                state.keys(.character("T"))
            case .trustDetail:
                state = Samples.asking
                state.keys(.enter)
            case .password:
                state = Samples.asking
                state.keys(.down, .character("u"))
                state.type("alice")
                state.keys(.enter)
                state.type("geheim")
                state.keys(.left)
            case .confirm: state.keys(.control("a"), .character("x"))
            case .silent: state.silence = 12
            case .failed: state = Samples.failed
            case .empty: state = Samples.state([])
            case .waiting: state = Samples.waiting
            case .waitingDetail:
                state = Samples.waiting
                state.keys(.enter)
            }
            return state
        }
    }

    @Test(arguments: [(40, 10), (80, 24), (120, 40)], ["utf8", "ascii"])
    func queue(_ size: (Int, Int), _ encoding: String) throws { try compare(.queue, size, encoding) }

    @Test(arguments: Scene.allCases.filter { $0 != .queue }, [(50, 12), (80, 24)])
    func scenes(_ scene: Scene, _ size: (Int, Int)) throws { try compare(scene, size, "utf8") }

    @Test(arguments: [(30, 8), (20, 4), (200, 50), (12, 2), (6, 1)])
    func extremes(_ size: (Int, Int)) throws { try compare(.queue, size, "utf8") }

    private func compare(_ scene: Scene, _ size: (Int, Int), _ encoding: String) throws {
        var state = scene.state
        state.resize(columns: size.0, rows: size.1)
        let grid = render(state, columns: size.0, rows: size.1, capabilities: encoding == "utf8" ? .unicode : .ascii)
        var lines = (0..<grid.rows).map { grid.text(row: $0) + "|" }
        if let cursor = grid.cursor { lines.append("cursor: row \(cursor.row), column \(cursor.column)") }
        let text = lines.joined(separator: "\n") + "\n"
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Goldens/\(scene.rawValue)-\(size.0)x\(size.1)-\(encoding).txt")
        if ProcessInfo.processInfo.environment["FILEQ_RECORD_GOLDENS"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == golden, "\(file.lastPathComponent)")
    }
}

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
        state.title = names.randomElement(using: &random)!
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
            let name = "file\(state.selection?.rawValue ?? 0) "
            #expect(
                (0..<grid.rows).contains {
                    grid.text(row: $0).contains("> v " + name) || grid.text(row: $0).contains(">v " + name)
                })
        }
    }

    @Test func selectionDoesNotInvertBars() {
        for columns in [50, 80, 120, 200] {
            let grid = render(Samples.mixed, columns: columns, rows: 24, capabilities: .unicode)
            let cells = (0..<columns).map { grid[1, $0] }
            #expect(cells.contains { $0.style.attributes.contains(.reverse) })
            for cell in cells where "▕▏▎▍▌▋▊▉█·".contains(cell.glyph) {
                #expect(!cell.style.attributes.contains(.reverse), "\(columns)")
            }
            #expect(!(0..<columns).contains { grid[2, $0].style.attributes.contains(.reverse) })
        }
    }

    @Test func dimsOutdatedRows() {
        var state = Samples.mixed
        state.silence = 3
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(
            (2..<80).allSatisfy {
                grid[2, $0].style == .faint || grid[2, $0].style == .plain && grid[2, $0].glyph == " "
            })
        #expect(grid.text(row: 22).hasPrefix("the service has not replied for 3 s "))
        #expect(grid[22, 0].style == .failure)
    }

    /// In every window that holds a name, a reason begins with what matters.
    @Test(arguments: [40, 50, 60, 80, 100, 200]) func failuresSayWhy(_ columns: Int) {
        let grid = render(Samples.failed, columns: columns, rows: 12, capabilities: .unicode)
        #expect(grid.text(row: 1).contains(columns >= 50 ? "failed 404 Not Found" : "FAIL 404 Not Found"))
        #expect(grid.text(row: 2).contains("exists already"))
        #expect(grid.text(row: 3).contains("no space left"))
        #expect(
            grid.text(row: 4).contains(columns >= 80 ? "retrying in 12s (attempt 3): connection refused" : "in 12s"))
        if columns >= 100 { #expect(grid.text(row: 2).contains("exists already; use --overwrite to replace it")) }
    }

    @Test func stateIsNotShownByColourOnly() {
        for state in TransferState.allCases {
            let one = Samples.state([Samples.transfer(1, state)])
            for columns in [30, 50, 80, 120] {
                let row = render(one, columns: columns, rows: 10, capabilities: .unicode).text(row: 1)
                #expect(row.contains(StateText.word(state)) || row.contains(StateText.short(state)))
            }
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

struct RowLayoutTests {
    @Test func fillsEveryWidthAndKeepsTheName() {
        for width in 1...300 {
            let layout = RowLayout(width: width)
            let parts = [layout.bar, layout.percent, layout.state, layout.rate, layout.eta, layout.size].filter {
                $0 > 0
            }
            let used = layout.lead + 2 + layout.name + parts.reduce(0) { $0 + $1 + 1 }
            #expect(used == width || layout.name == 0)
            #expect(width < 12 || layout.name >= 6)
        }
    }

    @Test(arguments: [(120, 20), (80, 12), (60, 10), (50, 8), (40, 0)])
    func barShrinksWithTheWindow(_ width: Int, _ bar: Int) { #expect(RowLayout(width: width).bar == bar) }
}
