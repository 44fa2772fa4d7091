// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct LinearReportTests {
    private func report(_ transfers: [Transfer]) -> LinearReport {
        var report = LinearReport(
            words: Samples.words, clock: .utc, commands: InterfaceCommand.linearWords.commands)
        _ = report.take(.snapshot(QueueSnapshot(transfers: transfers)), now: 1000)
        return report
    }

    private func event(_ transfer: Transfer) -> QueueUpdate {
        .events([TransferEvent(time: 1000, name: .changed, transfer: transfer)])
    }

    @Test func beginsWithTheTotals() {
        var report = LinearReport(words: Samples.words, clock: .utc, commands: InterfaceCommand.linearWords.commands)
        #expect(
            report.take(.snapshot(Samples.mixed.snapshot), now: 1000) == [
                report.totals
            ])
        #expect(report.totals.hasPrefix("11 transfers: 4 active, "))
        #expect(self.report([]).totals == "The queue is empty. add URL downloads, help explains.")
    }

    @Test func saysSinceWhenNothingArrives() {
        var silent = Samples.transfer(13, .running, "a.iso", bytes: 50, total: 100)
        silent.edit { ($0.rate, $0.silentSince) = (0, 880) }
        let lines = report([silent]).status(now: 1000)
        #expect(lines.first == "13 a.iso: running, 50 percent, nothing has arrived for 2 minutes")
    }

    @Test func reportsStatesOnceAndEachQuarter() {
        var report = report([Samples.transfer(13, .running, "夏祭りの動画.mp4", bytes: 0, total: 100)])
        var lines: [String] = []
        for bytes: Int64 in [10, 25, 26, 49, 80, 90] {
            var transfer = Samples.transfer(13, .running, "夏祭りの動画.mp4", bytes: bytes, total: 100)
            transfer.edit { ($0.rate, $0.eta) = (1, 170) }
            lines += report.take(event(transfer), now: 1000)
        }
        #expect(
            lines == [
                "13 夏祭りの動画.mp4: 25 percent, 2 minutes left", "13 夏祭りの動画.mp4: 75 percent, 2 minutes left",
            ])
        let done = Samples.transfer(13, .completed, "夏祭りの動画.mp4", bytes: 100, total: 100)
        #expect(report.take(event(done), now: 1000) == ["13 夏祭りの動画.mp4: completed, 100B"])
        #expect(report.take(event(done), now: 1000).isEmpty)
    }

    @Test func namesReasonAndCommand() {
        var report = report([])
        var missing = Samples.transfer(21, .failed, "missing.bin")
        missing.edit { $0.error = TransferError(.httpStatus, "example.org: 404 Not Found") }
        #expect(
            report.take(event(missing), now: 1000) == ["21 missing.bin: failed: 404 Not Found. retry 21, clear 21"])
        var existing = Samples.transfer(22, .failed, "disk.iso")
        existing.edit { $0.error = TransferError(.destinationExists, "/home/user/disk.iso: exists already") }
        #expect(
            report.take(event(existing), now: 1000) == [
                "22 disk.iso: failed: exists already. relocate 22 --if-exists replace, retry 22, clear 22"
            ])
        var taken = Samples.transfer(23, .failed, "disk.iso")
        taken.edit {
            $0.error = TransferError(
                .cannotWrite, file: .init(.nameInUse, holder: 7), path: "/home/user/disk.iso", variant: .nameInUse)
        }
        #expect(
            report.take(event(taken), now: 1000) == [
                "23 disk.iso: failed: transfer 7 is writing this file. relocate 23 --output NAME, retry 23, clear 23"
            ])
        _ = report.take(.removed([existing.id, taken.id]), now: 1000)
        let waiting = Samples.waiting.snapshot.transfers
        let lines = waiting.flatMap { report.take(event($0), now: 1000) }
        #expect(lines.first?.hasSuffix(". resume --now 1") == true)
        #expect(lines.last == "4 ﾊﾝｶｸ.csv: attempt 3 in 12 seconds: connection refused. retry 4")
        #expect(report.why(TransferID(rawValue: 99), now: 1000) == ["No transfer has the id 99."])
        #expect(report.why(TransferID(rawValue: 2), now: 1000).count == 3)
        #expect(
            report.why(TransferID(rawValue: 4), now: 1000).last
                == "Advice: nothing to do: it retries automatically, also when the network changes; "
                + "'retry 4' retries now."
        )
        #expect(report.status(now: 1000).count == 6)
    }

    /// Hundreds of lines would hide what runs or has failed.
    @Test func theStatusOfALongQueueIsShort() {
        let queued = (1...300).map { Samples.transfer($0, .queued) }
        let lines = report(queued + [Samples.transfer(301, .failed)]).status(now: 1000)
        #expect(lines.count == 13 && lines[9] == "10 file.bin: queued" && lines[10].hasPrefix("301 file.bin: failed"))
        #expect(lines[11] == "290 more queued. list state:queued")
        #expect(report(Array(queued.prefix(10))).status(now: 1000).count == 11)
    }

    @Test func saysWhatAQueuedTransferWaitsFor() {
        var later = Samples.transfer(4, .queued)
        later.earliestBegin = 11_920
        let others = [Samples.transfer(1, .running), Samples.transfer(2, .queued), Samples.transfer(3, .queued)]
        var report = report([])
        _ = report.take(
            .snapshot(QueueSnapshot(transfers: others + [later], limits: QueueLimits(concurrent: 1))), now: 1000)
        #expect(
            report.why(TransferID(rawValue: 3), now: 1000) == [
                "3 file.bin: queued", "Reason: waits for a slot: 1 of 1 is taken.",
                "Advice: 'move 3 top' moves it to the top, 'set' changes the slots.",
            ])
        #expect(report.why(TransferID(rawValue: 4), now: 1000).last == "Advice: 'set 4 --at now' starts it now.")
    }

    @Test func saysSinceWhenNoByteMoves() {
        var report = report([])
        var sent = Samples.transfer(1, .running, "a.pdf", kind: .upload, bytes: 10, total: 10)
        sent.edit { $0.rate = 5 }
        var silent = Samples.transfer(2, .running, "b.iso", bytes: 5, total: 10)
        silent.edit { ($0.rate, $0.attempt) = (0, 3) }
        _ = [sent, silent].flatMap { report.take(event($0), now: 1000) }
        #expect(report.status(now: 1001).dropFirst().first == "2 b.iso: running, attempt 3, 50 percent, 0B per second")
        #expect(
            report.status(now: 1020).dropLast() == [
                "1 a.pdf: running, all bytes are sent, waiting for the server for 20 seconds",
                "2 b.iso: running, attempt 3, 50 percent, nothing has arrived for 20 seconds",
            ])
        #expect(report.why(silent.id, now: 1020).last == "Reason: nothing has arrived for 0:20.")
        // Another program began earlier.
        var later = self.report([])
        silent.edit { $0.silentSince = 990 }
        _ = later.take(event(silent), now: 1020)
        #expect(later.why(silent.id, now: 1020).last == "Reason: nothing has arrived for 0:30.")
        silent.edit { ($0.bytes, $0.silentSince) = (6, nil) }
        _ = report.take(event(silent), now: 1021)
        #expect(report.status(now: 1022).dropFirst().first?.contains("60 percent, 0B per second") == true)
    }

    /// What a braille display or a speech synthesizer would misread.
    @Test func writesNoGlyphs() {
        var report = report([])
        let all = Samples.mixed.snapshot.transfers + Samples.failed.snapshot.transfers
        for transfer in all {
            var plain = transfer
            plain.file = "/tmp/a.bin"
            for line in report.take(event(plain), now: 1000) + report.why(plain.id, now: 1000) {
                #expect(line.unicodeScalars.allSatisfy { $0.isASCII }, "\(line)")
            }
            _ = report.take(.removed([transfer.id]), now: 1000)
        }
    }

    @Test(arguments: [
        (1.0, "1 second"), (59, "59 seconds"), (170, "2 minutes"), (7300, "2 hours"), (200_000, "2 days"),
    ])
    func spans(_ seconds: Double, _ text: String) { #expect(LinearReport.span(seconds) == text) }
}

