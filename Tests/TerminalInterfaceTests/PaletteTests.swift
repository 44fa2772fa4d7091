// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct CommandVocabularyTests {
    private static let transfers = [(id: "7", name: "夏.mp4"), (id: "71", name: "b"), (id: "8", name: "c")]

    @Test(arguments: [
        ("", ["add", "pause", "resume"]), ("re", ["resume", "retry", "relocate"]), ("add", []),
        ("add ", ["get", "put", "curl"]),
        ("add g", ["get"]), ("pause 7", ["71"]), ("pause ", ["7", "71", "8", "error:", "host:"]),
        ("pause st", ["state:"]), ("pause state:f", ["state:failed"]), ("move 7 t", ["top"]),
        ("set 7 --pr", ["--priority"]), ("set 7 --priority ", ["low", "normal", "high"]),
        ("set 7 --priority h", ["high"]), ("set --priority low --pr", []), ("unknown ", []),
    ])
    func completes(_ line: String, _ expected: [String]) {
        let found = CommandLineRunner.vocabulary.completions(of: line, transfers: Self.transfers)
        #expect(Array(found.map(\.text).prefix(expected.count)) == expected)
        if expected.isEmpty { #expect(found.isEmpty) }
    }

    @Test(arguments: ["", "add "]) func everyProposedCommandHasAHelp(_ line: String) {
        let found = CommandLineRunner.vocabulary.completions(of: line, transfers: [])
        #expect(!found.isEmpty && found.allSatisfy { !$0.help.isEmpty }, "\(found)")
    }

    @Test func everyCommandHasAHelpAndUsage() {
        #expect(CommandLineRunner.vocabulary.commands.count >= 15)
        for command in CommandLineRunner.vocabulary.commands {
            #expect(!command.help.isEmpty && command.options.allSatisfy { $0.names.allSatisfy { $0.hasPrefix("-") } })
        }
        #expect(CommandLineRunner.vocabulary.command(of: "move 3")?.usage == "move <which> top|up|down|bottom")
    }
}

struct PaletteTests {
    private func state() -> InterfaceState {
        var state = Samples.mixed
        state.setup.vocabulary = CommandLineRunner.vocabulary
        return state
    }

    @Test func runsALineAndClosesWhenItSucceeds() {
        var state = state()
        state.keys(.character(":"))
        state.type("pause 3")
        #expect(state.keys(.enter) == [.run("pause 3")])
        #expect(state.mode.palette?.isRunning == true)
        #expect(state.keys(.enter).isEmpty, "not twice")
        state.receive(CommandOutcome(), of: "pause 3")
        #expect(state.mode.isList && state.notice?.text == "Done: pause 3")
        #expect(state.log.entries.map(\.text) == ["fileq pause 3"])
    }

    /// What is typed after it is no key of the details.
    @Test func opensOverDetailsAndOverTheOutputOfAnotherLine() {
        var state = state()
        state.keys(.enter, .character(":"))
        state.type("info 1")
        #expect(state.overlay == .detail && state.mode.palette?.editor.text == "info 1")
        #expect(render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 22).hasPrefix(":info 1"))
        #expect(state.keys(.enter) == [.run("info 1")])
        state.receive(CommandOutcome(lines: ["id 1", "state running"]), of: "info 1")
        #expect(state.isCovered && state.mode.isList)
        state.keys(.character(":"))
        #expect(state.mode.palette != nil)
        state.keys(.escape, .escape, .character("?"), .character(":"))
        #expect(state.mode.helpMenu?.choice == .command, "a key of the help chooses its action")
        state.keys(.enter)
        #expect(state.mode.palette != nil)
    }

