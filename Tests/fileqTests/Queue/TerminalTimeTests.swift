// SPDX-License-Identifier: MIT

import Synchronization
import TerminalInterface
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// Local times and tables for people, UTC and names as they are for programs.
@Suite struct TerminalTimeTests {
    private static let tokyo = LocalTime(
        day: { LocalTime.utc.day($0 + 9 * 3600) },
        seconds: { day, clock in LocalTime.utc.seconds(day, clock).map { $0 - 9 * 3600 } })

    private static func screen(_ columns: Int) -> QueueScreen {
        QueueScreen(
            columns: columns,
            traits: TerminalTraits(isTerminal: true) { ["TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"][$0] })
    }

    private func onStage(_ body: (QueueStage) async throws -> Void) async throws {
        let ended = [
            QueueStage.transfer(2, .failed) { $0.error = TransferError(.httpStatus, "404 Not Found") },
            QueueStage.transfer(1, .completed) { $0.bytes = 1000 },
        ]
        try await onQueueStage(ended) { stage async throws in
            stage.queue.contents.withLock {
                $0.history = ended.map { HistoryEntry(endedAt: FakeQueue.time, transfer: $0) }
            }
            try await body(stage)
        }
    }

    @Test func historyIsATableInLocalTime() async throws {
        try await onStage { stage async throws in
            #expect(
                try await stage.run(["history"], screen: Self.screen(80), localTime: Self.tokyo).lines == [
                    "ENDED               ID   STATE        %  SIZE NAME",
                    "2023-11-15 07:13:20  2 ✗ failed      0% 1.95K 2.iso",
                    "                         404 Not Found",
                    "2023-11-15 07:13:20  1 ✓ completed 100% 0.98K 1.iso",
                ])
            #expect(
                try await stage.run(["history"], localTime: Self.tokyo).lines.first
                    == "2023-11-14T22:13:20Z\t2\tfailed\t0%\t1.95K\t-\t-\t2.iso\t404 Not Found")
            for columns in [30, 50, 60, 72, 100] {
                for line in try await stage.run(["history"], screen: Self.screen(columns), localTime: Self.tokyo).lines
                { #expect(CellWidth.of(line) <= columns) }
            }
        }
    }

    @Test func infoIsInLocalTime() async throws {
        try await onStage { stage async throws in
            #expect(
                try await stage.run(["info", "1"], screen: Self.screen(80), localTime: Self.tokyo).lines.contains(
                    "added       2023-11-15 07:13:20"))
            #expect(
                try await stage.run(["info", "1"], localTime: Self.tokyo).lines.contains(
                    "added       2023-11-14T22:13:20.000Z"))
        }
    }

    @Test func logsAreInLocalTime() async throws {
        try await onQueueStage([]) { stage async throws in
            try stage.folder.write("2023-11-14T22:13:20.123Z ready\nno time\n", to: "service.log")
            #expect(
                try await stage.run(["logs"], screen: Self.screen(80), localTime: Self.tokyo).lines == [
                    "2023-11-15 07:13:20 ready", "no time",
                ])
            #expect(
                try await stage.run(["logs"], localTime: Self.tokyo).lines.first == "2023-11-14T22:13:20.123Z ready")
        }
    }

    @Test(arguments: [0, 1_711_846_800 - 1, 1_711_846_800, 1_711_900_000, 1_729_990_800, 1_730_000_000.75] as [Double])
    func usesTheSystemClock(_ moment: Double) {
        // Whatever the zone, it reads back.
        let text = LocalTime.system.text(moment)
        #expect(text.count == 19)
        #expect(LocalTime.utc.localized(Timestamp.text(moment) + " x") == LocalTime.utc.text(moment) + " x")
    }

    @Test func aDayOnWhichTheClocksArePutForward() {
        // Noon of a day that lost its hour from 2 to 3.
        let local = LocalTime(
            day: { LocalTime.utc.day($0 + ($0 < 7200 ? 0 : 3600)) },
            seconds: { day, clock in
                LocalTime.utc.seconds(day, clock).map { $0 < 7200 ? $0 : $0 - 3600 }
            })
        #expect(local.text(39600) == "1970-01-01 12:00:00")
        #expect(local.text(3600) == "1970-01-01 01:00:00")
    }

    @Test func programsGetUnchangedNames() async throws {
        let family = "👨\u{200d}👩\u{200d}👧.jpg"
        let transfers = [
            QueueStage.transfer(1) { $0.file = "/d/\(family)" },
            QueueStage.transfer(2) { $0.file = "/d/a\tb\nc\u{1b}[2J\u{9b}d\u{2028}e\u{202e}f\u{61c}" },
        ]
        try await onQueueStage(transfers) { stage async throws in
            let lines = try await stage.run(["list"]).lines
            #expect(lines.count == 2)
            #expect(lines.first?.hasSuffix("\t" + family) == true)
            #expect(lines.last?.hasSuffix("\ta\\tb\\nc\\x1b[2J\\x9bd\\u2028e\\u202ef\\u061c") == true)
            let shown = try await stage.run(["list"], screen: Self.screen(80)).output
            #expect(!shown.unicodeScalars.contains("\u{200d}") && shown.contains("👨👩👧.jpg"))
        }
    }
}
