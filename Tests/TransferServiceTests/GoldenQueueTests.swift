// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService
@testable import TransferStore

/// A queue as version 1 left it: one transfer of each state, and one between the record of a rename and the rename.
@Suite struct GoldenQueueTests {
    static let time = 1_790_000_000.0
    static let names = ["download", "upload"] + (3...10).map { "\($0)" }
    static let states: [TransferState] = TransferState.allCases + [.verifying]

    static func spec(_ index: Int) throws -> Spec {
        switch index {
        case 0: return try SampleTransfers.download(.one)
        case 1: return try SampleTransfers.upload(.one)
        default:
            var spec = try SampleTransfers.plainDownload()
            spec.url = try TransferURL("http://host.test/\(names[index])")
            spec.options.cookies = [try Cookie(name: "key", value: "planted-\(index / 4)")]
            return spec
        }
    }

    static func isSessionTransfer(_ index: Int) -> Bool { index % 2 == 1 }

    /// What was stored last of the transfer at `index`.
    static func stored(_ new: Transfer, _ index: Int) -> Transfer {
        var transfer = new
        transfer.status = status(states[index], index)
        transfer.attempt = index + 1
        var checkpoint = Checkpoint()
        checkpoint.failures = index % 3
        transfer.bytes = Int64(index) * 100
        transfer.total = 5000
        checkpoint.startedAt = index == 0 ? nil : time + 1
        if transfer.state.isEnded {
            transfer.confirmed = transfer.bytes
            transfer.httpStatus = transfer.state == .completed ? 200 : 503
        }
        if transfer.kind == .upload {
            checkpoint.upload = UploadCheckpoint(
                source: .init(inode: 9, size: 8, seconds: 7, nanoseconds: 6), key: "a-key")
        }
        if index >= 9 {
            let data = ResumeData(
                url: transfer.url, validator: Validator(), ranges: ByteRangeSet(0..<5000), total: 5000,
                partialPath: "/d/ä b.fileq-part", bootID: "a-boot")
            checkpoint.download = DownloadCheckpoint(data, inode: 4711)
        }
        transfer.checkpoint = checkpoint == Checkpoint() ? nil : checkpoint
        if let start = checkpoint.startedAt { transfer.edit { $0.duration = $0.endedAt.map { $0 - start } } }
        return transfer
    }

    private static func status(_ state: TransferState, _ index: Int) -> TransferStatus {
        let end = TransferStatus.End(at: time + 10 + Double(index))
        let error = TransferError(.httpStatus, "host.test: service unavailable (503)")
        return switch state {
        case .queued: .queued()
        case .running: .running()
        case .waiting: .waiting(NetworkWait(.text("no network")))
        case .retrying: .retrying(at: time + 60, .text("host.test: connection refused"))
        case .paused: .paused(.by(.queue))
        case .verifying: .verifying()
        case .completed: .completed(end)
        case .failed: .failed(end, error)
        case .cancelled: .cancelled(end, error)
        }
    }

    static func attempts(_ index: Int) -> [TransferAttempt] {
        guard index > 0 else { return [] }
        var metrics = TransferMetrics()
        (metrics.connect, metrics.exchanges) = (0.25, 2)
        return [
            TransferAttempt(
                number: 1, startedAt: time + 1, endedAt: time + 2, url: "http://host.test/1", lastByte: 50, status: 503,
                error: TransferError(.cannotConnect, "host.test: connection refused", curlCode: 7, systemErrno: 111)),
            TransferAttempt(
                number: 2, startedAt: time + 3, endedAt: time + 4, url: "http://host.test/2", firstByte: 50,
                lastByte: 100,
                metrics: metrics),
        ]
    }

    static func event(_ transfer: Transfer) -> SessionEvent {
        // It was recorded before events had durations.
        SessionEvent(
            sequence: 0, time: transfer.endedAt ?? time, transfer: transfer.edited { $0.duration = nil },
            responseFields: [.init(name: "Content-Type", value: "text/plain")])
    }