    /// Where the screen can show other machines; `on` is a command of the shell elsewhere.
    @Test(arguments: [("on nas", "nas"), ("on  ssh://me@nas:22 ", "ssh://me@nas:22"), ("on", ""), ("on -", "-")])
    func changesTheMachine(_ line: String, _ machine: String) {
        var state = state()
        let trimmed = RateText.trimmed(line)
        state.keys(.character(":"))
        state.type(line)
        #expect(state.keys(.enter) == [.run(trimmed)])
        state.keys(.escape)
        state.setup.changesMachine = true
        state.keys(.character(":"))
        state.type("o")
        #expect(state.mode.palette?.proposals(on: state).map(\.text) == ["open", "on"])
        state.keys(.control("u"))
        state.type(line)
        #expect(!state.awaits(trimmed))
        #expect(state.keys(.enter) == [.on(machine: machine, line: trimmed)])
        #expect(state.awaits(trimmed))
        // It cannot be reached: the text stays.
        state.receive(CommandOutcome(error: "nas: no way"), of: trimmed)
        #expect(state.mode.palette?.error == "nas: no way" && state.mode.palette?.editor.text == line)
        #expect(!state.awaits(trimmed))
        // Closed meanwhile: it is not wanted any more.
        state.keys(.enter, .escape)
        #expect(!state.awaits(trimmed))
    }

    @Test func anErrorStaysBesideTheText() {
        var state = state()
        state.keys(.character(":"))
        state.type("set 17 --limit x")
        state.keys(.enter)
        state.receive(CommandOutcome(error: "'x' is no rate"), of: "set 17 --limit x")
        #expect(state.mode.palette?.editor.text == "set 17 --limit x" && state.mode.palette?.error == "'x' is no rate")
        state.keys(.backspace)
        #expect(state.mode.palette?.error == nil)
        // The line was closed meanwhile: the error is a notice.
        #expect(state.keys(.enter) == [.run("set 17 --limit")])
        state.keys(.escape)
        state.receive(CommandOutcome(error: "missing"), of: "set 17 --limit")
        #expect(state.mode.isList && state.notice?.isError == true)
    }

    /// As many lines as it needs, up to three, with the text and the proposals above them.
    @Test func aLongErrorIsWhole() {
        var state = state()
        state.keys(.character(":"))
        state.type("list state:foo")
        state.keys(.enter)
        let error = "'foo' is not a state: " + TransferState.allCases.map(\.rawValue).joined(separator: ", ")
        state.receive(CommandOutcome(error: error), of: "list state:foo")
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 21).hasPrefix(":list state:foo ") && grid.cursor?.row == 21)
        #expect((22...23).flatMap { grid.text(row: $0).split(separator: " ") }.joined(separator: " ") == error)
        // Without room it is cut.
        let small = render(state, columns: 40, rows: 6, capabilities: .unicode)
        #expect(small.text(row: 4).hasPrefix(":list state:foo ") && small.text(row: 5).hasSuffix("…"))
    }

    /// With proposals or without, in every window that has room for it.
    @Test func aRuleSeparatesItFromTheList() throws {
        var state = state()
        func rule(_ columns: Int, _ rows: Int, _ glyph: String = "─", _ capabilities: Capabilities = .unicode) -> Int? {
            state.resize(columns: columns, rows: rows)
            let grid = render(state, columns: columns, rows: rows, capabilities: capabilities)
            let line = String(repeating: glyph, count: columns)
            return (0..<rows).first { grid.text(row: $0) == line && grid[$0, 0].style == .faint }
        }
        #expect(rule(80, 24) == nil)
        state.keys(.character(":"))
        state.type("set 1 --")
        #expect(rule(80, 24) == 13 && rule(50, 12) == 1 && rule(80, 24, "-", .ascii) == 13)
        // The proposals are where they are without it.
        let palette = try #require(state.mode.palette)
        #expect(PaletteView.proposal(row: 13, palette, state) == nil)
        #expect(PaletteView.proposal(row: 14, palette, state) == 0)
        #expect(rule(80, 7) == nil && rule(80, 10) == nil, "no row for it")
        state.type("nothing")
        #expect(rule(80, 24) == 21)
    }

    @Test func outputOfSeveralLinesCoversTheList() {
        var state = state()
        state.receive(CommandOutcome(lines: ["a", "b"], notes: ["note"]), of: "info 3")
        #expect(state.overlay == .output(title: "info 3", lines: ["a", "b"]))
        #expect(state.keys(.character("x")).isEmpty && state.notice?.text.contains("covers") == true)
        state.keys(.escape)
        #expect(state.overlay == nil)
    }

    /// Beside its label, in its own column; with too little room for that, from the first column on.
    @Test(arguments: [
        (30, "address     aaaa", ["address     aaaa"]),
        (30, "日本    one two three four five", ["日本    one two three four ", "        five"]),
        (18, "address   xxxxxxxxxxx", ["address   ", "xxxxxxxxxxx"]),
        (20, "name   xxxxxxxxxxxxxxx", ["name   xxxxxxxxxxxxx", "       xx"]),
        (12, "  one two three", ["  one two ", "  three"]), (10, "address  one", ["address  ", "one"]), (4, "", [""]),
    ])
    func outputContinuesInItsColumn(_ width: Int, _ line: String, _ lines: [String]) {
        let shown = CoverText.lines(of: [line], width: width, .unicode).map { $0.spans.map(\.text).joined() }
        #expect(shown == lines)
    }

    @Test func longLinesOfOutputAreWhole() {
        var state = state()
        let address = "https://example.org/" + String(repeating: "x", count: 100)
        state.receive(CommandOutcome(lines: ["address " + address, ""] + (1...30).map(String.init)), of: "info 3")
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let shown = (2...4).map { grid.text(row: $0) }.joined().filter { $0 != " " }
        #expect(shown == "address" + address)
        state.keys(.character("G"))
        let end = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect((0..<24).contains { end.text(row: $0).hasPrefix("30 ") })
    }

    @Test func tabGoesThroughProposalsAndBack() {
        var state = state()
        state.keys(.character(":"))
        state.type("re")
        var texts: [String] = []
        for _ in 0..<4 {
            state.keys(.tab)
            texts.append(state.mode.palette?.editor.text ?? "")
        }
        #expect(texts == ["resume ", "retry ", "relocate ", "re"])
        state.keys(.backTab)
        #expect(state.mode.palette?.editor.text == "relocate ")
        state.type("1")
        #expect(state.mode.palette?.editor.text == "relocate 1" && state.mode.palette?.choice == nil)
    }

    @Test func upRecallsEarlierLines() {
        var state = state()
        for line in ["pause 1", "resume 1"] {
            state.keys(.character(":"))
            state.type(line)
            state.keys(.enter)
            state.receive(CommandOutcome(), of: line)
        }
        state.keys(.character(":"))
        state.type("new")
        state.keys(.up)
        #expect(state.mode.palette?.editor.text == "resume 1")
        state.keys(.up, .up)
        #expect(state.mode.palette?.editor.text == "pause 1")
        state.keys(.down, .down)
        #expect(state.mode.palette?.editor.text == "new")
    }

    @Test func quitsAsInVi() {
        var state = state()
        state.keys(.character(":"))
        state.type("q")
        #expect(state.keys(.enter) == [.quit(isConfirmed: false)])
    }
}