struct RateLabelTests {
    @Test(
        arguments: [
            (3_584_000, "3.4M"), (1_843_200, "1.8M"), (921_600, "900K"), (4 << 20, "4M"), (1_572_864, "1.5M"),
            (10_450_000, "10M"), (999, "999B"), (1000, "1K"), (1_023_700, "1M"), (1 << 30, "1G"),
        ])
    func isRoundedToFourColumns(_ rate: Int, _ text: String) { #expect(RateText.label(rate) == text) }

    @Test func isNeverWider() {
        var rate = 1.0
        while rate < 1e14 {
            #expect(RateText.label(Int(rate)).utf8.count <= 4, "\(Int(rate))")
            rate *= 1.01
        }
    }

    /// A sign in the row, the rate in the first line.
    @Test(arguments: [80, 120]) func isTheSameEverywhere(_ columns: Int) {
        var transfer = Samples.transfer(1, .running, bytes: 5, total: 10)
        transfer.rateLimit = 1800 << 10
        transfer.edit { $0.rate = 921_600 }
        var state = Samples.state([transfer])
        state.limits.download = 1800 << 10
        state.resize(columns: columns, rows: 24)
        let grid = render(state, columns: columns, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 0).contains("limit ↓1.8M") && grid.text(row: 3).contains(" ≤900K/s"))
    }
}

