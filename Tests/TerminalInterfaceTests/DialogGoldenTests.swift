// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// Dialogs and tabs of the details as text. `FILEQ_RECORD_GOLDENS=1` in the environment records them again.
struct DialogGoldenTests {
    enum Scene: String, CaseIterable {
        case add, addList, addExisting, addError, addStart, edit, editMoved, editError, editSeveral, pickFiles,
            pickFolder, pickHung, pickFilter
        case tabGraph, tabAttempts, tabLog, tabPieces, tabUpload, tabHeaders

        var state: InterfaceState {
            switch self {
            case .add, .addList, .addExisting, .addError, .addStart: form
            case .edit, .editMoved, .editError, .editSeveral: editing
            case .pickFiles, .pickFolder, .pickHung, .pickFilter: picker
            case .tabGraph, .tabAttempts, .tabLog, .tabPieces, .tabUpload, .tabHeaders: details
            }
        }

        private var form: InterfaceState {
            var state = Samples.kinds
            state.setup.saveFolder = "~/Downloads/"
            state.keys(.character("a"))
            guard self != .add else { return state }
            let addresses =
                self == .addStart
                ? "https://例え.jp/ファイル.zip"
                : (1...200).map { "https://\(["a", "b", "c"][$0 % 3]).example/\($0).zip\n" }.joined()
            state.keys(.paste(addresses))
            var outlook = AddOutlook()
            (outlook.downloads, outlook.servers, outlook.existing) = (200, 3, 2)
            if self != .addStart { _ = state.receive(outlook, serial: state.mode.addForm?.serial ?? 0) }
            switch self {
            case .addList: state.keys(.down, .down, .down)
            case .addExisting: state.keys(.enter)
            case .addError:
                state.keys(.up)
                state.type("md5:日本")
                state.keys(.enter, .enter)
                state.receive(
                    AddOutcome.failed("'md5:日本' is no checksum; write sha256: and 64 hexadecimal digits", .checksum))
            case .addStart:
                state.keys(.down, .down, .down, .down)
                state.type("23:3")
            default: break
            }
            return state
        }

        private var editing: InterfaceState {
            var state = Samples.kinds
            (state.setup.homeFolder, state.setup.canEdit) = ("/home/user", true)
            let name = state.list.order.compactMap { state.list.transfers[$0] }.first { $0.file.hasSuffix("データ.csv") }
            if let name { state.select(name.id) }
            if self == .editSeveral { state.list.marks = Set(state.list.order.prefix(12)) }
            state.keys(.character("e"))
            switch self {
            case .editMoved:
                state.type("2025年春/")
                state.keys(.down, .down, .down, .down)
                state.type("500k")
            case .editError:
                state.keys(.up, .up, .up)
                state.type("fast")
                state.keys(.enter)
                state.receive(EditOutcome.failed("'fast' is no rate; write 500k or 2M, or 'none'", .limit))
            default: break
            }
            return state
        }

        private var picker: InterfaceState {
            var state = Samples.kinds
            (state.setup.homeFolder, state.setup.workingFolder) = ("/home/user", "/home/user/写真")
            state.setup.saveFolder = "~/Downloads/"
            state.now = 1_760_000_000
            state.keys(.paste("https://a.example/inbox/"), .down)
            if self == .pickFolder { state.keys(.down) }
            state.keys(.control("o"))
            guard self != .pickHung else { return state }
            let day = 86400.0
            state.receive(
                Picker.Listing(entries: [
                    .init(name: "2025年春", isFolder: true, modified: state.now - 200 * day),
                    .init(name: "a\u{1b}[2J\u{202e}b", isFolder: true, modified: state.now - 3 * day),
                    .init(name: ".cache", isFolder: true, modified: state.now),
                    .init(name: "socket", isFolder: false, modified: state.now),
                    .init(
                        name: "とても長い名前の写真アルバム（北海道・知床半島）2024年8月.jpg", isFolder: false, size: 812 << 20,
                        modified: state.now - 60),
                    .init(name: "京都駅.jpg", isFolder: false, size: 3 << 20, modified: state.now - 2 * day),
                    .init(name: "empty", isFolder: false, size: 0, modified: state.now - 8 * day),
                ]), serial: 0)
            switch self {
            case .pickFiles: state.keys(.down, .down, .down, .down, .character(" "), .up)
            case .pickFilter:
                state.keys(.character("/"))
                state.type("JPG")
            default: state.keys(.down)
            }
            return state
        }

