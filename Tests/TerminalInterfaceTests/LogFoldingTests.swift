// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct LogFoldingTests {
    private func entry(_ id: Int, _ time: Double, retry: Int, _ cause: String = "503") -> EventLog.Entry {
        var entry = EventLog.Entry(
            time: time, kind: .event, id: TransferID(rawValue: id), title: "\(id) a.bin",
            text: "try \(retry) in 0:10 · \(cause)")
        entry.retry = .init(number: retry, cause: cause)
        return entry
    }

    private func entry(_ id: Int, _ time: Double, _ text: String, isBeginning: Bool = false) -> EventLog.Entry {
        var entry = EventLog.Entry(
            time: time, kind: .event, id: TransferID(rawValue: id), title: "\(id) a.bin", text: text)
        entry.isBeginning = isBeginning
        return entry
    }

    private func texts(_ entries: [EventLog.Entry]) -> [String] { EventLog.folded(entries).map(\.line) }

    /// Those of another transfer stand between them.
    @Test func attemptsThatFailOfTheSameAreOneLine() {
        var entries = [entry(1, 0, "started", isBeginning: true), entry(2, 0, "started", isBeginning: true)]
        for number in 2...9 {
            let time = Double(number * 60)
            entries += [entry(1, time, retry: number), entry(2, time, retry: number, "refused")]
            entries += [1, 2].map { entry($0, time + 30, "started, attempt \(number)", isBeginning: true) }
        }
        #expect(
            texts(entries) == [
                "1 a.bin: started", "2 a.bin: started", "1 a.bin: try 2 → 9 · 503, for 7:00",
                "2 a.bin: try 2 → 9 · refused, for 7:00", "1 a.bin: started, attempt 9", "2 a.bin: started, attempt 9",
            ])
    }

    /// An upload notes from which byte it continues, before it is connected.
    @Test func attemptsThatContinueAreOneLineToo() {
        var entries = [entry(1, 0, "started", isBeginning: true)]
        for number in 2...5 {
            let time = Double(number * 60)
            entries += [
                entry(1, time, retry: number), entry(1, time + 30, "started, attempt \(number)", isBeginning: true),
                entry(1, time + 31, "continues from 390K", isBeginning: true),
            ]
        }
        #expect(
            texts(entries) == [
                "1 a.bin: started", "1 a.bin: try 2 → 5 · 503, for 3:00", "1 a.bin: started, attempt 5",
                "1 a.bin: continues from 390K",
            ])
    }

    @Test func anotherCauseOrEventBeginsALine() {
        let entries = [
            entry(1, 0, retry: 2), entry(1, 10, retry: 3, "reset"), entry(1, 20, retry: 4, "reset"),
            entry(1, 30, "paused"), entry(1, 40, retry: 5, "reset"),
        ]
        #expect(
            texts(entries) == [
                "1 a.bin: try 2 in 0:10 · 503", "1 a.bin: try 3 → 4 · reset, for 0:10", "1 a.bin: paused",
                "1 a.bin: try 5 in 0:10 · reset",
            ])
    }

    @Test func signsHaveColoursAndNamesAColumn() {
        var state = Samples.state([])
        state.resize(columns: 120, rows: 24)
        var retrying = Samples.transfer(21, .retrying, "flaky.bin")
        retrying.edit { ($0.reason, $0.retryAt, $0.attempt) = ("503 Service Unavailable", 1012, 3) }
        let done = Samples.transfer(3, .completed, "a-name-of-another-length.bin")
        for transfer in [retrying, done, Samples.failed.snapshot.transfers[0]] {
            state.log.add(
                state.events.entry(of: transfer, state.events.happened(transfer, isNew: false, at: 1000), at: 1000))
        }
        state.log.add(.command, "fileq pause 3", at: 1000)
        state.keys(.character("7"))
        let grid = render(state, columns: 120, rows: 24, capabilities: .unicode)
        let rows = (2..<6).map { grid.text(row: $0) }
        #expect(
            rows[0].contains("↻   21 flaky.bin  ") && rows[1].contains("✓    3 a-name")
                && rows[2].contains("✗    1 missing"))
        let texts = ["try 3", "done", "404"].enumerated().map { index, text in
            rows[index].firstRange(of: text).map {
                rows[index].distance(from: rows[index].startIndex, to: $0.lowerBound)
            }
        }
        #expect(Set(texts).count == 1 && texts[0] != nil, "\(rows)")
        #expect((2..<6).map { grid[$0, 10].style.role } == [.waits, .done, .failed, .key])
    }
}