struct EventLogTests {
    @Test func logsChangesOfState() {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso"), Samples.transfer(2, .queued, "b")])
        func event(_ transfer: Transfer) -> QueueUpdate {
            .events([TransferEvent(time: 0, name: .changed, transfer: transfer)])
        }
        state.receive(event(Samples.transfer(1, .running, "a.iso", bytes: 5, total: 9)))
        #expect(state.log.entries.isEmpty)
        state.receive(event(Samples.transfer(2, .running, "b")))
        state.receive(event(Samples.transfer(3, .queued, "c")))
        var failed = Samples.transfer(1, .failed, "a.iso")
        failed.edit { $0.error = TransferError(.httpStatus, "example.org: 404 Not Found") }
        state.receive(event(failed))
        #expect(state.log.entries.map(\.line) == ["2 b: started", "3 c: added", "1 a.iso: 404 Not Found"])
        #expect(state.log.entries.last?.kind == .failure)
        state.keys(.character("7"))
        #expect(state.logEntries.count == 3 && state.targets.isEmpty)
        #expect(state.keys(.character("x")).isEmpty && state.notice?.text.contains("The log has no transfers") == true)
        state.keys(.character("/"))
        state.type("404 iso")
        #expect(state.logEntries.count == 1)
    }

    /// The records of the first list have what happened before.
    @Test func beginsWithWhatHappenedBefore() {
        func transfer(_ id: Int, _ state: TransferState, added: Double, ended: Double? = nil) -> Transfer {
            var transfer = Samples.transfer(id, state, "file\(id)")
            transfer.addedAt = added
            if state == .cancelled { transfer.status = .cancelled(.init(at: ended)) }
            return transfer
        }
        let transfers = [
            transfer(1, .cancelled, added: 100, ended: 900), transfer(2, .queued, added: 300),
            transfer(3, .queued, added: 0), transfer(4, .queued, added: 1001),
        ]
        var state = Samples.state(transfers)
        #expect(state.log.entries.map(\.line) == ["1 file1: added", "2 file2: added", "1 file1: cancelled"])
        #expect(state.log.entries.map(\.time) == [100, 300, 900])
        // Once.
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        #expect(state.log.entries.count == 3)
        // Not those of yesterday, and the latest of many.
        var later = InterfaceState()
        later.now = 100_000
        let many = (1...500).map { transfer($0, .queued, added: $0 <= 100 ? 50_000 : 99_000 + Double($0)) }
        later.receive(.snapshot(QueueSnapshot(transfers: many)))
        #expect(later.log.entries.compactMap(\.id?.rawValue) == Array(301...500))
    }

