// SPDX-License-Identifier: MIT

import TerminalInterface
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct ListLayoutTests {
    static let transfers = [
        QueueStage.transfer(1, .running) { ($0.bytes, $0.rate, $0.eta) = (500, 250, 2) },
        QueueStage.transfer(12, .failed) {
            ($0.error, $0.file) = (TransferError(.httpStatus, "404 not found"), "/a/議事録の長い名前を持つファイル.pdf")
        },
        QueueStage.transfer(123, .waiting) {
            ($0.reason, $0.waitingSince, $0.kind) = ("no network", FakeQueue.time - 65, .upload)
        },
    ]

    private func lines(
        _ columns: Int, _ environment: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"]
    ) -> [String] {
        let screen = QueueScreen(columns: columns, traits: TerminalTraits(isTerminal: true) { environment[$0] })
        return ListLayout(screen: screen, transfers: Self.transfers, now: FakeQueue.time).lines(of: Self.transfers)
    }

    @Test func printsATable() {
        #expect(
            lines(80) == [
                " ID   STATE        %  SIZE    RATE     LEFT NAME",
                "  1 ↓ running    50% 0.98K  250B/s     0:02 1.iso",
                " 12 ✗ failed      0% 11.7K                  議事録の長い名前を持つファイル.pdf",
                "      404 not found",
                "123 ↑ waiting     0%  120K                  123.iso",
                "      waiting 1:05 - no network",
                "3 transfers: 1 running, 1 waiting, 1 failed; 250B/s",
            ])
    }

    @Test func wordsStandForGlyphs() {
        var traits = TerminalTraits(isTerminal: true) { ["LANG": "C.UTF-8"][$0] }
        traits.usesWords = true
        let screen = QueueScreen(columns: 80, traits: traits)
        let lines = ListLayout(screen: screen, transfers: Self.transfers, now: FakeQueue.time).lines(
            of: Self.transfers)
        #expect(lines[0].hasPrefix(" ID STATE ") && lines[2].hasPrefix(" 12 failed "))
        #expect(lines[2].hasSuffix("議事録の長い名前を持つファイル.pdf"))
        #expect(!lines.joined().contains { "↓↑✓✗…·".contains($0) })
    }

    /// The range while rates differ, and that it is unknown, as the interface has them.
    @Test(
        arguments: [
            (144, 530, "C.UTF-8", "2–9m"), (144, 530, "C", "2-9m"), (11520, nil, "C.UTF-8", "3h12"),
            (nil, nil, "C.UTF-8", "?"),
        ] as [(Double?, Double?, String, String)])
    func listAndInfoHaveTheTimeLeftOfTheInterface(
        _ least: Double?, _ most: Double?, _ language: String, _ left: String
    ) {
        let running = QueueStage.transfer(1, .running) {
            ($0.bytes, $0.rate, $0.eta, $0.longestETA) = (500, 250, least, most)
        }
        let screen = QueueScreen(columns: 80, traits: TerminalTraits(isTerminal: true) { ["LANG": language][$0] })
        let lines = ListLayout(screen: screen, transfers: [running], now: FakeQueue.time).lines(of: running)
        let column = String(repeating: " ", count: 8 - left.count) + left
        #expect(lines.count == 1 && lines[0].hasSuffix("  250B/s \(column) 1.iso"), "\(lines)")
        let plain = PlainListLayout(now: FakeQueue.time, screen: screen).line(of: running)
        #expect(plain.contains("\t250B/s\t\(left)\t1.iso"), "\(plain)")
        let info = InfoLayout(screen: screen, localTime: .utc).lines(of: TransferInfo(transfer: running))
        #expect(info.contains { $0.hasSuffix(", 250B/s, \(left) left") }, "\(info)")
    }

    @Test(arguments: [(0, "0s"), (6.2, "7s"), (59.5, "1:00"), (11520, "3h12"), (nil, "?")] as [(Double?, String)])
    func programsGetSecondsAsBefore(_ eta: Double?, _ left: String) {
        let running = QueueStage.transfer(1, .running) { ($0.rate, $0.eta) = (250, eta) }
        let line = PlainListLayout(now: FakeQueue.time).line(of: running)
        #expect(line.contains("\t250B/s\t\(left)\t"), "\(line)")
    }

    private static let queued = QueueStage.transfer(4, .queued) { _ in }

    @Test func saysWhenAScheduledTransferStarts() {
        var (later, due, idle) = (Self.queued, Self.queued, Self.queued)
        (later.earliestBegin, due.earliestBegin) = (FakeQueue.time + 2652, FakeQueue.time - 1)
        idle.isDiscretionary = true
        let now = FakeQueue.time
        let utc: (Double) -> String = LocalTime.utc.text
        let start = now + 2652
        #expect(ListFigures.note(later, now: now, time: utc) == "starts \(LocalTime.utc.text(start)), in 44:12")
        #expect(ListFigures.note(due, now: now, time: utc) == nil)
        #expect(ListFigures.note(idle, now: now, time: utc) == "starts when no other transfer runs")
        #expect(
            PlainListLayout(now: now).line(of: later).hasSuffix("\tstarts \(Timestamp.text(start)), in 44:12"))
    }

    @Test func saysWhatATransferStartsAfter() {
        var (waiting, held) = (Self.queued, Self.queued)
        waiting.after = [3, 4, 7].map(TransferID.init(rawValue:))
        held.after = [TransferID(rawValue: 3)]
        held.status = .paused(.setAside(.predecessor(TransferID(rawValue: 3), .failed)))
        let now = FakeQueue.time
        #expect(ListFigures.note(waiting, now: now, time: LocalTime.utc.text) == "starts after 3-4, 7")
        #expect(ListFigures.note(held, now: now, time: LocalTime.utc.text) == "after 3, which failed")
        #expect(QueueJSON.object(waiting).object.contains(#""after":[3,4,7]"#))
        #expect(QueueJSON.object(held).object.contains(#""reason":"after 3, which failed""#))
        #expect(MessageCatalog.brief(of: held) == ["after 3, which failed"])
    }

    /// The server alone would not say what it asks for.
    @Test(arguments: [
        (false, 120, "a.test:81 asks for a login (staff of the second floor), to be sent unencrypted"),
        (false, 60, "a.test:81 asks for a login"), (false, 24, "asks for a login"),
        (true, 60, "a.test:81 did not accept the login"), (true, 30, "login not accepted"),
    ])
    func aShortLineSaysThatALoginIsAskedFor(_ hasFailed: Bool, _ columns: Int, _ note: String) throws {
        let login = ConsentQuestion.Login(
            host: "a.test", port: 81, scheme: "http", realm: "staff of the second floor", method: "basic",
            hasFailed: hasFailed)
        var transfer = QueueStage.transfer(5, .paused) { _ in }
        transfer.status = .paused(.question(.login(login)))
        let screen = QueueScreen(columns: columns, traits: TerminalTraits(isTerminal: true) { ["LANG": "C"][$0] })
        let lines = ListLayout(screen: screen, transfers: [transfer], now: 0).lines(of: transfer)
        let below = try #require(lines.dropFirst().first)
        #expect(String(below.drop { $0 == " " }) == note)
    }

    /// What awaits a slot for its next attempt is queued, with the cause of the last one.
    @Test func theCauseOfAQueuedTransferIsShortened() {
        let error = TransferError(.httpStatus, .init(phrase: "Service Unavailable"), host: "a.test:81", status: 503)
        var transfer = QueueStage.transfer(5, .queued) { _ in }
        transfer.status = .queued(.failure(error))
        let now = FakeQueue.time
        let notes = ListFigures.notes(transfer, now: now, time: LocalTime.utc.text)
        #expect(notes.count > 1 && notes.dropFirst().first == "503 Service Unavailable" && notes.last == "HTTP 503")
        transfer.earliestBegin = now + 60
        #expect(ListFigures.notes(transfer, now: now, time: LocalTime.utc.text).count == 1)
    }

    @Test(arguments: 1...120) func noLineIsWiderThanTheWindow(_ columns: Int) {
        for line in lines(columns) { #expect(CellWidth.of(line) <= max(columns, 16), "\(line)") }
    }

    @Test func coloursAndPlainSigns() {
        #expect(lines(80, ["TERM": "xterm", "LANG": "C"])[2].contains("\u{1b}[31m!! failed  \u{1b}[0m"))
        #expect(
            ListLayout(
                screen: QueueScreen(columns: 80, traits: TerminalTraits(isTerminal: true) { _ in nil }), transfers: [],
                now: 0
            ).lines(of: []) == [])
    }
}