struct PictureTests {
    @Test func textHasNoBlanksAtItsEnds() {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        let picture = ScreenPicture(render(state, columns: 80, rows: 24, capabilities: .unicode), theme: .auto)
        #expect(picture.lines.count == 24 && picture.lines.allSatisfy { !$0.hasSuffix(" ") })
        #expect(picture.lines[0].hasPrefix("fileq"))
    }

    /// With its hints, though no key acts on the queue.
    @Test(arguments: [false, true]) func isThatOfTheScreen(_ isWatching: Bool) async throws {
        var options = TerminalProgram.Options()
        options.words = Samples.words
        options.isReadOnly = isWatching
        let picture = try await ScreenPicture.take(
            of: Self.running, options: options, columns: 80, rows: 24, keys: "j", now: 1000)
        #expect(picture.lines[1].contains("watching") == isWatching)
        #expect(picture.lines[23].contains("p pause") == !isWatching, "\(picture.lines[23])")
    }

    /// Dialogs open, with what they look up.
    @Test func keysReachDialogs() async throws {
        var options = TerminalProgram.Options()
        options.words = Samples.words
        options.lookAhead = { request in
            var outlook = AddOutlook()
            (outlook.downloads, outlook.name) = (1, request.addresses)
            return outlook
        }
        (options.homeFolder, options.workingFolder) = (nil, "/")
        let form = try await ScreenPicture.take(
            of: Self.running, options: options, columns: 80, rows: 24, keys: "ahttps://a.example", now: 1000)
        #expect(form.lines.contains { $0.contains("1 download: https://a.example") })
        #expect(form.svg.contains("fill-opacity=\"0.35\""), "the cursor")
        let picker = try await ScreenPicture.take(
            of: Self.running, options: options, columns: 80, rows: 24, keys: "a<Down><Enter>", now: 1000)
        #expect(picker.lines.contains { $0.contains("Upload from /") })
        #expect(picker.lines.contains { $0.contains("etc/") })
    }