    @Test func asksWhatBecameOfTransfersThatASnapshotNoLongerHas() {
        var state = Samples.queued(3)
        state.receive(.snapshot(QueueSnapshot(transfers: [Samples.transfer(2, .queued, "file2")])))
        #expect(state.dueEffects() == [.find(ids(1, 3))])
        #expect(state.dueEffects().isEmpty)
        state.receive(found: [Samples.transfer(1, .completed, "file1")])
        #expect(state.log.entries.map(\.line) == ["1 file1: done"])
    }

    /// 40 lines, every tenth with a word, in a window of 19.
    private func long() -> InterfaceState {
        var state = Samples.queued(1)
        state.resize(columns: 80, rows: 24)
        for number in 0..<40 { state.log.add(.note, number % 10 == 0 ? "京都 \(number)" : "line \(number)", at: 0) }
        state.keys(.character("7"))
        return state
    }

    private func screen(_ state: InterfaceState) -> [String] {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test func aFilterAfterScrollingShowsItsLines() {
        var state = long()
        state.keys(.pageUp, .pageUp)
        #expect(state.logScroll.back == 21)
        #expect(screen(state)[1].contains("19/40") && screen(state)[20].contains("line 18"))
        state.keys(.character("/"))
        state.type("京都")
        state.keys(.enter)
        // The filter takes the place of "follows".
        #expect(state.logScroll.back == 0 && screen(state)[1].contains("4 lines") && screen(state)[1].contains("京都"))
        #expect(screen(state).dropFirst(2).count { $0.contains("京都 ") } == 4)
        state.keys(.escape, .pageUp)
        state.resize(columns: 80, rows: 60)
        #expect(state.logScroll.back == 0 && screen(state)[2].contains("京都 0"))
    }

    @Test func aSearchContinuesAtTheOtherEnd() {
        var state = long()
        state.keys(.character("/"))
        state.type("line")
        state.keys(.enter, .character("N"))
        #expect(state.logScroll.back == 1 && state.notice == nil)
        state.keys(.character("n"))
        #expect(state.logScroll.back == 0 && state.notice == nil)
        state.keys(.character("n"))
        #expect(state.logScroll.back == 36 - 19 && screen(state)[2].contains("line 1"))
        #expect(state.notice?.text == "Search continues at the top")
        state.keys(.character("n"))
        #expect(state.logScroll.back == 36 - 20 && state.notice == nil)
        state.keys(.character("N"), .character("N"))
        #expect(state.logScroll.back == 0 && state.notice?.text == "Search continues at the bottom")
        state.keys(.escape, .character("/"))
        state.type("京都")
        state.keys(.enter, .character("n"))
        #expect(state.notice?.text == "All lines with these words are shown")
    }

    /// That it follows is left out before the filter, without which the log looks as if it had no other lines.
    @Test(arguments: [
        (80, "line", "  /line  36 lines"), (80, "京都 20", "  /京都 20  1 line"),
        (100, "line", "  /line  36 lines, follows"),
    ])
    func theFilterStaysBesideTheTabs(_ columns: Int, _ filter: String, _ position: String) {
        var state = long()
        state.resize(columns: columns, rows: 24)
        state.keys(.character("/"))
        state.type(filter)
        state.keys(.enter)
        #expect(screen(state)[1].hasSuffix(position), "\(screen(state)[1])")
    }

    @Test func mistakesOfTheConfigurationAreInTheLog() {
        var options = TerminalProgram.Options()
        options.mistakes = ["config.toml:2: wrong", "config.toml:3: wrong, too"]
        var state = InterfaceState(options)
        state.receive(.snapshot(Samples.queued(1).snapshot))
        #expect(state.log.entries.map(\.text) == options.mistakes)
        #expect(state.log.entries.allSatisfy { $0.kind == .error })
    }

    /// Lines that need several rows: each can be reached, and none is cut.
    @Test func longLinesAreWhole() {
        var state = Samples.state([Samples.transfer(1, .running)])
        state.resize(columns: 40, rows: 24)
        let text = "it began again since the server has another version of the file now"
        for number in 0..<40 { state.log.add(.note, "\(number) \(text)", at: 0) }
        state.keys(.character("7"))
        func numbers(_ state: InterfaceState) -> [Int] {
            screen(state)[2...20].compactMap { Int($0.dropFirst(5).prefix { $0.isNumber }) }
        }
        #expect(numbers(state).last == 39 && screen(state)[20].contains("now"))
        var seen = Set(numbers(state))
        for _ in 0..<40 {
            state.keys(.pageUp)
            seen.formUnion(numbers(state))
        }
        #expect(seen == Set(0..<40) && screen(state)[2].contains("0 it began"))
        seen = []
        for _ in 0..<40 {
            seen.formUnion(numbers(state))
            state.keys(.pageDown)
        }
        #expect(state.logScroll.back == 0 && seen.union(numbers(state)) == Set(0..<40))
    }

    /// Each entry in a window that has fewer rows than it has lines.
    @Test(arguments: [(20, 5), (20, 2), (10, 8), (1, 1), (1, 5)])
    func theBeginningOfALongLineIsSeen(_ columns: Int, _ rows: Int) {
        var state = Samples.state([Samples.transfer(1, .running)])
        state.resize(columns: columns, rows: rows)
        let text = String(repeating: "日本 of the file ", count: 20)
        for number in 0..<5 { state.log.add(.note, "\(number) \(text)", at: 1000) }
        state.keys(.character("7"))
        for number in (0..<5).reversed() {
            #expect(screen(state).contains { $0.hasPrefix("\(number)") }, "\(number)")
            state.keys(.character("k"))
        }
    }

    @Test func signsHaveTheirFormsInASCII() {
        var state = long()
        state.log.add(.event, "1 a.iso: ✓ in 2.0s", at: 5)
        state.log.add(.failure, "2 京都: ✗ 404", at: 6)
        let grid = render(state, columns: 80, rows: 24, capabilities: .ascii)
        #expect(grid.text(row: 19).contains("1 a.iso: + in 2.0s") && grid.text(row: 20).contains(": x 404"))
    }

    /// What happens while one reads moves nothing, and its place outlasts a small window.
    @Test func staysWhereItIsRead() {
        var state = long()
        state.keys(.pageUp)
        let before = screen(state)[2...20]
        for number in 0..<7 { state.log.add(.note, "new \(number)", at: 5) }
        #expect(screen(state)[2...20] == before && screen(state)[1].contains("23/47"))
        for (columns, rows) in [(30, 8), (1, 1), (80, 24)] { state.resize(columns: columns, rows: rows) }
        #expect(screen(state)[2...20] == before)
        state.keys(.character("j"))
        #expect(screen(state)[2...19] == Array(before)[1...18])
        state.keys(.character("G"))
        #expect(screen(state)[20].contains("new 6") && screen(state)[1].hasSuffix("  47 lines"))
    }

    /// The latest line, and that which says how many lines a help has, are not below it.
    @Test func aLongNoticeCoversNothingThatIsRead() {
        for rows in [24, 40] {
            var state = long()
            state.resize(columns: 80, rows: rows)
            state.notice = .init(text: String(repeating: "it broke ", count: 40), isError: true)
            #expect(screen(state).contains { $0.contains("line 39") }, "\(rows)")
            state.keys(.character("2"))
            state.receive(CommandOutcome(lines: (1...100).map(String.init)), of: "list")
            let before = screen(state).first { $0.contains("Lines 1–") }
            state.notice = .init(text: String(repeating: "it broke ", count: 40), isError: true)
            #expect(before != nil && screen(state).contains { $0 == before }, "\(rows)")
        }
    }

    @Test func matchesAreOneKeyAway() {
        var state = long()
        state.keys(.character("n"))
        #expect(state.notice?.text.hasPrefix("No words to go to; / shows") == true)
        state.keys(.character("/"))
        state.type("line")
        state.keys(.enter, .character("N"), .character("N"), .character("n"))
        #expect(state.notice == nil && state.logScroll.back == 1 && screen(state)[20].contains("line 38"))
        state.keys(.character("/"))
        state.type(" 39")
        state.keys(.enter, .character("n"))
        #expect(state.notice?.text == "All lines with these words are shown")
    }

    @Test func whatWasFoundIsSearchedAgainAfterEachChange() {
        var log = EventLog()
        func texts(_ filter: String) -> [String] { log.entries(matching: filter).map(\.text) }
        log.add(.event, "a 1", at: 5)
        for step in 0..<3 {
            log.find("a")
            #expect(texts("a") == log.entries.map(\.text).filter { $0.contains("a") } && texts("1") == ["a 1"])
            log.add(.event, "a 2", at: 6)
            log.addEarlier([.init(time: 1, kind: .note, id: nil, text: "a 0, b")])
            #expect(texts("a").count == 2 * step + 3 && texts("b").count == step + 1)
        }
        log.find("a")
        log.queueBegan("a began", at: 3)
        #expect(texts("a").contains("a began"))
        log.find("")
        #expect(texts("").count == log.entries.count)
    }

    @Test func keepsTheLatest() {
        var log = EventLog()
        for number in 0..<30_000 { log.add(.event, "\(number)", at: 0) }
        #expect(log.entries.count < 2 * EventLog.capacity && log.entries.last?.text == "29999")
        #expect(log.dropped > 0 && log.dropped + log.entries.count == 30_000)
    }
}

struct HistoryListTests {
    private func entry(_ id: Int, _ end: Double) -> HistoryEntry {
        HistoryEntry(endedAt: end, transfer: Samples.transfer(id, .completed, "file\(id)"))
    }

