// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A completion is published once the store has committed it.
@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    /// A store of a folder that withholds its commits of completions.
    private final class SlowStore: StoreDouble {
        let store: SQLiteStore
        /// `nil`: nothing is withheld any more.
        private let held = Mutex<[StoreWriter.Completion]?>([])

        init(_ folder: TemporaryFolder) throws {
            store = try SQLiteStore(in: folder)
        }

        var isHolding: Bool { held.withLock { $0?.isEmpty == false } }

        /// The commits are done, or have failed; later ones are not withheld.
        func release(_ error: TransferError? = nil) {
            let held = held.withLock { held in
                defer { held = nil }
                return held ?? []
            }
            for completion in held { completion(error) }
        }

        func record(_ changes: @autoclosure () -> [StoreChange], then completion: StoreWriter.Completion?) {
            let changes = changes()
            guard changes.contains(where: { $0.transfer.state == .completed }), let completion else {
                return store.record(changes, then: completion)
            }
            let isHeld = held.withLock { held in
                held?.append(completion)
                return held != nil
            }
            if !isHeld { store.record(changes, then: completion) }
        }
    }

    private let folder: TemporaryFolder
    private let store: SlowStore
    private let core: QueueCore

    init() throws {
        folder = try TemporaryFolder()
        store = try SlowStore(folder)
        var configuration = LocalQueue.Configuration()
        configuration.limits = QueueLimits(concurrent: 1)
        core = QueueCore(
            policy: .durable, transport: try CurlTransport(), configuration: configuration, session: .init(),
            scheduler: SystemScheduler(), store: store)
    }

    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer(head.hasPrefix("PUT") ? "201 Created" : "200 OK", body: [1, 2, 3])
            }
        }
    }

    private func download(_ url: String, _ name: String) throws -> Spec {
        var download = Download(destination: .file(path: folder.file(name)))
        download.syncs = false
        return Spec(url: try TransferURL(url), operation: .download(download))
    }

    private func upload(_ url: String) throws -> Spec {
        let path = try folder.write([1, 2, 3], to: "source")
        return Spec(url: try TransferURL(url), operation: .upload(Upload(source: .file(path: path), form: .put)))
    }

    /// Every state that a listener is given of a transfer, in order.
    private func states(_ update: QueueUpdate, of id: TransferID) -> [TransferState] {
        switch update {
        case .snapshot(let snapshot): snapshot.transfers.filter { $0.id == id }.map(\.state)
        case .events(let events): events.map(\.transfer).filter { $0.id == id }.map(\.state)
        default: []
        }
    }

    @Test(arguments: [false, true]) func publishesCompletionsAfterTheCommit(_ isUpload: Bool) async throws {
        let server = try server()
        let updates = core.updates()
        let spec = try isUpload ? upload(server.url()) : download(server.url(), "out.bin")
        let id = try await core.add([spec], on: .init())[0]
        #expect(await eventually { store.isHolding })
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [.verifying])
        // The next one has the slot meanwhile.
        _ = try await core.add([download(server.url(), "second")], on: .init())
        #expect(await eventually { server.requests.count == 2 })
        // A listener that comes now learns no more.
        for await update in core.updates() {
            #expect(states(update, of: id) == [.verifying])
            break
        }
        await core.run { $0.announce(.changed, id) }
        store.release()
        var seen: [TransferState] = []
        for await update in updates {
            seen += states(update, of: id)
            if seen.last == .completed { break }
        }
        #expect(seen.dropLast().last == .verifying, "\(seen)")
        #expect(seen.filter { $0 == .completed }.count == 1)
        await core.shutDown()
    }

    /// A command that changes a completed transfer before that is committed is part of what is.
    @Test func commitsWhatChangesMeanwhile() async throws {
        let server = try server()
        let id = try await core.add([download(server.url(), "out.bin")], on: .init())[0]
        #expect(await eventually { store.isHolding })
        try await core.run { coordinator in Result { try coordinator.perform(.priority(0.75), on: [id]) } }.get()
        try await core.awaitCommit()
        let stored = try store.transfer(id)
        #expect(stored?.state == .completed && stored?.priority == 0.75)
        store.release()
        await core.shutDown()
    }

    /// The last exchange ends while the transfer waits for the network.
    @Test(arguments: [false, true]) func completesOutOfAWait(_ isUpload: Bool) async throws {
        let gate = Counter()
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            connection.takeBody(of: head)
            _ = eventually { gate.count > 0 }
            connection.answer(isUpload ? "201 Created" : "200 OK", body: [1, 2, 3])
        }
        let spec = try isUpload ? upload(server.url()) : download(server.url(), "out.bin")
        let id = try await core.add([spec], on: .init())[0]
        #expect(await eventually { server.requests.count == 1 })
        await core.run { coordinator in
            guard let run = coordinator.runs[id] else { return }
            coordinator.waits(run, .obstacle(.noInterface))
        }
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [.waiting])
        gate.add()
        #expect(await eventually { store.isHolding })
        store.release()
        await core.run { _ in }
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [.completed])
        await core.shutDown()
    }

    @Test func failsIfTheNameCannotBeSynced() async throws {
        let server = try server()
        let target = SyncTarget(path: folder.file("out.bin"), device: 0)
        let id = try await core.add([download(server.url(), "out.bin")], on: .init(paused: true))[0]
        await core.run { $0.journal.resolve(id, syncing: target) }
        try await core.perform(.resume, on: [id])
        #expect(await eventually { store.isHolding })
        store.release(TransferError(.cannotWrite, "cannot be made durable", fields: .init(path: target.path)))
        await core.run { _ in }
        let transfer = await core.run { $0.snapshot.transfers[0] }
        #expect(transfer.state == .failed)
        #expect(transfer.error?.fields.path == target.path)
        await core.shutDown()
    }

    @Test func shutsDownWithAnUncommittedCompletion() async throws {
        let server = try server()
        let id = try await core.add([download(server.url(), "out.bin")], on: .init())[0]
        #expect(await eventually { store.isHolding })
        async let end: Void = core.shutDown()
        store.release(TransferError(.cannotWrite, "no space", systemErrno: 28))
        await end
        #expect(try folder.read("out.bin") == [1, 2, 3])
        _ = id
    }
}
