// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

/// Screens as text. `FILEQ_RECORD_GOLDENS=1` in the environment records them again, for review.
struct RenderGoldenTests {
    enum Scene: String, CaseIterable {
        case queue, marked, detail, help, prompt, refused, question, empty, waiting, waitingDetail, asking, trust,
            trustDetail, password, confirm, silent, failed, kinds, now, grouped, columns, chosenColumns, sorting,
            problems,
            palette, paletteError, log, history, output, watching, batches

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
            case .confirm: state.keys(.control("a"), .character("X"))
            case .silent: state.silence = 12
            case .failed: state = Samples.failed
            case .kinds: state = Samples.kinds
            case .now:
                state = Samples.kinds
                state.keys(.character("1"))
            case .grouped:
                state = Samples.kinds
                state.keys(.character("z"), .character("g"), .down, .down, .left)
            case .columns:
                state = Samples.kinds
                state.keys(.character("c"), .right, .character(" "), .left, .left)
            case .chosenColumns:
                state = Samples.kinds
                state.listColumns = ListColumns([
                    ListColumn.name, .size, .confirmed, .folder, .state, .rate, .left, .priority, .added,
                ])
            case .sorting:
                state = Samples.kinds
                state.keys(.character("s"), .character("n"), .character("s"))
            case .problems:
                state = Samples.kinds
                state.keys(.character("3"))
            case .palette:
                state.setup.vocabulary = CommandLineRunner.vocabulary
                state.keys(.character(":"))
                state.type("set 1 --")
                state.keys(.tab, .tab)
            case .paletteError:
                state.setup.vocabulary = CommandLineRunner.vocabulary
                state.keys(.character(":"))
                state.type("set 17 --limit 日本")
                state.keys(.enter)
                state.receive(
                    CommandOutcome(error: "--limit: '日本' is no rate; use 500k, 2M, or 'none'"), of: "set 17 --limit 日本")
            case .log:
                state.setup.commandLine = CommandText.line
                state.keys(.character("p"), .down, .character("x"))
                for change in [
                    Samples.transfer(1, .paused, "夏休み.zip"), Samples.transfer(3, .completed, "c.bin"),
                    Samples.transfer(30, .queued, "new.iso"),
                ] { state.receive(.events([TransferEvent(time: 0, name: .changed, transfer: change)])) }
                state.receive(UndoneCommand(command: "cancel", performedAt: 1000, ids: ids(2)))
                state.keys(.character("7"))
            case .history:
                state.keys(.character("6"))
                var cancelled = Samples.transfer(
                    38, .cancelled, "old.tar", kind: .upload, bytes: 6 << 20, total: 12 << 20)
                (cancelled.uploadProtocol, cancelled.confirmed) = ("ietf-8", 6 << 20)
                let ended = [
                    Samples.transfer(40, .completed, "読んで.txt", bytes: 4096, total: 4096),
                    Samples.failed.snapshot.transfers[0], cancelled,
                ]
                let entries = ended.enumerated().map { index, transfer in
                    var transfer = transfer
                    let end = 990 - Double(index) * 90_000
                    transfer.edit { $0.endedAt = end }
                    return HistoryEntry(endedAt: end, transfer: transfer)
                }
                state.receive(entries, before: nil, limit: HistoryList.page)
            case .output:
                state.receive(CommandOutcome(lines: ["id          3", "address     https://例え.jp/", ""]), of: "info 3")
            case .watching:
                state.setup.isReadOnly = true
                state.keys(.character("x"))
            case .batches:
                var transfers = Samples.kinds.snapshot.transfers
                for index in transfers.indices {
                    let batch: (id: String, name: String)? = [("1", "夏休みの写真"), nil, ("2", "mirror.txt")][index % 3]
                    transfers[index].batch = batch.map { TransferBatch(id: $0.id, name: $0.name) }
                }
                state = Samples.state(transfers)
                state.keys(.character("1"), .character("g"), .enter)
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