    @Test func loadsPagesAndReloadsAfterAnEnd() {
        var list = HistoryList()
        #expect(list.request(needsMore: false) == .history(before: nil, limit: HistoryList.page))
        #expect(list.request(needsMore: true) == nil, "one at a time")
        let first = (0..<HistoryList.page).map { entry(1000 - $0, 1000 - Double($0)) }
        list.receive(first, before: nil, limit: HistoryList.page)
        #expect(list.request(needsMore: false) == nil)
        #expect(list.request(needsMore: true) == .history(before: first.last?.place, limit: HistoryList.page))
        list.receive([entry(1, 1)], before: first.last?.place, limit: HistoryList.page)
        #expect(list.order.count == HistoryList.page + 1 && list.isComplete)
        #expect(list.request(needsMore: true) == nil)
        list.becomesStale()
        #expect(list.request(needsMore: false) == .history(before: nil, limit: HistoryList.page + 1))
    }

    private func screen(_ state: InterfaceState) -> [String] {
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        return (0..<24).map { grid.text(row: $0) }
    }

    /// What has ended has no rate and no time left.
    @Test func isSortedByWhatItsTransfersHave() {
        var state = Samples.queued(1)
        state.keys(.character("s"))
        let all = "Sort: [n]ame ser[v]er si[z]e [d]one [r]ate lef[t] [a]dded [q]ueue [s] reverse "
        #expect(state.mode.prompt?.labels.first == all)
        state.keys(.escape, .character("6"))
        state.receive([entry(9, 900), entry(8, 800)], before: nil, limit: HistoryList.page)
        state.keys(.character("s"))
        let some = "Sort: [n]ame ser[v]er si[z]e [d]one [a]dded [q] latest [s] reverse "
        #expect(state.mode.prompt?.labels.first == some)
        state.keys(.character("t"))
        #expect(state.list.listOrder == nil && state.notice?.text == "Not sorted: no column has the key t")
        state.keys(.character("s"), .character("s"))
        #expect(state.notice?.text == "The list shows the latest first; s, then a letter, sorts it")
    }

