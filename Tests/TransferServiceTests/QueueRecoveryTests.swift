// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// The process may end anywhere between the last byte and the word that all is done.
@Suite struct QueueRecoveryTests {
    private let folder: TemporaryFolder
    private let store: TransferStore

    /// The history forgets what ended long ago.
    private static let recently = Double(time(nil))

    init() throws {
        folder = try TemporaryFolder()
        store = try TransferStore(folder: folder.file("state"), time: 0)
    }

    /// A transfer that was about to give the file at `name` its name, `final`, as a process of the boot `boot` left it.
    private func leave(
        bytes: Int, at name: String, final: String = "f", partial: String? = nil, boot: String = "this boot",
        isSynced: Bool = false, as state: TransferStatus = .verifying()
    ) async throws -> TransferID {
        let path = try folder.write([UInt8](repeating: 7, count: bytes), to: name)
        var status = stat()
        #expect(stat(path, &status) == 0)
        let url = try TransferURL("http://host.test/f")
        let description = Spec(url: url, operation: .download(.init(destination: .file(path: folder.file(final)))))
        var transfer = try store.add([description], as: [Transfer(description, addedAt: 0)])[0]
        transfer.status = state
        transfer.total = 1000
        let all = ByteRangeSet(0..<1000)
        let data = ResumeData(
            url: url.string, validator: Validator(), ranges: isSynced ? all : ByteRangeSet(), total: 1000,
            partialPath: folder.file(partial ?? "\(final).fileq-part"), bootID: boot)
        var checkpoint = Checkpoint()
        checkpoint.download = DownloadCheckpoint(data, inode: UInt64(status.st_ino))
        transfer.checkpoint = checkpoint
        let writer = StoreWriter(store: store, now: { 0 }, schedule: { _, _ in }, reportFailure: { _ in })
        writer.record(StoreChange(transfer))
        try await writer.flush()
        return transfer.id
    }

    private func end(of id: TransferID, in queue: DurableQueue) async throws -> Transfer {
        for await update in queue.updates() {
            let known: [Transfer] =
                switch update {
                case .snapshot(let snapshot): snapshot.transfers
                case .events(let events): events.map(\.transfer)
                default: []
                }
            if let found = known.first(where: { $0.id == id && $0.state.isEnded }) { return found }
        }
        throw CancellationError()
    }

    private func recovered() throws -> QueueRecovery { try QueueRecovery(store: store, bootID: "this boot", time: 5) }

    /// A disk that fails for a moment decides nothing: the next attempt asks again.
    @Test func leavesOpenWhatCannotBeChecked() async throws {
        #expect(mkdir(folder.file("sub"), 0o700) == 0)
        let id = try await leave(bytes: 1000, at: "sub/f", final: "sub/f")
        #expect(rename(folder.file("sub"), folder.file("aside")) == 0)
        #expect(symlink("sub", folder.file("sub")) == 0)
        let blind = try recovered()
        #expect(blind.completed.isEmpty && blind.memories[id]?.rename != nil)
        #expect(unlink(folder.file("sub")) == 0 && rename(folder.file("aside"), folder.file("sub")) == 0)
        #expect(try recovered().completed.map(\.id) == [id])
    }