    static let settings = StoreSettings(
        concurrent: 3, perHost: 2, download: 1000, upload: 2000, timetable: "mon-fri 08:00-18:00 500k")

    /// The queue in a folder of its own.
    private static func opened() throws -> (folder: TemporaryFolder, store: TransferStore) {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        for name in ["queue.sqlite", "credentials.json"] {
            try FileManager.default.copyItem(atPath: Golden.path("queue/\(name)"), toPath: folder.file(name))
        }
        return (folder, try TransferStore(folder: folder.path, time: time + 100))
    }

    @Test func opensWithoutDamage() throws {
        let (_, store) = try Self.opened()
        #expect(store.report == StoreReport())
        #expect(try store.settings() == Self.settings)
    }

    @Test func restoresEveryTransfer() throws {
        let (_, store) = try Self.opened()
        for index in Self.states.indices {
            let found = try #require(try store.transfer(TransferID(rawValue: index + 1)))
            #expect(found == Self.stored(found, index))
            #expect(found.url == (try Self.spec(index)).url.string)
            #expect(found.session == (Self.isSessionTransfer(index) ? "nightly" : nil))
            #expect(found.taskDescription == "tag \(index)")
            #expect(try store.attempts(of: found.id) == Self.attempts(index))
        }
    }

    @Test func restoresTheOrder() throws {
        let (_, store) = try Self.opened()
        // The last was moved to the front.
        #expect(try store.unfinished().map(\.id.rawValue) == [10, 1, 2, 3, 4, 5, 6])
    }

    /// A completed transfer has none: its secrets were dropped.
    @Test func readsSpecs() throws {
        let (_, store) = try Self.opened()
        let found = try store.descriptions(of: Self.states.indices.map { TransferID(rawValue: $0 + 1) })
        for (index, state) in Self.states.enumerated() {
            let result = try #require(found[TransferID(rawValue: index + 1)])
            if state == .completed {
                let error = #expect(throws: TransferError.self) { try result.get() }
                #expect(error?.code == .secretMissing)
            } else {
                #expect(try result.get() == Self.spec(index))
            }
        }
    }

    @Test func readsPendingEvents() throws {
        let (_, store) = try Self.opened()
        let events = try store.events(of: "nightly")
        #expect(events.map(\.transfer.rawValue) == [8])
        for event in events {
            let index = event.transfer.rawValue - 1
            let read = try SessionEvent(decoding: event.payload, sequence: event.sequence)
            let stored = try #require(try store.transfer(event.transfer))
            var expected = Self.event(Self.stored(stored, index))
            expected.sequence = event.sequence
            // An event has the record as it travels.
            (expected.transfer.place, expected.transfer.checkpoint) = (0, nil)
            #expect(read == expected)
        }
    }

    /// Numbers of finished transfers and of events are not used again.
    @Test func newTransfersGetNewIDs() throws {
        let (folder, store) = try Self.opened()
        let spec = try SampleTransfers.download(.one)
        let added = try store.add([spec], as: [Transfer(spec, file: "/d/ä b", addedAt: Self.time)])
        #expect(added.map(\.id.rawValue) == [11])
        #expect(try store.description(of: added[0].id) == SampleTransfers.download(.one))
        #expect(folder.exists("queue.sqlite"))
    }

    @Test func readsPartialRecords() throws {
        let folder = try TemporaryFolder()
        try folder.write(Golden.bytes("sidecar.json"), to: "a.fileq-part.json")
        let record = try #require(PartialRecord.load(folder.file("a.fileq-part.json")))
        #expect(record == Self.sidecar)
    }

    static let sidecar: ResumeData = {
        let validator = Validator(entityTag: #""v1""#, lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")
        var record = ResumeData(
            url: "https://host.test/a?b=c", validator: validator, ranges: ByteRangeSet([0..<4096, 8192..<9000]),
            total: 10_000, partialPath: "/d/ä b.fileq-part", bootID: "0f5e-boot")
        record.contentType = "text/plain"
        record.contentEncoding = "gzip"
        return record
    }()
}