    @Test func headingsShowItsOrderAndAnEmptyOneSaysWhy() {
        var state = Samples.queued(1)
        state.resize(columns: 80, rows: 24)
        state.keys(.character("6"))
        state.receive([entry(9, 900), entry(8, 800)], before: nil, limit: HistoryList.page)
        #expect(screen(state)[2].hasPrefix("  ENDED ▾ "))
        state.keys(.character("s"), .character("z"))
        #expect(screen(state)[2].hasPrefix("  ENDED   ") && screen(state)[2].contains(" SIZE▾ "))
        state.keys(.character("s"), .character("n"))
        #expect(screen(state)[2].contains(" NAME▴ "))
        state.keys(.character("s"), .character("q"), .character("/"))
        state.type("nothing")
        state.keys(.enter)
        #expect(screen(state).contains { $0.contains("Nothing matches the filter.") })
    }

    /// They are pressed before the service has replied.
    @Test func earlyMarksAreOfItsFirstRows() {
        var state = Samples.queued(1)
        state.keys(.character("6"), .character(" "), .character(" "))
        #expect(state.notice?.text == "Loading the history")
        #expect(state.keys(.character("D")).isEmpty)
        #expect(state.mode.prompt == nil)
        state.receive([entry(9, 900), entry(8, 800), entry(7, 700)], before: nil, limit: HistoryList.page)
        #expect(state.list.marks == Set(ids(9, 8)) && state.list.selection == ids(7)[0])
        state.keys(.character(" "), .character("D"))
        #expect(state.mode.prompt?.labels.first == "Remove 3 transfers from list and history? y/N ")
        // Of another view they are forgotten.
        var other = Samples.queued(1)
        other.keys(.character("6"), .character(" "), .character("2"), .character("6"))
        other.receive([entry(9, 900)], before: nil, limit: HistoryList.page)
        #expect(other.list.marks.isEmpty)
    }

