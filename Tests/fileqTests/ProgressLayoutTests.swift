// SPDX-License-Identifier: MIT

import TerminalInterface
import Testing
import TransferModel

@testable import fileq

@Suite struct ProgressLayoutTests {
    private static let now = 1_700_000_000.0

    /// A board with a moving download, a moving upload with a Japanese name, one that waits for its next try.
    private static func board(count: Int = 5) -> ProgressBoard {
        var board = ProgressBoard(count: count)
        var one = Script(id: 1, total: 1_073_741_824)
        var two = Script(id: 2, kind: .upload, file: "夏休みの写真.zip", total: 2048)
        var three = Script(id: 3, file: "\u{1b}[31mred.txt")
        var four = Script(id: 4, file: "done", total: 10)
        _ = board.take(
            one.event(.started, .running) {
                $0.bytes = 536_870_912
                $0.rate = 12_900_000
                $0.eta = 42
            })
        _ = board.take(two.event(.started, .running) { $0.bytes = 2048 })
        _ = board.take(
            three.event(.retrying, .retrying) {
                $0.bytes = 100
                $0.retryAt = now + 5
                $0.reason = "reset"
                $0.attempt = 2
            })
        _ = board.take(four.event(.completed, .completed) { $0.bytes = 10 })
        return board
    }

    @Test(arguments: [
        (
            100,
            [
                "↓ big.iso                              ━━━━━━━━━━━━━─────────────  50%  512M/1.00G 12.3M/s     0:42",
                "↑ 夏休みの写真.zip                     ━━━━━━━━━━━━━━━━━━━━━━━━━━ 100% waiting for the server      ",
                "↓ \u{fffd}[31mred.txt                         ··························  --% reset, again "
                    + "in 0:05        ",
                "1 of 5                                 ━━━━━━━━━━━━━─────────────  50%        512M 12.3M/s       --",
            ]
        ),
        (
            60,
            [
                "↓ big.iso              ━━━━━━━───────  50% 12.3M/s     0:42",
                "↑ 夏休みの写真.zip     ━━━━━━━━━━━━━━ 100% waiting for the…",
                "↓ \u{fffd}[31mred.txt         ··············  --% reset, again in…",
                "1 of 5                 ━━━━━━━───────  50% 12.3M/s       --",
            ]
        ),
        (20, ["↓ big.iso       50%", "↑ 夏休…真.zip  100%", "↓ \u{fffd}[31mred.txt  --%", "1 of 5          50%"]),
        (8, ["↓ b…iso", "↑ …zip ", "↓ \u{fffd}…txt", "1 of 5 "]),
    ])
    func linesFitTheWindow(columns: Int, expected: [String]) {
        let lines = ProgressLayout(glyphs: .unicode).lines(of: Self.board(), columns: columns, rows: 24, now: Self.now)
        #expect(lines == expected)
    }

    @Test func linesFitTheWindowMinusOne() {
        for glyphs in [TerminalGlyphs.unicode, .ascii] {
            for columns in 1...200 {
                for line in ProgressLayout(glyphs: glyphs).lines(
                    of: Self.board(), columns: columns, rows: 24, now: Self.now)
                {
                    #expect(CellWidth.of(line) <= max(1, columns - 1), "\(columns): \(line)")
                    #expect(glyphs == .unicode || line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
                }
            }
        }
    }

    @Test func countsHiddenTransfers() {
        var board = ProgressBoard(count: 100)
        for id in 1...50 {
            var script = Script(id: id, file: "file-\(id)")
            _ = board.take(script.event(.started, .running))
        }
        let lines = ProgressLayout(glyphs: .ascii).lines(of: board, columns: 80, rows: 10, now: Self.now)
        #expect(lines.count == 9)
        #expect(lines[7].hasPrefix("~ and 43 more"))
        #expect(lines[8].hasPrefix("0 of 100"))
    }

    @Test func oneTransferNeedsNoTotal() {
        var board = ProgressBoard(count: 1)
        var script = Script()
        _ = board.take(script.event(.started, .running))
        #expect(ProgressLayout(glyphs: .ascii).lines(of: board, columns: 80, rows: 24, now: Self.now).count == 1)
    }
}

@Suite struct ProgressBoardTests {
    /// What was here already, or had not changed, did not move.
    @Test func theSummaryCountsWhatMoved() {
        var board = ProgressBoard(count: 2)
        for (id, moved) in [(1, Int64(0)), (2, 30)] {
            var script = Script(id: id, total: 100)
            var metrics = TransferMetrics()
            metrics.bodyReceived = moved
            _ = board.take(script.event(.started, .running))
            _ = board.take(
                script.event(.completed, .completed, after: 1) {
                    $0.bytes = 100
                    $0.metrics = metrics
                })
            let end = moved == 0 ? "; nothing moved" : "; 30B in 1.0 s, 30B/s"
            #expect(ResultText.summary(board).hasSuffix(end), "\(ResultText.summary(board))")
        }
    }

    @Test func totalsFollowTheLastEvents() {
        var board = ProgressBoard(count: 2)
        var (one, two) = (Script(id: 1, total: 100), Script(id: 2, total: 300))
        #expect(board.take(one.event(.started, .running)) == nil)
        #expect(board.knownTotal == nil)
        #expect(board.take(two.event(.started, .running)) == nil)
        #expect(board.knownTotal == 400)
        _ = board.take(
            one.event(.progress, .running) {
                $0.bytes = 50
                $0.rate = 10
            })
        _ = board.take(
            two.event(.progress, .running) {
                $0.bytes = 50
                $0.rate = 20
            })
        #expect(board.fraction == 0.25)
        #expect(board.eta == 10)
        let ended = board.take(
            one.event(.completed, .completed, after: 2) {
                $0.bytes = 100
                $0.rate = nil
            })
        #expect(ended?.elapsed == 2)
        #expect(board.rate == 20)
        #expect(board.liveCount == 1)
        // What has failed moves no further, so it does not hold the whole back.
        _ = board.take(two.failed(.receiveFailed, "reset"))
        #expect(board.fraction == 1)
        #expect((board.completed, board.failed) == (1, 1))
    }

    @Test func tenThousandTransfersAreCheap() {
        var board = ProgressBoard(count: 10_000)
        let clock = ContinuousClock()
        let spent = clock.measure {
            for id in 1...10_000 {
                var script = Script(id: id, total: 4096)
                _ = board.take(script.event(.started, .running))
                _ = board.take(script.event(.completed, .completed) { $0.bytes = 4096 })
            }
        }
        #expect(board.bytes == 40_960_000)
        #expect(board.completed == 10_000)
        #expect(spent < .seconds(2))
    }
}
