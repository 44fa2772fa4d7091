// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

@Suite struct TransferStoreCommitTests {
    @Test func limitsStoredAttempts() throws {
        let store = try StoreFixture().open()
        let transfer = try store.add(StoreFixture.transfers(1))[0]
        var metrics = TransferMetrics()
        metrics.bodyReceived = 5
        let first = TransferAttempt(number: 1, startedAt: 1)
        let ended = TransferAttempt(
            number: 1, startedAt: 1, endedAt: 2, error: TransferError(.timedOut, "late"), metrics: metrics)
        try store.commit([StoreChange(transfer, attempts: [first, ended])], isDurable: false)
        #expect(try store.attempts(of: transfer.id) == [ended])
        let many = (2...(TransferStore.maximumAttempts + 3)).map { TransferAttempt(number: $0, startedAt: 3) }
        try store.commit([StoreChange(transfer, attempts: many)], isDurable: false)
        #expect(try store.attempts(of: transfer.id).map(\.number) == Array(4...(TransferStore.maximumAttempts + 3)))
        try store.remove([transfer.id])
        #expect(try store.attempts(of: transfer.id).isEmpty)
    }

    /// The next sync of it succeeds without what the disk did not take.
    @Test func aLogThatCouldNotBeSyncedBeginsAgain() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        var transfer = try store.add(StoreFixture.transfers(1))[0]
        for bytes in 1...20 {
            transfer.bytes = Int64(bytes)
            try store.commit([StoreChange(transfer)], isDurable: false)
        }
        let log = fixture.folder.file("queue.sqlite-wal")
        var before = stat()
        try #require(stat(log, &before) == 0)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let found = open.first { number in
            var status = stat()
            return fstat(number, &status) == 0 && status.st_ino == before.st_ino && status.st_dev == before.st_dev
        }
        let descriptor = try #require(found)
        let (original, nowhere) = (dup(descriptor), Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
        dup2(nowhere, descriptor)
        transfer.bytes = 21
        let change = StoreChange(transfer)
        #expect(throws: TransferError.self) { try store.commit([change], isDurable: true) }
        dup2(original, descriptor)
        for descriptor in [original, nowhere] { close(descriptor) }
        try store.commit([change], isDurable: true)
        var after = stat()
        #expect(stat(log, &after) == 0 && after.st_size < before.st_size)
        #expect(try store.transfer(transfer.id)?.bytes == 21)
    }

    /// Its last sync may have failed.
    @Test func theLogOfAKilledProcessIsNotContinued() throws {
        let (fixture, copy) = (try StoreFixture(), try StoreFixture())
        let store = try fixture.open()
        let transfer = try store.add(StoreFixture.transfers(1))[0]
        let (database, log) = ("queue.sqlite", "queue.sqlite-wal")
        let left = try fixture.folder.read(log)
        try copy.folder.write(left, to: log)
        try copy.folder.write(fixture.folder.read(database), to: database)
        let next = try copy.open()
        #expect(try copy.folder.read(log).count < left.count)
        #expect(try next.transfer(transfer.id)?.id == transfer.id)
        // Closing it would remove the log.
        withExtendedLifetime(store) {}
    }

    /// The next process begins the one again that was paused.
    @Test func anAttemptThatWasPausedKeepsItsBeginning() throws {
        let store = try StoreFixture().open()
        let transfer = try store.add(StoreFixture.transfers(1))[0]
        func stored(after attempt: TransferAttempt) throws -> [TransferAttempt] {
            try store.commit([StoreChange(transfer, attempts: [attempt])], isDurable: false)
            return try store.attempts(of: transfer.id)
        }
        let paused = TransferAttempt(number: 1, startedAt: 10, firstByte: 0, lastByte: 500)
        #expect(try stored(after: paused) == [paused])
        let again = TransferAttempt(number: 1, startedAt: 50, endedAt: 60, firstByte: 500, lastByte: 900, status: 206)
        let whole = TransferAttempt(number: 1, startedAt: 10, endedAt: 60, firstByte: 0, lastByte: 900, status: 206)
        #expect(try stored(after: again) == [whole])
        // What has ended is replaced.
        let other = TransferAttempt(number: 1, startedAt: 70, endedAt: 80, firstByte: 900, lastByte: 1000)
        #expect(try stored(after: other) == [other])
    }

    @Test func deliversEventsOnceInOrderPerSession() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            let one = try store.add([StoreFixture.transfer(session: "one")])[0]
            let two = try store.add([StoreFixture.transfer(session: "two")])[0]
            try store.commit([StoreChange(one, events: [[1], [2]]), StoreChange(two, events: [[3]])], isDurable: true)
            try store.remove([one.id])
        }
        let store = try fixture.open()
        let found = try store.events(of: "one")
        #expect(found.map(\.payload) == [[1], [2]])
        #expect(found.map(\.transfer.rawValue) == [1, 1])
        #expect(try store.events(of: "one") == found)
        #expect(try store.events(of: "one", limit: 1).map(\.payload) == [[1]])
        try store.acknowledgeEvents(of: "one", upTo: found[0].sequence)
        #expect(try store.events(of: "one").map(\.payload) == [[2]])
        try store.acknowledgeEvents(of: "one", upTo: .max)
        #expect(try store.events(of: "one").isEmpty)
        #expect(try store.events(of: "two").map(\.payload) == [[3]])
        #expect(try store.events(of: "nobody").isEmpty)
    }

    @Test func removedTransfersKeepTheirEvents() throws {
        let store = try StoreFixture().open()
        let transfer = try store.add(StoreFixture.transfers(1))[0]
        try store.remove([transfer.id])
        try store.commit(
            [StoreChange(transfer, attempts: [TransferAttempt(number: 1, startedAt: 0)], events: [[9]])],
            isDurable: true)
        #expect(try store.transfer(transfer.id) == nil)
        #expect(try store.events(of: "s").map(\.payload) == [[9]])
    }

    // MARK: History

    private func ended(_ store: TransferStore, _ times: [Double?]) throws -> [Transfer] {
        var transfers = try store.add(StoreFixture.transfers(times.count))
        for (index, time) in times.enumerated() {
            transfers[index].edit { ($0.state, $0.endedAt) = ([.completed, .failed, .cancelled][index % 3], time) }
        }
        try store.commit(transfers.map { StoreChange($0) }, isDurable: true)
        return transfers
    }

    @Test func historyHasFinishedTransfersLatestFirst() throws {
        let store = try StoreFixture().open()
        _ = try ended(store, [10, 30, 20])
        let running = try store.add(StoreFixture.transfers(1))[0]
        #expect(try store.history().map(\.id.rawValue) == [2, 3, 1])
        #expect(try store.history(limit: 1, offset: 1).map(\.id.rawValue) == [3])
        #expect(try store.unfinished() == [running])
    }

    @Test(arguments: [
        (HistoryLimits(count: 10, age: 1000), []), (HistoryLimits(count: 2, age: 1000), [1, 4]),
        (HistoryLimits(count: 10, age: 75), [1]), (HistoryLimits(count: 0, age: 1000), [1, 2, 3, 4]),
        (HistoryLimits(count: 3, age: 65), [1, 3, 4]),
    ]) func limitsHistory(_ limits: HistoryLimits, _ gone: [Int]) throws {
        let store = try StoreFixture().open()
        _ = try ended(store, [10, 50, 30, nil])
        let running = try store.add(StoreFixture.transfers(1))[0]
        #expect(try store.pruneHistory(limits, time: 100).map(\.rawValue).sorted() == gone)
        #expect(try store.history().count == 4 - gone.count)
        #expect(try store.unfinished() == [running])
    }

    /// A change that was recorded before comes later.
    @Test func whatWasClearedStaysHidden() throws {
        let store = try StoreFixture().open()
        let transfers = try ended(store, [10, nil])
        let ids = transfers.map(\.id)
        try store.setCleared(ids, true)
        try store.commit(transfers.map { StoreChange($0) }, isDurable: true)
        #expect(try store.history().isEmpty)
        #expect(try store.listedHistory(limit: 9).isEmpty)
        #expect(try store.transfer(ids[0]) == nil)
        try store.setCleared(ids, false)
        #expect(try store.history().map(\.id) == ids)
        #expect(try store.transfer(ids[0])?.endedAt == 10)
        try store.setCleared(ids, true)
        #expect(try store.pruneHistory(HistoryLimits(count: 10, age: 1000), time: 2000).count == 2)
    }
}