    /// What leaves the list stays in the history.
    @Test func marksStayWithItsRows() {
        var state = Samples.state([7, 8, 9].map { Samples.transfer($0, .completed, "file\($0)") })
        let entries = [entry(9, 900), entry(8, 800), entry(7, 700)]
        state.keys(.character("6"))
        state.receive(entries, before: nil, limit: HistoryList.page)
        state.keys(.character(" "), .character(" "), .character(" "))
        state.receive(.removed(ids(8)))
        state.receive(.snapshot(QueueSnapshot(transfers: [])))
        state.receive([entry(10, 950)] + entries, before: nil, limit: HistoryList.page)
        #expect(state.list.marks == Set(ids(7, 8, 9)))
        state.keys(.character("D"))
        #expect(state.keys(.character("y")) == [.perform(.remove, ids(9, 8, 7))])
        state.receive([entry(10, 950)], before: nil, limit: HistoryList.page)
        #expect(state.list.marks.isEmpty)
        // In the list, a mark goes with its row.
        var other = Samples.queued(2)
        other.keys(.control("a"))
        other.receive(.removed(ids(1)))
        #expect(other.list.marks == Set(ids(2)))
    }

    @Test func aViewOfItsOwn() {
        var state = Samples.queued(2)
        state.keys(.character("6"), .enter)
        #expect(state.notice?.text == "Loading the history")
        #expect(state.dueEffects() == [.history(before: nil, limit: HistoryList.page)] && state.list.visible.isEmpty)
        state.receive([entry(9, 900), entry(8, 800)], before: nil, limit: HistoryList.page)
        #expect(state.list.visible == ids(9, 8) && state.list.selected?.id.rawValue == 9)
        #expect(state.keys(.character("d")).isEmpty && state.notice?.text.contains("D removes it") == true)
        #expect(state.keys(.character("D")) == [.perform(.remove, ids(9))])
        #expect(state.notice?.text == "Removed from list and history.")
        #expect(state.dueEffects() == [.history(before: nil, limit: HistoryList.page)])
        state.keys(.character("/"))
        state.type("file8")
        #expect(state.list.visible == ids(8))
        state.keys(.escape, .character("2"))
        #expect(state.list.visible == ids(1, 2))
    }
}
