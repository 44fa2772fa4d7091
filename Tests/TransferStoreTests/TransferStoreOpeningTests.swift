// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import GRDB
import Platform
import Testing
import TransferModel
@testable import TransferStore
import TransferTesting

@Suite struct TransferStoreOpeningTests {
    @Test func createsPrivateFolderAndFiles() throws {
        let parent = try TemporaryFolder()
        let path = parent.file("state/fileq")
        let store = try TransferStore(folder: path, time: 0)
        _ = try store.add([StoreFixture.transfer(cookie: "v")])
        #expect(store.report == StoreReport())
        #expect(store.report.warning == nil)
        func mode(_ path: String) throws -> Int? {
            (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode(parent.file("state")) == 0o700)
        #expect(try mode(path) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            #expect(try mode("\(path)/\(name)") == 0o600, "\(name)")
        }
    }

    @Test func usesWALAndForeignKeys() throws {
        let store = try StoreFixture().open()
        #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try store.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
    }

    @Test func restrictsPermissions() throws {
        let fixture = try StoreFixture()
        _ = try fixture.open()
        chmod(fixture.folder.file("queue.sqlite"), 0o644)
        let store = try fixture.open()
        #expect(try fixture.permissions("queue.sqlite") == 0o600)
        #expect(store.report == StoreReport())
    }

