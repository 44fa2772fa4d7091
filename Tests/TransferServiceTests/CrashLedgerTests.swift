// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// What one life of a process leaves for the next.
@Suite struct CrashLedgerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("service.crash") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ time: Double = 1000) throws -> CrashLedger { try CrashLedger(path: path, time: time) }

    private func transfer(_ id: Int, _ state: TransferState) -> Transfer {
        Transfer(id: TransferID(rawValue: id), kind: .download, url: "http://a.test/", file: "a", state: state)
    }

    private func ids(_ values: Set<TransferID>) -> [Int] { values.map(\.rawValue).sorted() }

    /// What the signal handler writes.
    private func crash(_ number: String = "004") {
        let descriptor = Glibc.open(path, O_WRONLY)
        defer { close(descriptor) }
        let text = Array("signal \(number)".utf8)
        #expect(pwrite(descriptor, text, text.count, 0) == text.count)
    }

    /// One life in which these begin to run, and which crashes.
    private func crashingLife(_ running: [Int]) throws {
        let ledger = try open()
        for id in running where !ids(ledger.condemned).contains(id) { ledger.note(transfer(id, .running), at: 0) }
        crash()
    }

    @Test func twoCrashesInARowCondemnATransfer() throws {
        try crashingLife([1, 2])
        let second = try open()
        #expect(second.signal == 4)
        #expect(second.wereRunning.map(\.rawValue) == [1, 2])
        #expect(second.condemned.isEmpty)
        #expect(ids(second.suspects) == [1, 2])
        // Suspects run alone.
        second.note(transfer(2, .running), at: 0)
        crash()
        let third = try open()
        #expect(ids(third.condemned) == [2])
        #expect(ids(third.suspects) == [1])
        // The user retries it: the count starts at zero.
        third.note(transfer(2, .running), at: 0)
        crash()
        #expect(try open().condemned.isEmpty)
    }

    @Test func killsAreNotCounted() throws {
        for _ in 0..<50 {
            let ledger = try open()
            #expect(ledger.signal == nil && ledger.condemned.isEmpty && ledger.suspects.isEmpty)
            ledger.note(transfer(1, .running), at: 0)
            ledger.note(transfer(2, .verifying), at: 0)
        }
    }

    @Test func idleTransfersAreNotSuspects() throws {
        for _ in 0..<3 {
            let ledger = try open()
            #expect(ledger.suspects.isEmpty)
            for state in [TransferState.running, .waiting] { ledger.note(transfer(1, state), at: 0) }
            for state in [TransferState.running, .completed] { ledger.note(transfer(2, state), at: 0) }
            for state in [TransferState.queued, .paused] { ledger.note(transfer(3, state), at: 0) }
            crash()
        }
    }

    /// It fails, is tried again after a pause, and crashes then, each time.
    @Test func pausesBetweenAttemptsClearNoSuspect() throws {
        for life in 0..<2 {
            let ledger = try open()
            #expect(ledger.suspects.isEmpty == (life == 0))
            for state in [TransferState.running, .retrying, .running] { ledger.note(transfer(1, state), at: 0) }
            crash()
        }
        #expect(try ids(open().condemned) == [1])
    }

    @Test func clearsASuspectAtItsEndOrAfterAMinute() throws {
        try crashingLife([1, 2])
        let ledger = try open()
        ledger.note(transfer(1, .running), at: 100)
        ledger.note(transfer(1, .completed), at: 101)
        #expect(ids(ledger.suspects) == [2])
        ledger.note(transfer(2, .running), at: 200)
        ledger.note(transfer(2, .running), at: 259)
        #expect(ledger.isSuspect(TransferID(rawValue: 2)))
        ledger.note(transfer(2, .running), at: 260)
        #expect(ledger.suspects.isEmpty)
        crash()
        let next = try open()
        #expect(next.condemned.isEmpty)
        #expect(next.wereRunning.map(\.rawValue) == [2])
    }

    @Test func reusesSlots() throws {
        let ledger = try open()
        for id in 1...1000 {
            for state in [TransferState.running, .completed] { ledger.note(transfer(id, state), at: 0) }
        }
        #expect(try folder.read("service.crash").count <= CrashRecord.headerBytes + CrashRecord.entryBytes)
    }

    @Test func countsCrashesInARow() throws {
        for life in 0..<4 {
            let record = CrashRecord.read(path)?.record
            #expect((record.map { $0.crashesInRow(endedAt: 1001) } ?? 0) == life)
            // The header says when the process began; the file's own time, when it crashed.
            _ = try CrashLedger(path: path, time: Double(time(nil)))
            crash()
            var now = CrashRecord.read(path)?.record
            now?.startedAt = 1000
            if let header = now?.header, life < 3 {
                let descriptor = Glibc.open(path, O_WRONLY)
                _ = pwrite(descriptor, header, header.utf8.count, 0)
                close(descriptor)
                // As it was a moment ago.
                var times = [timespec(tv_sec: 1001, tv_nsec: 0), timespec(tv_sec: 1001, tv_nsec: 0)]
                utimensat(AT_FDCWD, path, &times, 0)
            }
        }
    }
}