        private var details: InterfaceState {
            var flaky = Samples.transfer(19, .retrying, "flaky.bin", bytes: 2_097_152, total: 4_910_000)
            flaky.edit { ($0.reason, $0.retryAt, $0.attempt) = ("503 Service Unavailable", 1037, 3) }
            flaky.attempt = 2
            var pieces = Samples.transfer(20, .running, "夏祭りの動画.mp4", bytes: 4_000_000, total: 10_000_000)
            pieces.edit { ($0.rate, $0.eta) = (487_000, 13) }
            var upload = Samples.transfer(
                21, .running, "議事録（最終版）.pdf", kind: .upload, bytes: 7_000_000, total: 10_000_000)
            upload.confirmed = 3_400_000
            upload.uploadProtocol = "ietf-8"
            let shown = self == .tabPieces || self == .tabGraph ? pieces : self == .tabUpload ? upload : flaky
            var state = Samples.state([shown])
            state.now = 900
            let before = Samples.transfer(19, .running, "flaky.bin", bytes: 2_097_152, total: 4_910_000)
            state.receive(.events([TransferEvent(time: 900, name: .changed, transfer: before)]))
            if self == .tabLog {
                state.setup.commandLine = { _ in "pause 19" }
                state.keys(.character("p"))
            }
            state.now = 1000
            state.receive(.events([TransferEvent(time: 1000, name: .changed, transfer: shown)]))
            state.keys(.enter)
            if self == .tabGraph {
                // From 200K/s to 800K/s in waves, with a pause.
                let rates = (0..<60).map { second -> Int64? in
                    (40..<44).contains(second) ? nil : second < 3 ? 0 : 200_000 + Int64(second * 37 % 60) * 10_000
                }
                state.rates.transfer = TransferRates(id: shown.id, series: [.init(step: 1, rates: rates)])
                let all = rates.enumerated().map { ($1 ?? 0) + Int64($0 * 41 % 60) * 20_000 }
                state.rates.downSeries = [.init(step: 1, rates: all)]
                return state
            }
            let presses = self == .tabAttempts ? 1 : self == .tabLog ? 2 : self == .tabHeaders ? 4 : 3
            for _ in 0..<presses { state.keys(.character("]")) }
            _ = state.dueEffects()
            state.receive(info(of: shown))
            return state
        }

