// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

@Suite struct TransferStoreTests {
    private static let error = TransferError(.timedOut, "timed out", curlCode: 28)

    @Test(
        arguments: [
            .queued(.text("a reason")), .running(nil, .text("a reason")), .waiting(NetworkWait(.text("a reason"))),
            .retrying(at: 3, .failure(error)), .retrying(at: 3, .text("a reason")), .paused(.by(.queue)),
            .paused(.noSpace(error)), .paused(.setAside(.text("a reason"))), .verifying(.text("a reason")),
            .completed(.init(at: 2, duration: 1, note: .text("a reason"))),
            .failed(.init(at: 2, duration: 1, note: .text("a reason")), error),
            .cancelled(.init(at: 2, duration: 1), error, .queue),
            .running(nil, .several([.restarted(.changed, file: "a.fileq-part", bytes: 7), .notResumable])),
            .waiting(NetworkWait(.notAllowed(.cellular, interface: "wwan0"))),
            .paused(.question(.login(.init(host: "a", port: 1, scheme: "http", method: "basic")))),
            .completed(.init(at: 2, duration: 1, note: .skipped)),
            .paused(.setAside(.predecessor(TransferID(rawValue: 9), .cancelled))),
        ] as [TransferStatus])
    func everythingOfATransferSurvives(_ status: TransferStatus) throws {
        let fixture = try StoreFixture()
        var expected: Transfer
        do {
            let store = try fixture.open()
            var new = try StoreFixture.transfer(session: "app")
            new.spec.options.rateLimit = 1000
            new.draft = Transfer(new.spec, terms: TransferTerms(paused: true), addedAt: StoreFixture.time)
            new.draft.session = "app"
            new.draft.priority = 3
            new.draft.earliestBegin = 12.5
            new.draft.isDiscretionary = true
            new.draft.taskDescription = "説明"
            new.draft.after = [TransferID(rawValue: 9), TransferID(rawValue: 11)]
            new.draft.batch = TransferBatch(id: "0", name: " 夏 photos\n")
            expected = try store.add([new])[0]
            #expect(expected.state == .paused)
            #expect(expected.rateLimit == 1000)
            let data = ResumeData(
                url: "http://host.test/a", validator: Validator(entityTag: "\"e\""), ranges: .init(0..<10),
                total: 100, partialPath: "/d/a.fileq-part", bootID: "boot")
            expected.file = "/d/b"
            expected.status = status
            expected.httpStatus = 503
            expected.attempt = 4
            var checkpoint = Checkpoint()
            (checkpoint.failures, checkpoint.startedAt, checkpoint.postponed) = (2, 1, .discard)
            expected.bytes = 20
            expected.total = 100
            expected.confirmed = 10
            checkpoint.download = DownloadCheckpoint(data, inode: 7)
            checkpoint.upload = UploadCheckpoint(
                source: .init(
                    inode: 1, size: 2, seconds: 3, nanoseconds: 4, changedSeconds: 5, changedNanoseconds: 6), key: "k",
                point: UploadPoint(.tus, url: "http://host.test/u", target: "http://host.test/a", offset: 7))
            expected.uploadProtocol = "tus-1.0.0"
            expected.checkpoint = checkpoint
            try store.commit([StoreChange(expected)], isDurable: false)
        }
        #expect(try fixture.open().transfer(expected.id) == expected)
    }

    @Test func idsRiseAndAreNeverReused() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open().add(StoreFixture.transfers(3)).map(\.id.rawValue)
        #expect(first == [1, 2, 3])
        try fixture.open().remove(first.map(TransferID.init(rawValue:)))
        #expect(try fixture.open().add(StoreFixture.transfers(1))[0].id.rawValue == 4)
    }

    @Test func oneInvalidSpecAddsNone() throws {
        let store = try StoreFixture().open()
        var bad = try StoreFixture.transfer()
        bad.spec.operation = .download(.init(destination: .stream(descriptor: 1)))
        #expect(throws: TransferError.self) { try store.add([StoreFixture.transfer(), bad]) }
        bad = try StoreFixture.transfer()
        bad.spec.options.requestTimeout = .infinity
        #expect(throws: TransferError.self) { try store.add([StoreFixture.transfer(), bad]) }
        #expect(try store.unfinished().isEmpty)
        #expect(try store.add([]).isEmpty)
    }

    @Test func ordersByRank() throws {
        let store = try StoreFixture().open()
        let added = try store.add(StoreFixture.transfers(3))
        try store.setPlaces([added[2].id: added[0].place - QueueRank.spacing])
        #expect(try store.unfinished().map(\.id.rawValue) == [3, 1, 2])
        // What is recorded later with the old rank does not move it back.
        try store.commit([StoreChange(added[2])], isDurable: false)
        #expect(try store.unfinished().map(\.id.rawValue) == [3, 1, 2])
        _ = try store.add(StoreFixture.transfers(1))
        #expect(try store.unfinished().map(\.id.rawValue) == [3, 1, 2, 4])
    }

    @Test func hugeRanksDoNotTrap() throws {
        let store = try StoreFixture().open()
        let id = try store.add(StoreFixture.transfers(1))[0].id
        try store.setPlaces([id: .max])
        #expect(try store.add(StoreFixture.transfers(1)).count == 1)
    }

    @Test func reportsOrSkipsUnknownIDs() throws {
        let store = try StoreFixture().open()
        let id = TransferID(rawValue: 9)
        #expect(try store.transfer(id) == nil)
        #expect(try store.attempts(of: id).isEmpty)
        try store.remove([id])
        #expect(throws: TransferError.self) { try store.description(of: id) }
        let other = try StoreFixture.transfer(cookie: "v").spec
        #expect(throws: TransferError.self) { try store.replaceDescription(of: id, with: other) }
    }

    @Test func unreadableResumeDataLosesOnlyTheBytes() throws {
        let store = try StoreFixture().open()
        let id = try store.add(StoreFixture.transfers(1))[0].id
        try store.change { try $0.execute(sql: "UPDATE transfers SET resume = '{}', upload = 'x'") }
        let found = try #require(try store.transfer(id))
        #expect(found.checkpoint?.download == nil)
        #expect(found.checkpoint?.upload == nil)
    }

    @Test(arguments: ["state = 'unheard of'", "kind = ''", "error = '{'"]) func unreadableRowsAreErrors(
        _ change: String
    ) throws {
        let store = try StoreFixture().open()
        _ = try store.add(StoreFixture.transfers(1))
        try store.change { try $0.execute(sql: "UPDATE transfers SET \(change)") }
        let error = #expect(throws: TransferError.self) { try store.unfinished() }
        #expect(error?.code == .other)
    }

    @Test func settingsSurvive() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.open().settings() == nil)
        for concurrent in [2, 3] {
            let settings = StoreSettings(concurrent: concurrent, download: 5, timetable: "mon-fri 9-17 500k")
            try fixture.open().keep(settings)
            #expect(try fixture.open().settings() == settings)
        }
    }
}