    /// The pictures of the documentation, and of every width of the layout.
    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)], ["utf8", "narrow", "ascii"])
    func kinds(_ size: (Int, Int), _ encoding: String) throws { try compare(.kinds, size, encoding) }

    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)], ["utf8", "narrow", "ascii"])
    func now(_ size: (Int, Int), _ encoding: String) throws { try compare(.now, size, encoding) }

    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)], ["utf8", "ascii"])
    func grouped(_ size: (Int, Int), _ encoding: String) throws { try compare(.grouped, size, encoding) }

    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)], ["utf8", "ascii"])
    func columns(_ size: (Int, Int), _ encoding: String) throws {
        try compare(.columns, size, encoding)
        try compare(.chosenColumns, size, encoding)
    }

    /// One letter for each cell: its meaning, in capitals if bold, `.` if plain.
    @Test func styles() throws {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let letters: [Style.Role: String] = [
            .plain: ".", .key: "k", .upload: "u", .waits: "w", .failed: "f", .done: "d", .faint: "g", .track: "t",
        ]
        let lines = (0..<24).map { row in
            (0..<80).map { column in
                let style = grid[row, column].style
                let letter = letters[style.role] ?? "?"
                return style.isBold ? (letter == "." ? "B" : letter.uppercased()) : letter
            }.joined() + (grid[row, 79].style.isSelected ? " selected" : "")
        }
        try ScreenGolden.compare(lines.joined(separator: "\n") + "\n", "kinds-80x24-styles.txt")
    }

    /// One letter for each cell: its colour of 16 (`k`: the bright black of faint text), in capitals if bold; `d`: dim;
    /// `i`: reversed.
    @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 60)], [Theme.Depth.basic, .none])
    func looks(_ size: (Int, Int), _ depth: Theme.Depth) throws {
        for scene in [Scene.kinds, .now, .problems, .history, .log, .trust] { try compareLooks(of: scene, size, depth) }
    }

    private func compareLooks(of scene: Scene, _ size: (Int, Int), _ depth: Theme.Depth) throws {
        var state = scene.state
        state.resize(columns: size.0, rows: size.1)
        let grid = render(state, columns: size.0, rows: size.1, capabilities: .unicode)
        let letters = [-1: ".", 1: "r", 2: "g", 3: "y", 5: "m", 6: "c", 8: "k"]
        let lines = (0..<size.1).map { row in
            (0..<size.0).map { column in
                let look = Theme.dark.look(of: grid[row, column].style, depth)
                #expect(look.background == -1 && (depth != .none || look.foreground == -1))
                let letter = letters[look.foreground] ?? "?"
                if look.isReversed { return look.isBold ? "I" : "i" }
                if look.isDim { return "d" }
                return look.isBold ? (letter == "." ? "B" : letter.uppercased()) : letter
            }.joined()
        }
        let name = depth == .none ? "none" : "16"
        try ScreenGolden.compare(
            lines.joined(separator: "\n") + "\n", "\(scene.rawValue)-\(size.0)x\(size.1)-\(name).txt")
    }

    @Test(arguments: Scene.allCases.filter { $0 != .queue }, [(50, 12), (80, 24)])
    func scenes(_ scene: Scene, _ size: (Int, Int)) throws { try compare(scene, size, "utf8") }

    /// The views, and what covers them.
    @Test(
        arguments: [Scene.problems, .history, .log, .help, .palette, .trust],
        [(40, 10), (80, 24), (120, 40), (200, 60)])
    func views(_ scene: Scene, _ size: (Int, Int)) throws {
        for encoding in ["utf8", "ascii"] { try compare(scene, size, encoding) }
    }

    @Test(arguments: [(30, 8), (20, 4), (200, 50), (12, 2), (6, 1)])
    func extremes(_ size: (Int, Int)) throws { try compare(.queue, size, "utf8") }

    private static let capabilities: [String: Capabilities] = ["utf8": .unicode, "narrow": .narrow]

    private func compare(_ scene: Scene, _ size: (Int, Int), _ encoding: String) throws {
        var state = scene.state
        state.resize(columns: size.0, rows: size.1)
        let grid = render(state, columns: size.0, rows: size.1, capabilities: Self.capabilities[encoding] ?? .ascii)
        try ScreenGolden.compare(grid, "\(scene.rawValue)-\(size.0)x\(size.1)-\(encoding).txt")
    }
}