    /// They leave no trace: neither a notice nor an entry in the log.
    @Test(arguments: [("p", ""), ("Xy", "X"), ("q", ""), ("l2M\n6", "l2M6"), ("p6", "6")])
    func keysDoNotActOnTheQueue(_ keys: String, _ same: String) async throws {
        var options = TerminalProgram.Options()
        options.words = Samples.words
        options.commandLine = { _ in "a command" }
        var pictures: [[String]] = []
        for pressed in [keys, same] {
            let picture = try await ScreenPicture.take(
                of: Self.running, options: options, columns: 80, rows: 24, keys: pressed, now: 1000)
            pictures.append(picture.lines)
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test func keysAreCharactersAndNames() {
        #expect(
            Key.sequence("3<Down><ctrl-a><x>夏<\n") == [
                .character("3"), .down, .control("a"), .character("<"), .character("x"), .character(">"),
                .character("夏"), .character("<"), .enter,
            ])
    }

    private static var running: FakeQueue {
        FakeQueue([Samples.transfer(1, .running), Samples.transfer(2, .running)])
    }

    @Test(arguments: [Theme.dark, .light, .nord]) func svgHasEveryCharacterOnce(_ theme: Theme) {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        let svg = ScreenPicture(render(state, columns: 80, rows: 24, capabilities: .unicode), theme: theme).svg
        #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains(">祭</text>") && svg.contains("404 Not Found") && !svg.contains("█"))
        #expect(svg.split(separator: "<text ").count == svg.split(separator: "</text>").count)
        #expect(svg.contains(theme == .light ? "#ffffff" : "#15181e"))
    }

    /// Viewers drop such spaces, and would stretch what is left over the width of the whole.
    @Test func textInSVGHasNoSpacesThatViewersDrop() {
        var grid = Grid(columns: 24, rows: 1)
        grid.write("  1  夏 a b   c ", row: 0, column: 0)
        let texts = SVGPicture(grid: grid, theme: .dark).text.split(separator: "<text ").dropFirst()
        let found = texts.compactMap { $0.split(separator: "<").first }.map { text in
            let x = text.split(separator: "\"")[1]
            return "\(x) \(text.split(separator: ">", maxSplits: 1)[1])"
        }
        #expect(found == ["26 1", "50 夏", "74 a b", "122 c"])
    }

    /// Whatever the font; the same beside each other is one.
    @Test func linesAndBlocksAreRectangles() {
        var grid = Grid(columns: 8, rows: 2)
        grid.write("┌──┐███", row: 0, column: 0)
        grid.write("└──┘", row: 1, column: 0)
        let svg = SVGPicture(grid: grid, theme: .dark).text
        #expect(!svg.contains("<text"))
        // The background, two for each corner, two lines, and a bar.
        #expect(svg.split(separator: "<rect ").count - 1 == 1 + 8 + 2 + 1)
        #expect(svg.contains("x=\"42\" y=\"10\" width=\"24\" height=\"17\""), "\(svg)")
    }

    @Test func escapesMarkup() {
        var grid = Grid(columns: 8, rows: 1)
        grid.write("<a&b>", row: 0, column: 0)
        #expect(SVGPicture(grid: grid, theme: .dark).text.contains("&lt;a&amp;b&gt;"))
    }
}

struct LinearProgramTests {
    /// Commands in, lines out, without a service.
    @Test func repliesToCommands() async {
        let (input, typing) = AsyncStream.makeStream(of: String.self)
        let written = Mutex("")
        var options = TerminalProgram.Options()
        options.words = Samples.words
        options.run = { line in line == "bad" ? CommandOutcome(error: "no such command") : CommandOutcome() }
        for line in ["totals", "", "why 7", "why", "bad", "pause 3", "help", "quit", "not reached"] {
            typing.yield(line)
        }
        let reader = LineReader(input)
        let program = LinearProgram(
            client: FakeQueue(), options: options, words: InterfaceCommand.linearWords, hasPrompt: false,
            read: { _ in await reader.next() }, write: { text in written.withLock { $0 += text } }, now: { 1000 })
        #expect(await program.run() == .quit)
        let text = written.withLock { $0 }
        for part in [
            "No transfer has the id 7.", "Name one transfer: why 3", "Error: no such command", "done\n", "quit: leaves",
        ] { #expect(text.contains(part), "\(part)") }
    }

    private static let login = ConsentQuestion.login(
        .init(host: "intra.test", port: 80, scheme: "http", realm: "r", method: "basic"))

    /// What is typed, which lines are hidden, and the commands that follow.
    @Test(
        arguments: [
            (["login 7", "alice", " se cret", "n"], [2], [.login(.init(user: "alice", password: " se cret"), .once)]),
            (["login 7", "alice", "x", "y"], [2], [.login(.init(user: "alice", password: "x"), .always)]),
            // Followed by `quit`, which is no answer to keep.
            (["login 7", "alice", "x", "maybe", ""], [2], []),
            (["login 7", ""], [], []), (["login 8"], [], []), (["login"], [], []), (["trust 7"], [], []),
        ] as [([String], [Int], [QueueCommand])])
    func asksForUserAndHiddenPassword(_ typed: [String], _ hidden: [Int], _ commands: [QueueCommand]) async {
        let (input, typing) = AsyncStream.makeStream(of: String.self)
        for line in typed + ["quit"] { typing.yield(line) }
        let reader = LineReader(input)
        let written = Mutex("")
        let asked = Mutex<[Bool]>([])
        var transfer = Samples.transfer(7, .paused)
        transfer.status = .paused(.question(Self.login))
        let queue = FakeQueue([transfer])
        var options = TerminalProgram.Options()
        options.words = Samples.words
        let program = LinearProgram(
            client: queue, options: options, words: InterfaceCommand.linearWords, hasPrompt: true,
            read: { repeatingPrompt in
                asked.withLock { $0.append(repeatingPrompt != nil) }
                repeatingPrompt?()
                return await reader.next()
            }, write: { text in written.withLock { $0 += text } }, now: { 1000 })
        #expect(await program.run() == .quit)
        #expect(asked.withLock { $0 } == (0...typed.count).map(hidden.contains))
        #expect(queue.performed.map(\.command) == commands.map { $0.answering(Self.login) })
        let text = written.withLock { $0 }
        #expect(text.contains("7 file.bin: needs a login: intra.test. login 7"), "at the start: \(text)")
        #expect(hidden.isEmpty || text.contains("User name: ") && text.contains("Password of alice: "), "\(text)")
        let isRepeated = text.contains("Password of alice: \rPassword of alice: ")
        #expect(isRepeated != hidden.isEmpty, "after a stop: \(text)")
        #expect(!text.contains("cret"))
    }

    private actor LineReader {
        private let stream: AsyncStream<String>
        init(_ stream: AsyncStream<String>) { self.stream = stream }
        func next() async -> String? { await stream.first { _ in true } }
    }
}
