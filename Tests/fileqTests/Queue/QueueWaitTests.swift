// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct QueueWaitTests {
    @Test func exitsWithTheFirstFailureInOrder() async throws {
        try await onQueueStage([
            QueueStage.transfer(1, .running), QueueStage.transfer(2), QueueStage.transfer(3, .completed),
        ]) { stage async throws in
            async let outcome = stage.run(["wait", "--json", "3", "2", "1"])
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            stage.queue.change(1, .failed) { $0.error = TransferError(.timedOut, "late") }
            stage.queue.change(2, .running)
            stage.queue.change(2, .failed) { $0.error = TransferError(.hostNotResolved, "who") }
            let ended = try await outcome
            #expect(ended.status == 6)
            #expect(ended.objects.compactMap { $0["event"] as? String }.suffix(3) == ["failed", "started", "failed"])
            #expect(ended.objects.first?["event"] as? String == "completed")
        }
    }

    @Test func reportsFinishedTransfers() async throws {
        try await onQueueStage([QueueStage.transfer(3, .cancelled)]) { stage async throws in
            #expect(try await stage.run(["wait", "-q", "3"]).status == 130)
            stage.queue.contents.withLock { contents in
                contents.history = [HistoryEntry(endedAt: 1, transfer: QueueStage.transfer(9, .completed))]
            }
            #expect(try await stage.run(["wait", "-q", "9"]).status == 0)
        }
    }

    @Test func interruptsTheWaitOnly() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            let interruption = Interruption()
            async let outcome = stage.run(["wait", "-q", "1"], interruption: interruption)
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            interruption.receive(SIGINT)
            #expect(try await outcome.status == 130)
            #expect(stage.performed.isEmpty)
        }
    }

    @Test func reconnectsAfterACrash() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            let path = stage.folder.path + "/run/s"
            let clients: Mutex<[ControlClient]> = Mutex([])
            let starts: Mutex<[Bool]> = Mutex([])
            async let outcome = stage.run(
                ["wait", "-q", "1"],
                connect: { starting async throws(TransferError) in
                    starts.withLock { $0.append(starting) }
                    if starts.withLock({ $0.count }) == 2 { throw TransferError(.cannotConnect, "not yet") }
                    let client = try await QueueStage.connect(path)
                    clients.withLock { $0.append(client) }
                    return client
                })
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            clients.withLock { $0[0] }.close()
            #expect(
                await eventually(within: 600) { clients.withLock { $0.count } == 2 && stage.queue.listenerCount == 1 })
            stage.queue.change(1, .completed)
            #expect(try await outcome.status == 0)
            #expect(starts.withLock { $0 } == [true, true, true])
        }
    }

    /// The way to another machine may be gone for hours; an error that no attempt changes ends that.
    @Test(arguments: [(.cannotConnect, 51), (.usage, 1)] as [(TransferError.Code, Int)])
    func reconnectsToAnotherMachineForLong(_ code: TransferError.Code, _ attempts: Int) async throws {
        try await onQueueStage([]) { stage async throws in
            let path = stage.folder.path + "/run/s"
            let tried: Mutex<Int> = Mutex(0)
            let said: Mutex<[String]> = Mutex([])
            var context = QueueContext(connect: { _ async throws(TransferError) in
                let count = tried.withLock { count in
                    count += 1
                    return count
                }
                if count <= 50 { throw TransferError(code, "no way") }
                return try await QueueStage.connect(path)
            })
            context.pause = { _ in await Task.yield() }
            context.surroundings.machine = "nas"
            let lost = try await QueueStage.connect(path)
            lost.close()
            let client = try? await context.reconnect(after: lost) { line in said.withLock { $0.append(line) } }
            #expect((client != nil) == (code != .usage))
            #expect(tried.withLock { $0 } == attempts)
            #expect(said.withLock { $0 } == ["connection to nas lost, reconnecting"])
            client?.close()
        }
    }

    /// A new list no longer has what ended and left for the history meanwhile.
    @Test func findsWhatEndedMeanwhileInTheHistory() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            async let outcome = stage.run(["wait", "-q", "1"])
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            stage.queue.contents.withLock { contents in
                contents.transfers = []
                contents.history = [HistoryEntry(endedAt: 1, transfer: QueueStage.transfer(1, .completed))]
                contents.post(.snapshot(QueueSnapshot()))
            }
            #expect(try await outcome.status == 0)
        }
    }

    /// One by one, thousands take longer than the queue takes to change again.
    @Test func asksForAllOfThemByThePage() async {
        let queue = FakeQueue()
        queue.contents.withLock { contents in
            contents.history = (1...2000).reversed().map {
                HistoryEntry(endedAt: Double($0), transfer: QueueStage.transfer($0, .completed))
            }
        }
        let found = await queue.ended(among: (1...2500).map(TransferID.init(rawValue:)))
        #expect(found.count == 2000)
        #expect(queue.calls(HistoryCall.self).count == 3)
    }

    @Test func doesNotRestartAStoppedService() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            let path = stage.folder.path + "/run/s"
            let starts: Mutex<[Bool]> = Mutex([])
            async let outcome = stage.run(
                ["wait", "-q", "1"],
                connect: { starting async throws(TransferError) in
                    starts.withLock { $0.append(starting) }
                    guard starting else { throw TransferError(.other, "none runs") }
                    return try await QueueStage.connect(path)
                })
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            stage.queue.end()
            let ended = try await outcome
            #expect(ended.status == 1 && ended.said.first?.contains("was stopped") == true, "\(ended.said)")
            #expect(starts.withLock { $0 } == [true, false, false, false, false])
        }
    }

    @Test func reportsAPausedTransferOnce() {
        var ledger = WaitLedger(order: [TransferID(rawValue: 1)])
        var script = Script()
        let paused = script.event(.paused, .paused) { $0.error = TransferError(.cannotWrite, "disk full") }
        let other = Script(id: 2).transfer
        func take(_ update: QueueUpdate) -> Int {
            let news = ledger.take(update, now: 0)
            return ledger.newlyPaused(in: news).count
        }
        #expect(take(.snapshot(QueueSnapshot(transfers: [paused.transfer, other]))) == 1)
        #expect(take(.events([paused, TransferEvent(time: 0, name: .queued, transfer: other)])) == 0)
        #expect(take(.events([script.event(.started, .running)])) == 0)
        #expect(take(.events([paused])) == 1)
        #expect(
            QueueWait.pausedNotice(paused.transfer)
                == "1 (big.iso) is paused: disk full; 'fileq resume 1' resumes it")
        #expect(!ledger.isFinished)
        // Removed while no client was connected.
        #expect(ledger.take(.snapshot(QueueSnapshot()), now: 0).map(\.name) == [.cancelled])
        #expect(ledger.isFinished && ledger.exitCode == 130)
    }

    @Test func watchReportsStateAndEvents() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running), QueueStage.transfer(2, .completed)]) {
            stage async throws in
            let interruption = Interruption()
            async let outcome = stage.run(["watch"], interruption: interruption)
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            stage.queue.change(1, .completed)
            stage.queue.end()
            let ended = try await outcome
            #expect(ended.status == 0 && ended.said == ["the background service has ended"])
            #expect(ended.objects.compactMap { $0["event"] as? String } == ["started", "completed"])
            interruption.receive(SIGINT)
            #expect(try await stage.run(["watch"], interruption: interruption).status == 130)
        }
    }

    @Test func watchContinuesAfterACrash() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            let path = stage.folder.path + "/run/s"
            let clients: Mutex<[ControlClient]> = Mutex([])
            async let outcome = stage.run(
                ["watch"],
                connect: { _ async throws(TransferError) in
                    let isAgain = clients.withLock { !$0.isEmpty }
                    guard await eventually(within: 600, { !isAgain || stage.queue.listenerCount == 0 }) else {
                        throw TransferError(.other, "the lost connection stays")
                    }
                    let client = try await QueueStage.connect(path)
                    clients.withLock { $0.append(client) }
                    return client
                })
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            clients.withLock { $0[0] }.close()
            #expect(
                await eventually(within: 600) { clients.withLock { $0.count } == 2 && stage.queue.listenerCount == 1 })
            stage.queue.change(1, .completed)
            stage.queue.end()
            let ended = try await outcome
            #expect(ended.status == 0 && ended.said == ["the background service has ended"], "\(ended.said)")
            // The second list repeats nothing.
            #expect(ended.objects.compactMap { $0["event"] as? String } == ["started", "completed"])
        }
    }

    @Test func watchFailsWithoutAService() async throws {
        try await onQueueStage([QueueStage.transfer(1, .running)]) { stage async throws in
            let path = stage.folder.path + "/run/s"
            let clients: Mutex<[ControlClient]> = Mutex([])
            async let outcome = stage.run(
                ["watch"],
                connect: { _ async throws(TransferError) in
                    guard clients.withLock({ $0.isEmpty }) else { throw TransferError(.cannotConnect, "none") }
                    let client = try await QueueStage.connect(path)
                    clients.withLock { $0.append(client) }
                    return client
                })
            #expect(await eventually(within: 600) { stage.queue.listenerCount == 1 })
            clients.withLock { $0[0] }.close()
            let ended = try await outcome
            #expect(ended.status == 1 && ended.said.first?.contains("cannot be reached") == true, "\(ended.said)")
        }
    }

    @Test func snapshotsRepeatNoEvents() throws {
        var ledger = WatchLedger(filter: QueueFilter(terms: [try .init(parsing: "state!=queued", now: 0)]))
        var (one, two) = (Script(id: 1), Script(id: 2))
        one.transfer.edit { $0.state = .running }
        #expect(
            ledger.take(.snapshot(QueueSnapshot(transfers: [one.transfer, two.transfer])), now: 0).map(\.name) == [
                .started
            ])
        #expect(ledger.take(.events([one.event(.progress, .running) { $0.bytes = 5 }]), now: 0).count == 1)
        #expect(ledger.take(.snapshot(QueueSnapshot(transfers: [one.transfer, two.transfer])), now: 0).isEmpty)
        one.transfer.bytes = 9
        two.transfer.edit { $0.state = .failed }
        #expect(
            ledger.take(.snapshot(QueueSnapshot(transfers: [one.transfer, two.transfer])), now: 0).map(\.name) == [
                .progress, .failed,
            ])
        #expect(ledger.take(.removed([one.transfer.id]), now: 0).isEmpty)
    }

    @Test func watchFindsEndsThatASnapshotNoLongerHas() {
        var ledger = WatchLedger(filter: QueueFilter())
        let open = [1, 2, 3].map { QueueStage.transfer($0, .running) }
        let gone = [1, 2].map(TransferID.init(rawValue:))
        _ = ledger.take(.snapshot(QueueSnapshot(transfers: open)), now: 0)
        let later = QueueSnapshot(transfers: [open[2]])
        #expect(ledger.missing(in: later) == gone)
        let events = ledger.take(ended: [QueueStage.transfer(1, .completed)], of: gone, now: 5)
        #expect(events.map(\.name) == [.completed] && events.map(\.transfer.id.rawValue) == [1])
        #expect(ledger.take(.snapshot(later), now: 6).isEmpty)
        // Each is reported once, and one that the service has removed is not requested again.
        #expect(ledger.missing(in: later).isEmpty)
    }
}