        private func info(of transfer: Transfer) -> TransferInfo {
            var metrics = TransferMetrics()
            var exchange = TransactionMetrics(method: "GET", shownURL: "https://example.org/19")
            (exchange.fetchStart, exchange.connectStart, exchange.connectEnd) = (930, 930, 930.075)
            (exchange.requestStart, exchange.requestEnd) = (930.075, 930.076)
            (exchange.responseStart, exchange.responseEnd) = (930.15, 930.195)
            metrics.transactions = [exchange]
            let attempts = [
                TransferAttempt(
                    number: 1, startedAt: 890, endedAt: 921, firstByte: 0, lastByte: 1_258_291,
                    error: TransferError(.receiveFailed, "connection reset")),
                TransferAttempt(
                    number: 2, startedAt: 930, endedAt: 934, firstByte: 1_258_291, lastByte: 2_097_152, status: 503,
                    error: TransferError(.httpStatus, "example.org: 503 Service Unavailable"), metrics: metrics),
            ]
            let ranges = TransferRanges(
                stored: [0..<2_700_000, 4_100_000..<5_400_000],
                requested: [2_700_000..<4_100_000, 5_400_000..<10_000_000])
            return TransferInfo(
                transfer: transfer, attempts: transfer.id.rawValue == 19 ? attempts : [],
                ranges: transfer.id.rawValue == 20 ? ranges : nil,
                heads: TransferHeads(
                    method: "GET", url: "https://example.org/夏/19?token=…",
                    request: [
                        .init(name: "User-Agent", value: "fileq"), .init(name: "Authorization", value: nil),
                        .init(name: "Range", value: "bytes=1258291-"),
                    ], status: 503,
                    response: [
                        .init(name: "Retry-After", value: "60"), .init(name: "Set-Cookie", value: nil),
                        .init(name: "Via", value: "1.1 cache-with-a-long-name.example.org (日本), 1.1 other.example.org"),
                    ]))
        }
    }

    @Test(arguments: Scene.allCases, [(40, 10), (80, 24), (120, 40), (200, 60)])
    func scenes(_ scene: Scene, _ size: (Int, Int)) throws {
        for (encoding, capabilities) in [("utf8", Capabilities.unicode), ("ascii", .ascii)] {
            var state = scene.state
            state.resize(columns: size.0, rows: size.1)
            // At this size the pane has the same tabs.
            if size.1 >= 30, state.overlay == .detail { state.keys(.enter) }
            let grid = render(state, columns: size.0, rows: size.1, capabilities: capabilities)
            try ScreenGolden.compare(grid, "\(scene.rawValue)-\(size.0)x\(size.1)-\(encoding).txt")
        }
    }
}

/// Dialogs and tabs in any window, with names of any kind.
struct DialogPropertyTests {
    private static let names = [
        "file", "日本語のとても長い名前.tar.gz", "か\u{3099}か\u{3099}", "\u{301}mark", "a\u{1b}]0;x\u{7}b", "\u{202e}rtl",
        "👩\u{200d}💻", String(repeating: "夏", count: 4000), "x\ny",
    ]

    @Test(arguments: DialogGoldenTests.Scene.allCases)
    func everyRowFillsTheScreen(_ scene: DialogGoldenTests.Scene) {
        var random = SeededGenerator(7)
        let all: [Capabilities] = [.unicode, .ascii, Capabilities(text: .withoutAmbiguous, glyphs: .ascii)]
        let keys: [Key] = [
            .up, .down, .left, .right, .enter, .tab, .backTab, .pageDown, .home, .end, .character(" "), .character("."),
            .character("/"), .character("r"), .character("日"), .backspace, .paste("https://例え.jp/\n日本"),
            .character("]"),
        ]
        for _ in 0..<40 {
            var state = scene.state
            if state.mode.picker != nil {
                let entries = Self.names.map {
                    Picker.Entry(
                        name: $0, isFolder: Bool.random(using: &random),
                        size: Bool.random(using: &random) ? Int64.max : nil, modified: .nan)
                }
                state.receive(Picker.Listing(entries: entries), serial: state.mode.picker?.serial ?? 0)
            }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                state.keys(keys.randomElement(using: &random)!)
            }
            let columns = Int.random(in: 1...130, using: &random), rows = Int.random(in: 1...45, using: &random)
            state.resize(columns: columns, rows: rows)
            let capabilities = all.randomElement(using: &random)!
            let grid = render(state, columns: columns, rows: rows, capabilities: capabilities)
            for row in 0..<rows {
                let text = grid.text(row: row)
                #expect(CellWidth.of(text) == columns && TextSanitizer.clean(text) == text)
                if capabilities.text == .ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
            }
            if let cursor = grid.cursor {
                #expect((0..<rows).contains(cursor.row) && (0..<columns).contains(cursor.column))
            }
        }
    }
}
