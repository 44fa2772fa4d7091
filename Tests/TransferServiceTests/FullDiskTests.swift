// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A queue whose store cannot write, and other moments of a durable queue.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    private let folder: TemporaryFolder
    private let store: FailingStore
    private let core: QueueCore

    init() throws {
        folder = try TemporaryFolder()
        store = try FailingStore(folder)
        var configuration = LocalQueue.Configuration()
        configuration.disk.isInMemory = { _ in false }
        core = QueueCore(
            policy: .durable, transport: try CurlTransport(), configuration: configuration, session: .init(),
            scheduler: SystemScheduler(), store: store)
    }

    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.contains("/missing") {
                    connection.answer("404 Not Found")
                } else {
                    connection.answer("200 OK", ["ETag: \"1\""], body: [1, 2, 3])
                }
            }
        }
    }

    private func download(_ url: String, _ name: String) throws -> Spec {
        // A checksum: the transport alone does not carry it out.
        var download = Download(destination: .file(path: folder.file(name)))
        download.checksum = try Checksum(
            parsing: "sha256:039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
        return Spec(url: try TransferURL(url), operation: .download(download))
    }

    private func states() async -> [TransferState] { await core.run { $0.snapshot.transfers.map(\.state) } }

    /// One that waits behind it, too.
    @Test func shutsDownWhileADownloadCannotBeNamed() async throws {
        let server = try server()
        store.refuse([.intentions])
        _ = try await core.add([download(server.url(), "a")], on: .init())
        #expect(await eventually { store.refusals > 0 })
        _ = try await core.add([download(server.url(), "b")], on: .init())
        #expect(await polled { await states() == [.verifying, .verifying] })
        await core.shutDown()
        #expect(!folder.exists("a") && !folder.exists("b"))
        #expect(try folder.read("a.fileq-part") == [1, 2, 3] && folder.read("b.fileq-part") == [1, 2, 3])
    }

    /// A request that was sent before its file could be opened: a transfer that is paused does not move.
    @Test(arguments: [true, false]) func aSentRequestEndsWithItsAttempt(_ isFull: Bool) async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClose() }
        let spec = try download(server.url(), "a")
        let id = try await core.add([spec], on: .init())[0]
        let dropped = Mutex(false)
        await core.run { coordinator in
            let run = Run.make(id, spec, coordinator)
            run.ticket = FetchTicket(key: 1, url: server.url()) { dropped.withLock { $0 = true } }
            coordinator.attempt(run) {
                if isFull { throw TransferError(.cannotWrite, file: .write, path: "a", systemErrno: ENOSPC) }
            }
            #expect(dropped.withLock { $0 } == isFull)
            run.generation += 1
        }
        #expect(dropped.withLock { $0 })
        await core.shutDown()
    }

    /// A connection that takes the place of the first begins further on; the attempt does not.
    @Test func anAttemptHasOneFirstByte() async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClose() }
        let id = try await core.add([download(server.url(), "a")], on: .init())[0]
        #expect(await polled { await core.run { $0.runs[id]?.task != nil } })
        await core.run { coordinator in
            guard let run = coordinator.runs[id], let session = coordinator.session,
                let task = run.task as? DownloadTask
            else {
                Issue.record("it does not run")
                return
            }
            coordinator.session(session, task: task, didResumeAt: 10, expected: 100)
            #expect(run.firstByte == nil && run.beganAt == 10)
            coordinator.moved(run, to: 50, total: 100, confirmed: 50)
            coordinator.session(session, task: task, didResumeAt: 80, expected: 100)
            #expect(run.firstByte == 10)
        }
        await core.shutDown()
    }

    @Test(arguments: [QueueCommand.remove, .dismiss])
    func whatCannotBeRemovedStays(_ command: QueueCommand) async throws {
        let server = try server()
        let ids = try await core.add(
            ["a", "b", "c"].map { try download(server.url("/missing"), $0) }, on: .init())
        #expect(await polled { await states() == [.failed, .failed, .failed] })
        let before = await core.run { $0.snapshot.transfers }
        store.refuse([.removals])
        let updates = core.updates()
        await #expect(throws: FailingStore.error) { try await core.perform(command, on: [ids[1]]) }
        #expect(await core.run { $0.snapshot.transfers } == before)
        // A client that has followed the updates shows it, too.
        var isShown = true
        for await update in updates {
            switch update {
            case .removed: isShown = false
            case .events(let events):
                guard events.contains(where: { $0.transfer.id == ids[1] }) else { continue }
                isShown = true
            default: continue
            }
            if isShown { break }
        }
        store.refuse([])
        try await core.perform(command, on: [ids[1]])
        #expect(await core.run { $0.snapshot.transfers.map(\.id) } == [ids[0], ids[2]])
        await core.shutDown()
    }

    /// What could not be reverted can be tried again.
    @Test func anUndoThatFailsIsNotLost() async throws {
        let server = try server()
        let id = try await core.add([download(server.url("/missing"), "a")], on: .init())[0]
        #expect(await polled { await states() == [.failed] })
        try await core.perform(.dismiss, on: [id])
        store.refuse([.removals])
        await #expect(throws: FailingStore.error) { _ = try await core.undo() }
        #expect(await states() == [])
        store.refuse([])
        #expect(try await core.undo().ids == [id])
        #expect(await states() == [.failed])
        await core.shutDown()
    }

    /// The store still has the state before.
    @Test func whatMatchesInTheStoreAloneIsNotCleared() async throws {
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            guard number == 1 else { return connection.waitForClose() }
            connection.answer("404 Not Found", ["Connection: close"])
        }
        let id = try await core.add([download(server.url(), "a")], on: .init())[0]
        #expect(await polled { await states() == [.failed] })
        await core.waitForStore()
        store.refuse([.changes])
        try? await core.perform(.retry, on: [id])
        try? await core.perform(.cancel(deletingPartial: false), on: [id])
        #expect(await polled { await states() == [.cancelled] })
        #expect(try await core.history(HistoryQuery()).map(\.transfer.state) == [.failed])
        #expect(try await core.clear(QueueFilter(states: [.failed])) == 0)
        #expect(await states() == [.cancelled])
        store.refuse([])
        #expect(try await core.clear(QueueFilter(states: [.cancelled])) == 1)
        #expect(await states().isEmpty)
        await core.shutDown()
    }

    /// A later sync would succeed without them.
    @Test func bytesThatASyncHasLostAreRequestedAgain() async throws {
        let bytes = patternedBytes(300_000)
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            guard number == 1 else { return connection.answer(bytes, to: head, tag: "\"1\"") }
            connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<150_000]))
            connection.waitForClose()
        }
        let path = folder.file("a")
        let spec = Spec(
            url: try TransferURL(server.url()), operation: .download(Download(destination: .file(path: path))))
        let id = try await core.add([spec], on: .init())[0]
        #expect(await polled { await core.run { $0.queue[id]?.bytes } == 150_000 })
        await core.run { coordinator in
            if let run = coordinator.runs[id] as? DownloadRun { run.noteLostBytes(EIO) }
        }
        #expect(await polled { await states() == [.failed] })
        #expect(await core.run { $0.queue[id]?.error?.systemErrno } == EIO)
        #expect(!folder.exists("a.fileq-part"))
        try await core.perform(.retry, on: [id])
        #expect(await polled { await states() == [.completed] })
        #expect(try folder.read("a") == bytes)
        #expect(server.requests.last?.lowercased().contains("range:") == false)
        await core.shutDown()
    }
}
