// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// Figures and causes that would mislead where there is little room, or after a failure.
struct FigureTests {
    private func screen(_ state: InterfaceState) -> [String] {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    /// Braille displays and screen readers follow the hidden cursor.
    @Test func theCursorIsInTheSelectedRow() {
        var state = Samples.mixed
        state.resize(columns: 80, rows: 24)
        for _ in 0..<3 {
            let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
            #expect(grid.focus.map { grid.text(row: $0.row).hasPrefix("▌") && $0.column == 0 } == true)
            state.keys(.down)
        }
        state.keys(.character("a"))
        #expect(render(state, columns: 80, rows: 24, capabilities: .unicode).cursor != nil)
    }

    /// The bytes of what has failed are in no sum.
    @Test(arguments: [
        (0, "━━━━━━━━ 5/5 · 50B of 50B"), (1, "━━━━━━╸─ 5/6 · 50B of 50B"), (5, "━━━━──── 5/10 · "),
    ])
    func aBarIsNotFullWithFailures(_ failures: Int, _ total: String) {
        let completed = (1...5).map { Samples.transfer($0, .completed, bytes: 10, total: 10) }
        var state = Samples.state(completed + (6..<6 + failures).map { Samples.transfer($0, .failed) })
        state.resize(columns: 80, rows: 24)
        #expect(screen(state).contains { $0.contains(total) })
    }

    /// Rather than the server, which is that of the transfer.
    @Test(arguments: [(80, "  example.org: connection refused"), (48, "  connection refused")])
    func theCauseOfAnAttemptIsSeen(_ width: Int, _ result: String) {
        let transfer = Samples.transfer(1, .retrying)
        let attempt = TransferAttempt(
            number: 1, startedAt: 900, endedAt: 901,
            error: TransferError(.cannotConnect, "example.org: connection refused"))
        let info = TransferInfo(transfer: transfer, attempts: [attempt])
        let lines = AttemptsTab.lines(of: transfer, info, Samples.state([transfer]), width: width, .unicode)
            .map { $0.spans.map(\.text).joined() }
        #expect(lines.contains { $0.contains(result) })
    }

    /// As the row, and the stage below it, have it.
    @Test(arguments: [(903.9, " 0:04 "), (938.1, " 0:38 "), (900.2, " 0:00 ")])
    func theTimeOfAnEndedAttemptIsRounded(_ end: Double, _ lasted: String) throws {
        let transfer = Samples.transfer(1, .retrying)
        let attempt = TransferAttempt(number: 1, startedAt: 900, endedAt: end)
        let info = TransferInfo(transfer: transfer, attempts: [attempt])
        let lines = AttemptsTab.lines(of: transfer, info, Samples.state([transfer]), width: 80, .unicode)
        #expect(try #require(lines.dropFirst().first).spans.map(\.text).joined().contains(lasted))
    }

    /// That the log follows is left out first.
    @Test func theLogLeavesTheCountsOfTheViews() {
        var state = Samples.mixed
        state.resize(columns: 80, rows: 24)
        state.log.add(.note, "one", at: 1000)
        state.log.add(.note, "two", at: 1000)
        state.keys(.character("7"))
        #expect(screen(state)[1].hasPrefix("1 Now 9  2 All 11  3 Problems 3"))
        #expect(screen(state)[1].hasSuffix(" lines"))
        state.resize(columns: 100, rows: 24)
        #expect(screen(state)[1].hasSuffix(" lines, follows"))
    }

    /// A screen opened later gets the same transfer as queued, with the reason as text.
    @Test func anAttemptThatIsDueLooksTheSameOnEveryScreen() throws {
        let around = RowText.Surroundings(now: 1000, clock: .utc, words: Samples.words)
        var due = Samples.transfer(1, .retrying)
        due.edit { ($0.reason, $0.retryAt, $0.attempt) = ("example.org: connection refused", 990, 4) }
        var queued = Samples.transfer(1, .queued)
        queued.edit { ($0.reason, $0.attempt) = ("example.org: connection refused", 4) }
        let (first, second) = (try #require(RowText(due, around)), try #require(RowText(queued, around)))
        #expect(first.texts == second.texts && first.style == second.style)
        #expect(first.fitting(40) == "try 4 next · connection refused" && first.fitting(13) == "try 4 next")
        queued.edit { $0.attempt = 1 }
        #expect(RowText(queued, around)?.texts.last == "queued")
    }

    /// A mark at its end would say that the rest is a secret.
    @Test(arguments: [20, 30, 44, 80]) func headersAreWhole(_ width: Int) {
        let transfer = Samples.transfer(1, .running, bytes: 2048)
        let url = "https://example.org/" + String(repeating: "写真/", count: 12) + "disk.iso"
        let heads = TransferHeads(
            method: "GET", url: url,
            request: [.init(name: "Accept", value: "*/*"), .init(name: "Authorization", value: nil)], status: 200,
            response: [.init(name: "Content-Disposition", value: "attachment; filename=\"disk-of-some-length.iso\"")])
        let info = TransferInfo(transfer: transfer, heads: heads)
        let lines = HeadersTab.lines(of: transfer, info, width: width, .unicode).map {
            $0.spans.map(\.text).joined()
        }
        #expect(lines.allSatisfy { CellWidth.of($0) <= width })
        let text = lines.joined().filter { $0 != " " }
        #expect(text.contains(">GET\(url)>Accept:*/*>Authorization:…<200<Content-Disposition:attachment;filename="))
        #expect(text.hasSuffix("\"disk-of-some-length.iso\""))
        #expect(lines.contains("> Accept: */*") && lines.contains("< 200"))
    }

    /// The rates of the last seconds and of the whole attempt differ.
    @Test(arguments: [(true, "3–6m"), (false, "3-6m")])
    func detailsHaveTheTimeOfTheRow(_ isUnicode: Bool, _ left: String) {
        var running = Samples.transfer(1, .running, bytes: 10, total: 100)
        running.edit { ($0.rate, $0.eta, $0.longestETA) = (5, 187, 350) }
        var state = Samples.state([running])
        state.resize(columns: 120, rows: 30)
        let capabilities: Capabilities = isUnicode ? .unicode : .ascii
        let grid = render(state, columns: 120, rows: 30, capabilities: capabilities)
        let lines = (0..<grid.rows).map { grid.text(row: $0) }
        #expect(lines.contains { $0.contains("file.bin") && $0.hasSuffix(" \(left)") })
        #expect(lines.contains { $0.contains("Time left     \(left) ") })
    }

    /// The service's figure is of the last seconds: those before a limit, or the end of the last download, count.
    @Test func theFirstLineFollowsALimitAndTheEnd() {
        var upload = Samples.transfer(1, .running, kind: .upload, bytes: 10, total: 100)
        upload.edit { $0.rate = 90 * 1024 }
        var state = Samples.state([upload, Samples.transfer(2, .completed, bytes: 10, total: 10)])
        (state.rates.downNow, state.rates.upNow) = (24e6, 354 * 1024)
        func line() -> String { render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 0) }
        #expect(line().contains("↓0B/s") && line().contains("↑354K/s"), "\(line())")
        state.rates.limits = QueueLimits(upload: 92 * 1024)
        #expect(line().contains("↑90.0K/s"))
        upload.edit { $0.rate = nil }
        state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: upload)]))
        #expect(line().contains("↑92.0K/s"), "until its rate is known again")
        state.rates.upNow = 100 * 1024
        #expect(line().contains("↑100K/s"), "a burst")
    }

    /// The tab line below says what they are.
    @Test func detailsLeaveTheCountsOfTheViews() {
        var state = Samples.mixed
        state.resize(columns: 78, rows: 24)
        state.keys(.enter)
        #expect(
            screen(state)[1].hasPrefix("1 Now 9  [2 All 11]  3 Problems 3 ") && screen(state)[1].hasSuffix("  1/11"))
    }

    /// Nothing else shows the rest of it.
    @Test func anErrorOfWhatIsTypedIsWholeInNarrowWindows() throws {
        var state = Samples.queued(9)
        state.resize(columns: 40, rows: 10)
        state.keys(.character("/"))
        state.type("size>>1")
        state.keys(.enter)
        let error = try #require(state.notice)
        #expect(error.isError && error.text.count > 60)
        let lines = screen(state)[7...8].map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.joined(separator: " ") == error.text)
        #expect(screen(state)[9].hasPrefix("Filter: size>>1"))
    }
}
