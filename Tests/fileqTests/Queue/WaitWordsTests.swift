// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// The output of 'fileq wait' for transfers that started before it, and for those that continue after it.
@Suite struct WaitWordsTests {
    private static func completed(_ id: Int, bytes: Int64, from start: Double?, to end: Double) -> Transfer {
        QueueStage.transfer(id, .completed) { transfer in
            (transfer.bytes, transfer.endedAt) = (bytes, end)
            guard let start else { return }
            var metrics = TransferMetrics()
            (metrics.taskStart, metrics.taskEnd, metrics.bodyReceived, metrics.exchanges) = (start, end, bytes, 1)
            transfer.metrics = metrics
        }
    }

    private func lines(_ transfers: [Transfer], watching: Int) -> [String] {
        let written: Mutex<String> = Mutex("")
        let display = PlainDisplay(count: watching, glyphs: .unicode, isVerbose: false, isWatching: true) { text in
            written.withLock { $0 += text }
        }
        for transfer in transfers {
            // Watched for a fifth of a second.
            display.show([
                TransferEvent(
                    time: 1000, name: .started, transfer: QueueStage.transfer(transfer.id.rawValue, .running)),
                TransferEvent(time: 1000.2, name: .init(of: transfer.state), transfer: transfer),
            ])
        }
        display.end()
        return written.withLock { $0 }.split(separator: "\n").map(String.init)
    }

    @Test func timesAreTheTransfers() {
        #expect(
            lines([Self.completed(1, bytes: 5_000_000, from: 994.4, to: 1000)], watching: 1).last
                == "completed 1.iso: 4.77M in 5.6 s, 872K/s")
    }

    @Test func omitsUnknownTimes() {
        #expect(
            lines([Self.completed(1, bytes: 5_000_000, from: nil, to: 1000)], watching: 1).last
                == "completed 1.iso: 4.77M")
    }

    @Test func continuingTransfersAreNotStopped() {
        let all = lines(
            [
                Self.completed(1, bytes: 5_242_880, from: 990, to: 1000), QueueStage.transfer(2, .running),
                QueueStage.transfer(3, .cancelled),
            ], watching: 38)
        #expect(all.last == "38 transfers: 1 done, 1 cancelled, 36 continue; 5.00M in 0:10, 512K/s")
    }

    @Test func firstFailureCountsAfterAllFinished() async throws {
        let transfers = [
            QueueStage.transfer(1, .completed),
            QueueStage.transfer(2, .failed) { $0.error = TransferError(.httpStatus, "404") },
            QueueStage.transfer(3, .failed) { $0.error = TransferError(.cannotConnect, "refused") },
        ]
        try await onQueueStage(transfers) { stage async throws in
            #expect(try await stage.run(["wait", "-q", "state:failed"]).status == 22)
            #expect(try await stage.run(["wait", "-q", "name:3.iso"]).status == 7)
        }
        try await onQueueStage([transfers[0]]) { stage async throws in
            let all = try await stage.run(["wait", "--all"])
            #expect(all.status == 0 && all.said == ["all transfers have completed: nothing to wait for"])
        }
    }

    /// What fails between 'add' and 'wait --all' is no success.
    @Test func failuresBeforeTheCommandCount() async throws {
        let failed = [2, 3].map { id in
            QueueStage.transfer(id, .failed) { $0.error = TransferError(id == 2 ? .httpStatus : .cannotConnect, "no") }
        }
        try await onQueueStage([QueueStage.transfer(1, .completed)] + failed) { stage async throws in
            let all = try await stage.run(["wait", "-q", "--all"])
            #expect(all.status == 22)
            #expect(
                all.said == [
                    "in the list already: 2 failed, the first of them 2 (2.iso): no; "
                        + "'fileq clear --keep-history' removes them from the list"
                ])
            let objects = try await stage.run(["wait", "--json", "--all"]).objects
            #expect(objects.compactMap { $0["event"] as? String } == ["failed", "failed"])
        }
        try await onQueueStage([QueueStage.transfer(1, .cancelled), failed[1]]) { stage async throws in
            let all = try await stage.run(["wait", "--all"])
            #expect(all.status == 130)
            #expect(all.said.first?.hasPrefix("in the list already: 1 cancelled, 1 failed, 3 (3.iso): no; ") == true)
        }
        try await onQueueStage([QueueStage.transfer(1, .running), failed[1]]) { stage async throws in
            async let outcome = stage.run(["wait", "-q", "--all"])
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            stage.queue.change(1, .completed)
            #expect(try await outcome.status == 7)
        }
    }
}
