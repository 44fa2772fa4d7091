// SPDX-License-Identifier: MIT

import GRDB
import Glibc
import Synchronization
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

@Suite struct StoreWriterTests {
    /// A writer on a store of its own, with time that the test moves; notes what happens in order.
    private final class Subject: Sendable {
        let fixture: StoreFixture
        let store: TransferStore
        let clock = ManualScheduler()
        let writer: StoreWriter
        let log: Log
        let transfers: [Transfer]

        init(_ count: Int = 2, refusing: [Int32: Int32] = [:]) throws {
            fixture = try StoreFixture()
            store = try fixture.open()
            transfers = try store.add(StoreFixture.transfers(count))
            let (clock, log) = (clock, Log())
            self.log = log
            writer = StoreWriter(
                store: store, now: { clock.now }, schedule: { clock.schedule(at: $0, $1) },
                sync: { targets in
                    for target in targets { log.add("sync \(target.path)") }
                    return Dictionary(
                        uniqueKeysWithValues: targets.compactMap { target in
                            Int32(target.path).flatMap { refusing[$0] }.map { (target, $0) }
                        })
                }, reportFailure: { log.add("failure \($0.code.rawValue)") })
        }

        func bytes(_ index: Int) throws -> Int64? { try store.transfer(transfers[index].id)?.bytes }

        func change(
            _ index: Int, _ bytes: Int64, _ urgency: StoreChange.Urgency = .soon, syncing descriptors: [Int32] = []
        ) -> StoreChange {
            var transfer = transfers[index]
            transfer.bytes = bytes
            return StoreChange(
                transfer, urgency: urgency, syncing: descriptors.map { SyncTarget(path: "\($0)", device: 1) })
        }
    }

    private final class Log: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }

    @Test func collectsProgress() async throws {
        let subject = try Subject()
        subject.writer.record(subject.change(0, 1))
        #expect(try await eventually { try subject.bytes(0) == 1 })
        for bytes in 2...50 { subject.writer.record(subject.change(0, Int64(bytes))) }
        #expect(try subject.bytes(0) == 1)
        subject.clock.advance(by: WritePlan.interval)
        #expect(try await eventually { try subject.bytes(0) == 50 })
    }

    @Test func completesAfterTheCommit() async throws {
        let subject = try Subject()
        let error = await withCheckedContinuation { done in
            subject.writer.record([subject.change(0, 7, .now), subject.change(1, 8, .now)]) {
                done.resume(returning: $0)
            }
        }
        #expect(error == nil)
        #expect(try subject.bytes(0) == 7)
        #expect(try subject.bytes(1) == 8)
        #expect(
            await withCheckedContinuation { done in subject.writer.record([]) { done.resume(returning: $0) } } == nil)
    }

    @Test func flushCommitsPendingChanges() async throws {
        let subject = try Subject()
        for bytes in 1...9 { subject.writer.record(subject.change(0, Int64(bytes), syncing: [3])) }
        try await subject.writer.flush()
        #expect(try subject.bytes(0) == 9)
        try await subject.writer.flush()
    }

    @Test func syncsEachFileOnceBeforeTheCommit() async throws {
        let subject = try Subject()
        let store = subject.store
        let transfer = subject.transfers[0]
        let log = Log()
        let clock = subject.clock
        let writer = StoreWriter(
            store: store, now: { clock.now }, schedule: { clock.schedule(at: $0, $1) },
            sync: { targets in
                for target in targets {
                    log.add("sync \(target.path) at \((try? store.transfer(transfer.id)?.bytes) ?? -1)")
                }
                return [:]
            }, reportFailure: { _ in })
        writer.record([subject.change(0, 5, .now, syncing: [3, 4]), subject.change(1, 6, .now, syncing: [4])])
        try await writer.flush()
        #expect(log.lines.prefix(2) == ["sync 3 at 0", "sync 4 at 0"])
        #expect(try subject.bytes(0) == 5)
        #expect(try subject.bytes(1) == 6)
    }

    @Test func doesNotCommitAfterAFailedSync() async throws {
        let subject = try Subject(refusing: [5: EIO])
        let log = subject.log
        // Keeps the queue busy, so that both are in one round.
        subject.writer.record(subject.change(1, 1, syncing: [3]))
        subject.writer.record(subject.change(0, 5, .now, syncing: [5])) { log.add("first \($0?.systemErrno ?? 0)") }
        subject.writer.record(subject.change(1, 6, .now, syncing: [6])) { log.add("second \($0?.systemErrno ?? 0)") }
        _ = try? await subject.writer.flush()
        #expect(log.lines.contains("first \(EIO)"))
        #expect(log.lines.contains("second 0"))
        #expect(try subject.bytes(0) == 0)
        #expect(try subject.bytes(1) == 6)
    }

    @Test func recoversFromAFullDisk() async throws {
        let subject = try Subject()
        let pages = try subject.store.onQueue { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try subject.store.onQueue { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
        var change = subject.change(0, 5, .now)
        change.transfer.setNote(.text(String(repeating: "long ", count: 4000)))
        let full = change
        let error = await withCheckedContinuation { done in subject.writer.record(full) { done.resume(returning: $0) } }
        #expect(error?.code == .diskFull)
        #expect(subject.log.lines == ["failure \(TransferError.Code.cannotWrite.rawValue)"])
        #expect(try subject.bytes(0) == 0)
        try subject.store.onQueue { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        #expect(await eventually { subject.clock.nextDelay != nil })
        subject.clock.advance(by: WritePlan.failureDelay)
        #expect(try await eventually { try subject.bytes(0) == 5 })
    }

    @Test func completesManyWaiters() async throws {
        let subject = try Subject(2)
        let counter = Counter()
        let changes = (0..<20_000).map { subject.change($0 % 2, Int64($0)) }
        subject.writer.record(changes) { _ in counter.add() }
        try await subject.writer.flush()
        #expect(counter.count == 1)
        #expect(try subject.bytes(1) == 19_999)
    }
}
