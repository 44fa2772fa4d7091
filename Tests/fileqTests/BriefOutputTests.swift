// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

/// One line for each file, where no terminal is.
@Suite struct BriefOutputTests {
    @Test func aFileHasOneLine() {
        var lines = PlainLines(signs: .unicode)
        var script = Script(id: 1, total: 1000)
        for event in [
            script.event(.queued, .queued), script.event(.started, .running),
            script.event(.progress, .running) { $0.bytes = 500 },
        ] { #expect(lines.line(for: event, ended: nil) == nil) }
        let waiting = lines.line(for: script.event(.waiting, .waiting) { $0.reason = "no network" }, ended: nil)
        #expect(waiting == "waiting big.iso: no network")
        let event = script.event(.completed, .completed) { $0.bytes = 1000 }
        let ended = ProgressBoard.Ended(transfer: event.transfer, elapsed: 2)
        #expect(lines.line(for: event, ended: ended)?.hasPrefix("✓ big.iso  0.98K in 2.0 s") == true)
    }

    /// Failures follow once more on many files; what had not changed is counted as such.
    @Test func theEndCountsAndRepeats() {
        var board = ProgressBoard(count: 12)
        for id in 1...12 {
            var script = Script(id: id, total: 10)
            _ = board.take(script.event(.started, .running))
            guard id != 3 else {
                _ = board.take(script.failed(.receiveFailed, "reset"))
                continue
            }
            var metrics = TransferMetrics()
            metrics.bodyReceived = id < 6 ? 0 : 10
            metrics.exchanges = id < 6 ? 0 : 1
            _ = board.take(
                script.event(.completed, .completed, after: 1) {
                    $0.bytes = 10
                    $0.metrics = metrics
                })
        }
        #expect(ResultText.summary(board).hasPrefix("12 transfers: 7 done, 4 unchanged, 1 failed; "))
        let again = ResultText.failures(board, .unicode)
        #expect(again.count == 1 && again[0].hasPrefix("✗ big.iso  failed: "))
        #expect(ResultText.failures(ProgressBoard(count: 1), .unicode).isEmpty)
    }

    /// Small files that await the disk have no bars of their own.
    @Test func thereAreAsManyBarsAsMove() {
        var board = ProgressBoard(count: 40)
        for id in 1...20 {
            var script = Script(id: id, total: 10)
            _ = board.take(script.event(.started, .running))
            if id <= 16 { _ = board.take(script.event(.progress, .running) { $0.bytes = 10 }) }
        }
        #expect(board.liveCount == 20 && board.rows.count == 4)
    }

    @Test func coloursTakeNoColumns() {
        #expect(LiveRegion.width("\u{1b}[36m━━\u{1b}[0m\u{1b}[90m─\u{1b}[0m a") == 5)
        var board = ProgressBoard(count: 1)
        var script = Script(id: 1, total: 100)
        _ = board.take(script.event(.started, .running) { $0.bytes = 50 })
        let layout = ProgressLayout(glyphs: .unicode, hasColours: true)
        let coloured = layout.lines(of: board, columns: 80, rows: 24, now: 0)
        let plain = ProgressLayout(glyphs: .unicode).lines(of: board, columns: 80, rows: 24, now: 0)
        #expect(coloured[0].contains("\u{1b}[36m━") && LiveRegion.width(coloured[0]) == LiveRegion.width(plain[0]))
    }
}