    @Test func namesTheHolderToASecondOpener() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let error = #expect(throws: TransferError.self) { try fixture.open() }
        #expect(error?.code == .other)
        #expect(error?.message.contains("process \(getpid())") == true)
        withExtendedLifetime(store) {}
    }

    @Test func releasesTheLockWithTheStore() throws {
        let fixture = try StoreFixture()
        for _ in 0..<3 { _ = try fixture.open() }
    }

    @Test func closingReleasesTheLock() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let added = try store.add(StoreFixture.transfers(1))
        store.close()
        #expect(try fixture.open().unfinished() == added)
        let error = #expect(throws: TransferError.self) { try store.unfinished() }
        #expect(error?.message.contains("closed") == true)
    }

    // MARK: Damage

    @Test(arguments: [
        [UInt8](repeating: 0x41, count: 5000), Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xff, count: 8000),
    ])
    func setsADamagedFileAside(_ bytes: [UInt8]) throws {
        let fixture = try StoreFixture()
        try fixture.folder.write(bytes, to: "queue.sqlite")
        try fixture.folder.write(Array("kept".utf8), to: "credentials.json")
        let store = try fixture.open()
        let kept = "queue.sqlite.damaged-20270115-080000"
        #expect(store.report.setAside.contains(fixture.folder.file(kept)))
        #expect(store.report.warning?.contains(kept) == true)
        #expect(try fixture.folder.read(kept) == bytes)
        #expect(try fixture.folder.read("credentials.json.damaged-20270115-080000") == Array("kept".utf8))
        #expect(try store.add([StoreFixture.transfer()]).count == 1)
    }

    @Test func detectsDamage() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            _ = try store.add(StoreFixture.transfers(200))
        }
        let file = try FileHandle(forUpdating: URL(filePath: fixture.folder.file("queue.sqlite")))
        let size = try file.seekToEnd()
        try #require(size > 40_000)
        for page in stride(from: UInt64(8192), to: size, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0x5a, count: 2000))
        }
        try file.close()
        let store = try fixture.open()
        #expect(store.report.setAside.count >= 1)
        #expect(try store.unfinished().isEmpty)
    }

    @Test func keepsTwoDamagedFilesOfOneSecond() throws {
        let fixture = try StoreFixture()
        for _ in 0..<2 {
            try fixture.folder.write([1, 2, 3], to: "queue.sqlite")
            _ = try fixture.open()
        }
        #expect(fixture.folder.names.filter { $0.hasPrefix("queue.sqlite.damaged-") }.count == 2)
    }

    @Test func setsDamagedCredentialsAside() throws {
        let fixture = try StoreFixture()
        let id = try #require(try fixture.open().add([StoreFixture.transfer(cookie: "value")]).first).id
        try fixture.folder.write(Array("{".utf8), to: "credentials.json")
        let store = try fixture.open()
        #expect(store.report.setAside.count == 1)
        let error = #expect(throws: TransferError.self) { try store.description(of: id) }
        #expect(error?.message.contains("no longer kept") == true)
        // A set that comes later is not taken for the lost one.
        let later = try store.add([StoreFixture.transfer(cookie: "other")])
        #expect(throws: TransferError.self) { try store.description(of: id) }
        #expect(try store.description(of: later[0].id).options.cookies.first?.value == "other")
    }

    /// A disk that fails for a moment costs neither the queue nor its secrets.
    @Test func unreadableCredentialsAreNotDamaged() throws {
        let fixture = try StoreFixture()
        _ = try fixture.open().add([StoreFixture.transfer(cookie: "value")])
        var refusal: TransferError?
        do throws(CredentialFile.LoadError) {
            _ = try CredentialFile(path: fixture.folder.file("credentials.json")) { (_, _) throws(SystemError) in
                throw SystemError("read", errno: EIO)
            }
        } catch {
            if case .refused(let error) = error { refusal = error }
        }
        #expect(refusal?.code == .cannotWrite && refusal?.systemErrno == EIO)
    }

    @Test(
        arguments: [
            ("ok", nil), ("no answer", .SQLITE_CORRUPT), ("*** in database main ***", .SQLITE_CORRUPT),
            ("Tree 2 page 3: unable to get the page. error code=266", .SQLITE_IOERR),
            ("Tree 2 page 3: unable to get the page. error code=10", .SQLITE_IOERR),
            ("Tree 2 page 3: btreeInitPage() returns error code 11", .SQLITE_CORRUPT),
            ("Tree 2 page 3: unable to get the page. error code=3082", .SQLITE_IOERR),
            ("Tree 2 page 3: unable to get the page. error code=11", .SQLITE_CORRUPT),
        ] as [(String, ResultCode?)]) func distinguishesDamageFromAFailingDisk(_ response: String, _ code: ResultCode?)
    {
        #expect(StoreFailure.check(response)?.resultCode == code)
    }

    // MARK: Versions

    /// A queue that an earlier version wrote.
    @Test func earlierPausesAreTheUsers() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            var transfers = try StoreFixture.transfers(2)
            for index in transfers.indices { transfers[index].draft.status = .paused(.by(.transfer)) }
            _ = try store.add(transfers)
            try store.change { db in
                try db.execute(sql: "UPDATE transfers SET reason = 'the disk is full' WHERE id = 2")
                try db.execute(sql: "ALTER TABLE transfers DROP COLUMN paused_by")
                try db.execute(sql: "ALTER TABLE transfers DROP COLUMN is_listed")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'paused by'")
            }
        }
        #expect(try fixture.open().unfinished().map(\.pausedBy) == [.transfer, nil])
    }

    @Test func doesNotTouchANewerDatabase() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            _ = try store.add([StoreFixture.transfer()])
            try store.change {
                try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('from-the-future')")
            }
        }
        let before = try fixture.folder.read("queue.sqlite")
        let error = #expect(throws: TransferError.self) { try fixture.open() }
        #expect(error?.code == .other)
        #expect(error?.message.contains("newer version") == true)
        #expect(try fixture.folder.read("queue.sqlite") == before)
        #expect(!fixture.folder.names.contains { $0.contains("damaged") })
    }

    @Test func doesNotTouchNewerCredentials() throws {
        let fixture = try StoreFixture()
        _ = try fixture.open()
        let bytes = Array(#"{"version":2,"next":1,"sets":{}}"#.utf8)
        try fixture.folder.write(bytes, to: "credentials.json")
        #expect(throws: TransferError.self) { try fixture.open() }
        #expect(try fixture.folder.read("credentials.json") == bytes)
    }

    // MARK: What cannot be written

    @Test func reportsAFolderThatCannotBeCreated() {
        let error = #expect(throws: TransferError.self) { try TransferStore(folder: "/proc/fileq-state", time: 0) }
        #expect(error?.code == .cannotWrite)
    }

    @Test func rejectsAFolderOthersCanWrite() throws {
        let fixture = try StoreFixture()
        chmod(fixture.folder.path, 0o777)
        let error = #expect(throws: TransferError.self) { try fixture.open() }
        #expect(error?.fields.variant == .writableByOthers)
        #expect(fixture.folder.names.isEmpty)
    }

    @Test(arguments: ["queue.sqlite", "credentials.json", "queue.lock"]) func doesNotFollowLinks(_ name: String) throws
    {
        let fixture = try StoreFixture()
        let other = try TemporaryFolder()
        try other.write([], to: "target")
        #expect(symlink(other.file("target"), fixture.folder.file(name)) == 0)
        #expect(throws: TransferError.self) { try fixture.open() }
        #expect(try other.read("target").isEmpty)
    }

    @Test func reportsAFullDiskAndAddsNothing() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.onQueue { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 4)")
        }
        let many = try (0..<500).map { try StoreFixture.transfer("\($0)", cookie: "value") }
        let error = #expect(throws: TransferError.self) { try store.add(many) }
        #expect(error?.code == .diskFull)
        #expect(error?.systemErrno == ENOSPC)
        #expect(try store.unfinished().isEmpty)
        #expect(!fixture.credentials.contains("value"))
        // Nor is room taken by what was taken back.
        #expect(try fixture.folder.read("queue.sqlite-wal").isEmpty)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, TransferError.Code.diskFull, "no space"),
        (.SQLITE_READONLY, .cannotWrite, "read-only"),
        (.SQLITE_CANTOPEN, .cannotWrite, "opened"), (.SQLITE_IOERR, .cannotWrite, "disk"),
        (.SQLITE_BUSY, .cannotWrite, "open in another"),
        (.SQLITE_CORRUPT, .other, "damaged"), (.SQLITE_NOTADB, .other, "damaged"), (.SQLITE_ERROR, .other, "refused"),
    ]) func translatesRefusals(_ result: ResultCode, _ code: TransferError.Code, _ word: String) {
        let error = StoreFailure.translate(DatabaseError(resultCode: result), path: "/q")
        #expect(error.code == code)
        #expect(error.message.hasPrefix("/q: "))
        #expect(error.message.contains(word))
    }
}