    @Test func failsATransferAfterTwoCrashes() throws {
        let url = try TransferURL("http://host.test/f")
        let specs = ["a", "b", "c"].map { name in
            Spec(url: url, operation: .download(.init(destination: .file(path: folder.file(name)))))
        }
        var drafts = specs.map { Transfer($0, addedAt: 0) }
        drafts[2].status = .paused(.by(.transfer))
        let ids = try store.add(specs, as: drafts).map(\.id)
        let recovery = try QueueRecovery(store: store, bootID: "this boot", time: 5, condemned: [ids[0], ids[2]])
        #expect(recovery.transfers.map(\.state) == [.failed, .queued, .paused])
        #expect(recovery.crashed == [ids[0]])
        #expect(recovery.transfers[0].endedAt == 5)
        #expect(
            recovery.transfers[0].error?.code == .repeatedCrash
                && recovery.transfers[0].error?.fields.transfer == ids[0])
    }

    /// A process may end between the commit of a new transfer and that of its place, behind one that was moved.
    @Test func transfersOfTheSamePlaceGetPlacesOfTheirOwn() async throws {
        let url = try TransferURL("http://host.test/f")
        let specs = ["a", "b", "c", "d"].map { name in
            Spec(url: url, operation: .download(.init(destination: .file(path: folder.file(name)))))
        }
        var drafts = specs.map { Transfer($0, addedAt: 0) }
        for index in drafts.indices { drafts[index].status = .paused(.by(.transfer)) }
        // An ended one is read from the history, behind all others.
        drafts[1].status = .failed(.init(at: Self.recently), TransferError(.cannotConnect, "refused"))
        let stored = try store.add(specs, as: drafts)
        try store.setPlaces([stored[2].id: stored[1].place])
        let queue = try DurableQueue(store: store, transport: FakeTransport { _, _ in .init(500) })
        #expect(try await queue.snapshot().transfers.map(\.id) == stored.map(\.id))
        await queue.shutDown()
        let next = try TransferStore(folder: folder.file("state"), time: 0)
        defer { next.close() }
        let found = try next.unfinished() + next.listedHistory(limit: 10)
        #expect(found.sorted { $0.place < $1.place }.map(\.id) == stored.map(\.id))
        #expect(Set(found.map(\.place)).count == 4)
    }

    @Test func completesARenamedFile() async throws {
        let id = try await leave(bytes: 1000, at: "f")
        try folder.write([1], to: "f.fileq-part.json")
        let recovery = try recovered()
        // Until its name is durable.
        #expect(recovery.transfers.map(\.state) == [.verifying])
        #expect(recovery.completed.map(\.id) == [id])
        #expect(recovery.completed.first?.syncing?.path == folder.file("f"))
        #expect(!folder.exists("f.fileq-part.json"))
    }

    /// A sync may have failed before the process was killed: only a change of the folder makes the next one count.
    @Test func aFileThatCannotBeNamedAgainIsNotCompleteYet() async throws {
        let id = try await leave(bytes: 1000, at: "f", partial: "later/f.fileq-part")
        let early = try recovered()
        #expect(early.completed.isEmpty && early.memories[id]?.rename != nil && folder.exists("f"))
        #expect(mkdir(folder.file("later"), 0o700) == 0)
        #expect(try recovered().completed.map(\.id) == [id])
    }

    @Test func resumesAFileNotRenamed() async throws {
        _ = try await leave(bytes: 1000, at: "f.fileq-part")
        #expect(try recovered().transfers.map(\.state) == [.queued])
        #expect(folder.exists("f.fileq-part"))
    }

    /// A power cut may have taken bytes of a file that was not synced, whatever it is called.
    @Test func renamedUnsyncedFilesArePartialAfterAnotherBoot() async throws {
        _ = try await leave(bytes: 1000, at: "f", boot: "an earlier boot")
        #expect(try recovered().transfers.map(\.state) == [.queued])
        #expect(!folder.exists("f"))
        #expect(folder.exists("f.fileq-part"))
    }

    /// They may have been reported as completed before the power cut: no sync that fails now may revert that.
    @Test func syncedFilesAreCompleteAfterAnotherBootWithoutAnotherSync() async throws {
        let id = try await leave(bytes: 1000, at: "f", boot: "an earlier boot", isSynced: true)
        let completed = try recovered().completed
        #expect(completed.map(\.id) == [id] && completed.allSatisfy { $0.syncing == nil })
    }

    /// What the store has of it may be a failure, which a power cut must not bring back.
    @Test(arguments: ["this boot", "an earlier boot"])
    func theCompletionOfARenamedFileIsDurable(_ boot: String) async throws {
        _ = try await leave(bytes: 1000, at: "f", boot: boot, isSynced: true)
        let recovery = try recovered()
        store.close()
        let failing = try FailingStore(folder)
        failing.refuse([.intentions])
        let core = QueueCore(
            policy: .durable, transport: FakeTransport { _, _ in .init(500) }, configuration: .init(), session: .init(),
            scheduler: SystemScheduler(), store: failing, recovery: recovery)
        #expect(await eventually { failing.refusals == 1 }, "what is not durable is not refused")
        failing.refuse([])
        await core.shutDown()
    }

    /// Its folder did not respond when an earlier process began: that recorded another state.
    @Test(arguments: [.queued(), .retrying(at: 0, .text("no reply"))] as [TransferStatus])
    func whatCouldNotBeCheckedAtFirstIsCheckedByTheNextAttempt(_ state: TransferStatus) async throws {
        let id = try await leave(bytes: 1000, at: "f", as: state)
        try folder.write([1], to: "f.fileq-part.json")
        let transport = FakeTransport { _, _ in .init(500) }
        let queue = try DurableQueue(store: store, transport: transport, bootID: "this boot")
        let end = try await end(of: id, in: queue)
        #expect(end.state == .completed && end.bytes == 1000)
        #expect(transport.exchanges.isEmpty)
        #expect(try folder.read("f").count == 1000 && !folder.exists("f.fileq-part.json"))
        await queue.shutDown()
    }

    /// Its folder never responded, so the transfer failed; then the process ended.
    @Test(
        arguments: [
            .failed(.init(at: recently), TransferError(.folderNotResponding, "no reply")),
            .cancelled(.init(at: recently), nil),
        ] as [TransferStatus])
    func aRetryChecksWhatCouldNotBeCheckedBeforeTheEnd(_ state: TransferStatus) async throws {
        let id = try await leave(bytes: 1000, at: "f", as: state)
        let transport = FakeTransport { _, _ in .init(500) }
        let queue = try DurableQueue(store: store, transport: transport, bootID: "this boot")
        #expect(try await queue.snapshot().transfers.map(\.state) == [state.state])
        try await queue.perform(.retry, on: [id])
        let end = try await end(of: id, in: queue)
        #expect(end.state == .completed && end.bytes == 1000)
        #expect(transport.exchanges.isEmpty)
        #expect(try folder.read("f").count == 1000)
        await queue.shutDown()
    }

    @Test func aRetryInTheNextProcessKeepsTheCheckpoint() async throws {
        let id = try await leave(
            bytes: 1000, at: "f.fileq-part",
            as: .failed(.init(at: Self.recently), TransferError(.cannotConnect, "refused")))
        let recovery = try recovered()
        #expect(recovery.checkpoints[id]?.download?.inode != nil && recovery.memories[id]?.rename != nil)
        #expect(recovery.transfers.map(\.state) == [.failed])
    }

    @Test func aFileThatWasNotRenamedIsContinuedByTheNextAttempt() async throws {
        let id = try await leave(bytes: 1000, at: "f.fileq-part", as: .queued())
        let transport = FakeTransport { _, _ in .init(200, body: [1, 2, 3]) }
        let queue = try DurableQueue(store: store, transport: transport, bootID: "this boot")
        #expect(try await end(of: id, in: queue).state == .completed)
        #expect(try folder.read("f") == [1, 2, 3])
        await queue.shutDown()
    }

    /// A plain upload is sent again, whatever had been sent of it.
    @Test(arguments: [false, true]) func onlyAResumableUploadKeepsItsBytes(_ isResumable: Bool) async throws {
        let url = try TransferURL("http://host.test/f")
        let spec = Spec(url: url, operation: .upload(.init(source: .file(path: folder.file("f")), form: .put)))
        var transfer = try store.add([spec], as: [Transfer(spec, addedAt: 0)])[0]
        transfer.status = .paused(.by(.transfer))
        (transfer.bytes, transfer.total, transfer.confirmed) = (600, 1000, isResumable ? 500 : 0)
        if isResumable {
            let source = UploadCheckpoint.Source(inode: 1, size: 1000, seconds: 0, nanoseconds: 0)
            let point = UploadPoint(.tus, url: url.string, target: url.string, offset: 500)
            transfer.checkpoint = Checkpoint()
            transfer.checkpoint?.upload = UploadCheckpoint(source: source, point: point)
        }
        let writer = StoreWriter(store: store, now: { 0 }, schedule: { _, _ in }, reportFailure: { _ in })
        writer.record(StoreChange(transfer))
        try await writer.flush()
        let found = try #require(try recovered().transfers.first)
        #expect(found.bytes == (isResumable ? 600 : 0) && found.confirmed == (isResumable ? 500 : 0))
        #expect(found.state == .paused && found.total == 1000)
    }

    /// Another program's file of the same name is left alone.
    @Test func leavesAnotherFileOfThatName() async throws {
        _ = try await leave(bytes: 1000, at: "f.fileq-part")
        let path = try folder.write([9], to: "f")
        #expect(unlink(folder.file("f.fileq-part")) == 0)
        #expect(try recovered().transfers.map(\.state) == [.queued])
        #expect(try folder.read("f") == [9])
        _ = path
    }
}
