// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// When the queue is asked for details, and which tab is shown.
struct DetailTabTests {
    private func state(rows: Int = 24) -> InterfaceState {
        var running = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        running.edit { $0.rate = 5 }
        var state = Samples.state([running, Samples.transfer(2, .paused, "b", bytes: 3, total: 9)])
        state.resize(columns: 80, rows: rows)
        return state
    }

    private func due(_ state: inout InterfaceState) -> [Effect] { state.dueEffects() }

    private func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }

    @Test func tabsGoRound() {
        var state = state()
        #expect(state.keys(.character("]")).isEmpty && state.details.tab == .info)
        #expect(state.notice?.text == "No details are shown; Enter shows them")
        state.keys(.enter, .character("]"))
        #expect(state.details.tab == .attempts)
        state.keys(.character("["), .character("["))
        #expect(state.details.tab == .headers)
        state.keys(.character("]"))
        #expect(state.details.tab == .info)
        // A pane has them without Enter.
        state = self.state(rows: 40)
        state.keys(.character("]"))
        #expect(state.details.tab == .attempts)
    }

    /// Rate and time left would be those of the last byte.
    @Test(arguments: [(5000, true), (10_000, false)])
    func whatAwaitsTheServerHasNoTimeLeft(_ bytes: Int64, _ isMoving: Bool) {
        var upload = Samples.transfer(1, .running, "a.pdf", kind: .upload, bytes: bytes, total: 10_000)
        upload.edit { ($0.rate, $0.eta) = (2_700_000, 0) }
        var state = Samples.state([upload])
        state.now += 2
        state.keys(.enter)
        let labels = DetailView.lines(of: state).map { $0.spans.first?.text ?? "" }
        for label in ["Speed", "Time left"] {
            #expect(labels.contains { $0.hasPrefix(label) } == isMoving, "\(label)")
        }
    }

    @Test func saysWhenItWasAddedAndEnded() {
        var transfer = Samples.transfer(1, .completed, "a", bytes: 5, total: 5)
        transfer.addedAt = 1_000_000
        transfer.status = .completed(.init(at: 2_000_000, duration: 2))
        var state = Samples.state([transfer])
        state.now = 2_000_100
        state.keys(.enter)
        let lines = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        for (label, text) in [("Added ", " 1970-01-12 13:46"), ("Ended ", " 03:33")] {
            #expect(lines.contains { $0.hasPrefix(label) && $0.hasSuffix(text) }, "\(lines)")
        }
    }

    @Test(arguments: [(0.002, "2.0 ms"), (0.5, "500 ms"), (9.5, "9.5 s"), (25.056, "0:25"), (91.2, "1:31")])
    func longTimesAreNoMilliseconds(_ seconds: Double, _ text: String) {
        var transfer = Samples.transfer(1, .completed, "a", bytes: 5, total: 5)
        var metrics = TransferMetrics()
        metrics.total = seconds
        transfer.edit { $0.metrics = metrics }
        var state = Samples.state([transfer])
        state.keys(.enter)
        let lines = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        #expect(lines.contains { $0.hasPrefix("Times ") && $0.hasSuffix(" total \(text)") }, "\(lines)")
    }

    @Test func onlyATabThatNeedsDetailsAsksForThem() {
        var state = state()
        state.keys(.enter)
        #expect(due(&state).isEmpty)
        state.keys(.character("]"))
        #expect(due(&state) == [.inform(id(1))])
        #expect(due(&state).isEmpty, "a reply is awaited")
        state.receive(TransferInfo(transfer: state.list.transfers[id(1)]!))
        #expect(state.detailInfo != nil && due(&state).isEmpty, "nothing has changed")
    }

    @Test func aMovingTransferIsAskedForOnceASecond() {
        var state = state()
        state.keys(.enter, .character("]"))
        _ = due(&state)
        state.receive(TransferInfo(transfer: state.list.transfers[id(1)]!))
        func move() {
            var moved = state.list.transfers[id(1)]!
            moved.bytes += 1
            state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: moved)]))
        }
        move()
        #expect(due(&state).isEmpty)
        state.now += 1
        #expect(due(&state) == [.inform(id(1))])
        state.now += 1
        move()
        #expect(due(&state).isEmpty, "a reply is awaited")
        state.now += 10
        #expect(due(&state) == [.inform(id(1))], "it may be lost")
    }

    @Test func anotherSelectionIsAskedForAtOnce() {
        var state = state()
        state.keys(.enter, .character("]"))
        _ = due(&state)
        state.keys(.down)
        #expect(due(&state) == [.inform(id(2))])
        state.receive(TransferInfo(transfer: state.list.transfers[id(1)]!))
        #expect(state.detailInfo == nil, "the reply for the other one comes too late")
        state.detailsRefused(id(2))
        #expect(state.detailInfo == nil && due(&state).isEmpty)
    }

    /// In the details over the list, and in a pane.
    @Test(arguments: [24, 40]) func attemptsBeginAtTheirEnd(_ rows: Int) throws {
        var state = state(rows: rows)
        if rows == 24 { state.keys(.enter) }
        state.keys(.character("]"))
        let attempts = (1...60).map {
            TransferAttempt(number: $0, startedAt: Double($0), endedAt: Double($0) + 1, firstByte: 0, lastByte: 0)
        }
        _ = due(&state)
        state.receive(TransferInfo(transfer: try #require(state.list.transfers[id(1)]), attempts: attempts))
        func screen() -> String {
            let grid = render(state, columns: 80, rows: rows, capabilities: .unicode)
            return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        #expect(screen().contains("60  00:01:00") && !screen().contains(" 1  00:00:01"))
        for _ in 0..<20 { state.keys(rows == 24 ? .pageUp : .control("u")) }
        #expect(screen().contains(" 1  00:00:01"))
        // Another tab begins at its top.
        state.keys(.character("]"), .character("["))
        #expect(screen().contains("60  00:01:00"))
    }

    @Test func anAttemptThatHasNotBegunHasNoNumber() {
        var queued = Samples.transfer(1, .queued)
        queued.attempt = 2
        #expect(DetailTabs.titles(of: queued, .info, room: 80).hasPrefix("[Info]  Attempts  Log"))
        queued.status = .running()
        #expect(DetailTabs.titles(of: queued, .info, room: 80).hasPrefix("[Info]  Attempts 2  Log"))
    }

    @Test func itsCommandsAreInItsLog() {
        var state = state()
        state.setup.commandLine = { _ in "pause 1" }
        state.keys(.character("p"), .enter, .character("]"), .character("]"))
        let lines = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        #expect(lines.contains { $0.contains("$ fileq pause 1") })
        state.keys(.down)
        let others = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        #expect(others.last == "nothing since this screen was opened")
    }
}

/// The details below the list.
struct DetailPaneTests {
    private func text(_ state: InterfaceState) -> String {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
        return (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test func saysThatMoreFollows() throws {
        var transfer = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        transfer.confirmed = 5
        transfer.rateLimit = 5
        transfer.addedAt = 500
        // The list needs its rows.
        let others = (2...20).map { Samples.transfer($0, .queued, "b\($0)") }
        var state = Samples.state([transfer] + others)
        state.resize(columns: 80, rows: 30)
        let count = DetailView.lines(of: state, columns: 79, inPane: true).count
        let pane = try #require(state.layout.pane)
        try #require(count > pane.count - 1)
        #expect(text(state).contains("\n Lines 1–\(pane.count - 2) of \(count); Ctrl-D shows more"))
        #expect(!text(state).contains("Added         00:08"))
        state.keys(.control("d"), .control("d"), .control("d"))
        #expect(text(state).contains(" of \(count); Ctrl-U goes back") && text(state).contains("Added         00:08"))
        // Another one begins at its top.
        state.keys(.down, .up)
        #expect(text(state).contains("Added         00:08"))
        state.keys(.down, .control("u"))
        #expect(state.paneTop == 0)
        state.resize(columns: 80, rows: 60)
        #expect(!text(state).contains("Lines 1"))
        state.keys(.control("d"))
        #expect(state.notice?.text == "All details of this tab are shown")
        state.resize(columns: 80, rows: 24)
        state.keys(.control("d"))
        #expect(state.notice?.text == "No details are shown; Enter shows them")
    }
}

/// A short list leaves rows to the details below it.
struct PaneHeightTests {
    private func state(_ count: Int, columns: Int = 120, rows: Int = 40) -> InterfaceState {
        var transfer = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        (transfer.confirmed, transfer.rateLimit, transfer.priority) = (5, 5, 0.75)
        (transfer.uploadProtocol, transfer.httpStatus, transfer.addedAt) = ("tus-1.0.0", 200, 900)
        let others = (1...max(1, count)).dropFirst().map { Samples.transfer($0, .queued, "b\($0)") }
        var state = Samples.state([transfer] + others)
        state.resize(columns: columns, rows: rows)
        return state
    }

    /// Rows of the list, which has 23 beside a pane of twelve.
    @Test(arguments: [(2, true), (18, true), (22, true), (23, false), (90, false)])
    func growsByWhatTheListDoesNotNeed(_ count: Int, _ isTaller: Bool) throws {
        let state = state(count)
        let usual = try #require(state.usualLayout.pane)
        let pane = try #require(state.layout.pane)
        let lines = DetailView.lines(of: state, columns: state.paneText(state.layout), inPane: true).count
        try #require(usual.count == 12 && lines > 11)
        #expect(pane.count == max(12, min(lines + 1, 35 - count)))
        #expect((pane.count > 12) == isTaller && pane.upperBound == usual.upperBound)
        #expect(state.layout.list == 3..<pane.lowerBound && state.pageRows >= min(count, 23))
        let grid = render(state, columns: 120, rows: 40, capabilities: .unicode)
        let text = (0..<40).map { grid.text(row: $0) }
        let isCut = text.contains { $0.contains("Lines 1–") }
        #expect(text[pane.lowerBound].contains(" 1 a ") && isCut == (lines > pane.count - 1))
        #expect(state.canScrollPane == isCut)
    }

    @Test func whatHasFewLinesStaysSmall() {
        var state = state(3)
        let columns = state.paneText(state.usualLayout)
        state.keys(.character("]"), .character("]"), .character("]"), .character("]"))
        #expect(DetailView.lines(of: state, columns: columns, inPane: true).count < 11)
        #expect(state.layout == state.usualLayout)
        // Nor does one beside the list change.
        state.panePlace = .right
        state.keys(.character("]"))
        #expect(state.layout.isPaneRight && state.layout == state.usualLayout)
    }
}

/// The graph of the selected transfer.
struct RateGraphTests {
    private func state(_ rates: [Int64?], transfer: Transfer? = nil, columns: Int = 120) -> InterfaceState {
        var running = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        running.edit { $0.rate = 900 }
        var state = Samples.state([transfer ?? running, Samples.transfer(2, .paused, "b", bytes: 3, total: 9)])
        state.resize(columns: columns, rows: 24)
        state.rates.transfer = TransferRates(
            id: TransferID(rawValue: 1),
            series: [.init(step: 1, rates: rates), .init(step: 5, rates: [5]), .init(step: 60, rates: [])])
        state.keys(.enter)
        return state
    }

    private func graph(_ state: InterfaceState, width: Int = 100) -> RateGraph {
        RateGraph(of: state.list.selected!, state, width: width, .unicode)
    }

    @Test func standsInItsTabOfItsTransfer() {
        var state = state([100, nil, 900], columns: 80)
        #expect(state.graphed == TransferID(rawValue: 1) && state.graphedSamples == [100, nil, 900])
        state.keys(.character("]"))
        #expect(state.graphed == nil)
        #expect(state.keys(.character("w")).isEmpty && state.details.span == .minute)
        #expect(state.notice?.text == "The graph is in the tab Info; [ ] show the tabs")
        state.keys(.character("["), .down)
        #expect(state.graphed == TransferID(rawValue: 2) && state.graphedSamples.isEmpty)
        #expect(graph(state).rows.isEmpty && graph(state).median == nil)
        // In a small window nothing asks for it.
        state.keys(.escape, .up)
        #expect(state.graphed == nil)
    }

    @Test func hasScaleSpanAndMedian() {
        let wide = graph(state([100, nil, 900, 300]))
        #expect(wide.rows.map(\.label) == ["Rate", "1 min"] && wide.hasFigures)
        let texts = wide.rows.map { $0.line.spans.map(\.text).joined() }
        #expect(texts[0].hasSuffix("  1K/s"))
        #expect(texts[1].hasSuffix("▂ █▅  now 900B/s, median 300B/s"))
        let narrow = graph(state([100, nil, 900, 300]), width: 26)
        #expect(narrow.rows.map(\.label) == ["Rate", "21 s"] && !narrow.hasFigures && narrow.median == 300)
        #expect(graph(state([1]), width: 9).rows.isEmpty)
        #expect(graph(state([nil, nil])).rows.isEmpty, "it has not run")
    }

    @Test func theSpanChanges() {
        var state = state([100])
        state.keys(.character("w"))
        #expect(state.graphedSamples == [5] && graph(state).rows.last?.label == "5 min")
        state.keys(.character("w"))
        #expect(state.graphedSamples.isEmpty && state.details.span == .hour)
        state.keys(.character("w"))
        #expect(state.details.span == .minute)
    }

    @Test func thatOfAllStandsBesideOrBelow() {
        var state = state([100, nil, 900])
        state.rates.downSeries = [.init(step: 1, rates: [0, 5000, 4000])]
        state.rates.upSeries = [.init(step: 1, rates: [9])]
        state.rates.downNow = 4096
        let beside = graph(state)
        #expect(beside.rows.map(\.label) == ["Rate", "41 s"] && !beside.hasFigures && beside.median == 900)
        let texts = beside.rows.map { $0.line.spans.map(\.text).joined() }
        #expect(texts[0].hasSuffix("  5K/s") && texts[1].hasSuffix("  all ↓"))
        #expect(texts.allSatisfy { $0.contains(" █") } && texts[0].contains(" 1K/s"))
        let below = graph(state, width: 76)
        #expect(below.rows.map(\.label) == ["Rate", "1 min", "", "All ↓", "1 min"])
        #expect(below.rows[4].line.spans.map(\.text).joined().hasSuffix("  now 4.00K/s"))
        // A pane below the list has no room for it.
        let pane = RateGraph(of: state.list.selected!, state, width: 70, allowsBelow: false, .unicode)
        #expect(pane.rows.map(\.label) == ["Rate", "1 min"])
        state.rates.downSeries = [.init(step: 1, rates: [0, 0])]
        #expect(graph(state).rows.count == 2 && graph(state).hasFigures, "nothing moves")
    }

    @Test func aLimitIsItsTop() {
        var limited = Samples.transfer(1, .paused, bytes: 10, total: 100)
        limited.rateLimit = 2 << 20
        var state = state([1000], transfer: limited)
        func top() -> String { graph(state).rows[0].line.spans[1].text }
        #expect(top() == "  ≤2M/s")
        state.rates.limits = QueueLimits(download: 1 << 20, upload: 5)
        #expect(top() == "  ≤1M/s")
        state.rates.transfer?.series[0].rates = [1_200_000]
        #expect(top() == "  ≤1M/s", "a burst")
        state.rates.limits = QueueLimits(download: 3 << 19)
        #expect(top() == "  ≤1.5M/s")
        state.rates.limits = QueueLimits(download: 1 << 20, upload: 5)
        state.rates.transfer?.series[0].rates = [3 << 20]
        #expect(top() == "  5M/s", "what moved before the limit came into force")
    }
}

/// Whatever a service reports.
struct PiecesTabTests {
    private func lines(_ transfer: Transfer, _ ranges: TransferRanges?, width: Int = 60) -> [String] {
        PiecesTab.lines(of: transfer, TransferInfo(transfer: transfer, ranges: ranges), width: width, .unicode).map {
            $0.spans.map(\.text).joined()
        }
    }

    @Test(arguments: [
        TransferRanges(stored: [Int64.min..<Int64.max], requested: [Int64.min..<0, Int64.max..<Int64.max]),
        TransferRanges(stored: [0..<600, 400..<900], requested: [900..<1000]),
        TransferRanges(stored: [5000..<6000]), TransferRanges(stored: []),
    ])
    func rangesOfAnotherSize(_ ranges: TransferRanges) {
        for state in TransferState.allCases {
            let transfer = Samples.transfer(1, state, bytes: -5, total: 1000)
            for width in [1, 10, 60] {
                let lines = lines(transfer, ranges, width: width)
                #expect(CellWidth.of(lines[0]) == width && lines.count >= 2)
            }
        }
    }

    /// Where there is nothing to show, too.
    @Test(arguments: [10, 20, 40, 60]) func sentencesAreWhole(_ width: Int) {
        let transfer = Samples.transfer(1, .running, bytes: 2048)
        let headers = HeadersTab.lines(of: transfer, TransferInfo(transfer: transfer), width: width, .unicode)
        let texts = [
            (headers.map { $0.spans.map(\.text).joined() }, "no request, or none of the last that the queue keeps"),
            (lines(transfer, nil, width: width), "2.00K; the size is not known yet"),
            // Of what has ended it never will be.
            (lines(Samples.transfer(1, .failed), nil, width: width), "0B; the size is not known"),
        ]
        for (lines, text) in texts {
            #expect(lines.allSatisfy { CellWidth.of($0) <= width })
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }

    @Test func withoutASizeThereIsNoMap() {
        #expect(lines(Samples.transfer(1, .running, bytes: 2048), nil) == ["2.00K; the size is not known yet"])
        #expect(lines(Samples.transfer(1, .running, total: 0), nil) == ["an empty file"])
    }

    @Test func oneConnectionStoresInOrder() {
        let lines = lines(Samples.transfer(1, .running, bytes: 500, total: 1000), nil, width: 10)
        #expect(lines[0] == "█████▓────")
        let paused = self.lines(Samples.transfer(1, .paused, bytes: 500, total: 1000), nil)
        #expect(paused[1].isEmpty && paused[2] == "█ on disk 50%   ─ missing 500B")
        #expect(self.lines(Samples.transfer(1, .completed, bytes: 9, total: 9), nil)[2] == "█ on disk, whole")
    }
}

struct PiecesLegendTests {
    @Test(arguments: [TransferKind.download, .upload]) func hasTheStylesOfTheMap(_ kind: TransferKind) {
        var transfer = Samples.transfer(1, .running, kind: kind, bytes: 500, total: 1000)
        transfer.confirmed = 250
        let lines = PiecesTab.lines(of: transfer, nil, width: 60, .unicode)
        #expect(lines.count == 3)
        for glyph in kind == .download ? ["█", "▓", "─"] : ["█", "─"] {
            let styles = lines.map { line in line.spans.first { $0.text.hasPrefix(glyph) }?.style }
            #expect(styles[0] != nil && styles[0] == styles[2], "\(glyph)")
        }
    }
}

struct PieceMapTests {
    private func map(_ total: Int64, _ parts: [(Range<Int64>, PieceMap.Part)]) -> PieceMap {
        var map = PieceMap(total: total)
        for (range, part) in parts { map.add(range, part) }
        return map
    }

    private func text(_ map: PieceMap, _ width: Int) -> String { map.cells(width).map(\.glyph).joined() }

    @Test(
        arguments: [
            (100, [], 4, "────"), (100, [(0..<100, PieceMap.Part.done)], 4, "████"),
            (100, [(0..<50, .done)], 4, "██──"),
            (100, [(0..<74, .done)], 4, "██──"), (100, [(50..<75, .done)], 4, "──█─"),
            (100, [(0..<25, .done), (25..<50, .done)], 4, "██──"),
            (100, [(0..<10, .done), (12..<25, .done)], 4, "────"),
            (100, [(0..<50, .done), (50..<51, .moving)], 4, "██▓─"),
            (100, [(0..<75, .sent), (0..<25, .done)], 4, "█▒▒─"),
            (100, [(0..<75, .sent), (0..<30, .done)], 4, "█▒▒─"), (3, [(0..<3, .done)], 10, "██████████"),
            (1, [], 3, "───"), (100, [(0..<500, .done)], 2, "██"), (100, [(-5..<0, .done)], 2, "──"),
            (Int64.max, [(0..<Int64.max / 2 + 1, .done)], 2, "█─"),
        ] as [(Int64, [(Range<Int64>, PieceMap.Part)], Int, String)])
    func cells(_ total: Int64, _ parts: [(Range<Int64>, PieceMap.Part)], _ width: Int, _ expected: String) {
        #expect(text(map(total, parts), width) == expected)
    }

    @Test func anyWidth() {
        let map = map(1_000_003, [(0..<400_000, .done), (700_000..<1_000_003, .done), (400_000..<400_001, .moving)])
        for width in 0...300 {
            let cells = map.cells(width)
            #expect(cells.count == width)
            if width > 3 { #expect(cells.first == .done && cells.last == .done && cells.contains(.moving)) }
        }
    }
}
