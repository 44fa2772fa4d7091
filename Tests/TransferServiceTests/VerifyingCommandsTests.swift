// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Commands that come while a file is being verified: a right file gets its name, a wrong one no other attempt.
@Suite(.timeLimit(.minutes(10))) struct VerifyingCommandsTests {
    private let folder: TemporaryFolder
    private let core: QueueCore

    init() throws {
        folder = try TemporaryFolder()
        let transport = Self.stallingTransport()
        let store = SQLiteStore(
            try TransferStore(folder: folder.file("state"), time: 0), scheduler: SystemScheduler(), report: { _ in })
        core = QueueCore(
            policy: .durable, transport: transport, configuration: LocalQueue.Configuration(), session: .init(),
            scheduler: SystemScheduler(), store: store)
    }

    private static func stallingTransport() -> FakeTransport {
        FakeTransport { _, _ in
            var answer = FakeTransport.Answer(200, [.eTag: "\"1\""], body: patternedBytes(5000))
            answer.stalls = true
            return answer
        }
    }

    /// - Returns: a transfer whose file is being verified.
    private func verifying() async throws -> TransferID {
        let download = Download(destination: .file(path: folder.file("out.bin")))
        let spec = Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))
        let id = try await core.add([spec], on: .init(paused: true))[0]
        try await core.run { coordinator in
            Result {
                try coordinator.perform(.resume, on: [id])
                // Of a file that is being verified no response comes any more.
                let run = try #require(coordinator.runs[id])
                if let task = run.task { coordinator.release(task, of: run) }
                #expect(coordinator.update(id) { $0.status = .verifying() })
            }
        }.get()
        // As `resume` does before its reply.
        try await core.awaitCommit()
        return id
    }

    /// - Returns: the states right after the commands, and after the verification, which leads to another attempt.
    private func verify(_ commands: [QueueCommand]) async throws -> [TransferState] {
        let id = try await verifying()
        let states = try await core.run { coordinator in
            Result {
                for command in commands { try coordinator.perform(command, on: [id]) }
                let before = try #require(coordinator.queue[id]?.state)
                let run = try #require(coordinator.runs[id])
                coordinator.tryNext(run, .failure(TransferError(.checksumMismatch, "wrong")), after: 3600)
                return [before, try #require(coordinator.queue[id]?.state)]
            }
        }.get()
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [states[1]])
        await core.shutDown()
        return states
    }

    @Test(
        arguments: [
            ([.pause], .paused), ([.hold], .paused), ([.pause, .resume], .retrying),
            ([.cancel(deletingPartial: true)], .cancelled), ([.cancel(deletingPartial: false), .pause], .cancelled),
            ([.cancel(deletingPartial: false), .resume], .cancelled), ([], .retrying),
            ([.cancel(deletingPartial: false), .retry], .retrying),
        ] as [([QueueCommand], TransferState)])
    func applyBeforeTheNextAttempt(_ commands: [QueueCommand], _ after: TransferState) async throws {
        #expect(try await verify(commands) == [.verifying, after])
    }

    /// A cancel takes the place of the hold, and its withdrawal brings that back.
    @Test func aRetryInAHeldQueueStaysHeld() async throws {
        let id = try await verifying()
        try await core.setHeld(true)
        try await core.perform(.cancel(deletingPartial: false), on: [id])
        try await core.perform(.retry, on: [id])
        #expect(await core.run { $0.postponed(id) } == .hold)
        try await core.setHeld(false)
        #expect(await core.run { $0.postponed(id) } == nil)
        await core.shutDown()
    }

    /// - Parameter after: the state when the verification has ended, before the undo; `nil`: it has not.
    @Test(
        arguments: [
            (.pause, nil, .retrying), (.hold, nil, .retrying), (.cancel(deletingPartial: false), nil, .retrying),
            (.pause, .paused, .running), (.cancel(deletingPartial: false), .cancelled, .running),
        ] as [(QueueCommand, TransferState?, TransferState)])
    func areUndone(_ command: QueueCommand, _ after: TransferState?, _ undone: TransferState) async throws {
        let id = try await verifying()
        try await core.perform(command, on: [id])
        let fail: @Sendable () async throws -> TransferState = { [core] in
            try await core.run { coordinator in
                Result {
                    let run = try #require(coordinator.runs[id])
                    coordinator.tryNext(run, .failure(TransferError(.checksumMismatch, "wrong")), after: 3600)
                    return try #require(coordinator.queue[id]?.state)
                }
            }.get()
        }
        if let after { #expect(try await fail() == after) }
        let reply = try await core.undo()
        #expect(reply.ids == [id] && reply.skipped == 0)
        #expect(await core.run { $0.postponed(id) } == nil)
        if after == nil {
            #expect(try await fail() == undone)
        } else {
            #expect(await polled { await core.run { $0.queue[id]?.state } == undone })
        }
        await core.shutDown()
    }

    private static let started: [TransferState] = [.queued, .running]

    /// The process ends after the reply, and before the verification does.
    /// - Parameters:
    ///   - after: of the next process; `nil` if it starts the transfer.
    ///   - continuing: a command to the next process after which a third one starts it.
    @Test(
        arguments: [
            ([.pause], .paused, .resume), ([.hold], .paused, .resume), ([.pause, .resume], nil, nil),
            ([.cancel(deletingPartial: true)], .cancelled, .retry),
            ([.cancel(deletingPartial: false), .pause], .cancelled, .retry),
            ([.cancel(deletingPartial: false), .retry], nil, nil), ([], nil, nil),
        ] as [([QueueCommand], TransferState?, QueueCommand?)])
    func stayAfterAKill(
        _ commands: [QueueCommand], _ after: TransferState?, _ continuing: QueueCommand?
    ) async throws {
        let id = try await verifying()
        for command in commands { try await core.perform(command, on: [id]) }
        try FileManager.default.copyItem(atPath: folder.file("state"), toPath: folder.file("left"))
        await core.shutDown()
        // What an attempt would refuse to continue.
        if continuing != nil { try folder.write([1], to: "out.bin.fileq-part") }
        func open() throws -> DurableQueue {
            try DurableQueue(
                store: try TransferStore(folder: folder.file("left"), time: 0), transport: Self.stallingTransport())
        }
        for _ in 0..<2 {
            let next = try open()
            let found = try await next.snapshot().transfers[0]
            #expect((after.map { [$0] } ?? Self.started).contains(found.state), "\(found.status)")
            #expect(found.pausedBy == (after == .paused ? commands == [.hold] ? .queue : .transfer : nil))
            await next.shutDown()
        }
        guard let continuing else { return }
        #expect(folder.exists("out.bin.fileq-part") == !commands.contains(.cancel(deletingPartial: true)))
        unlink(folder.file("out.bin.fileq-part"))
        let next = try open()
        try await next.perform(continuing, on: [id])
        await next.shutDown()
        let last = try open()
        let status = try await last.snapshot().transfers[0].status
        #expect(Self.started.contains(status.state), "\(status)")
        await last.shutDown()
    }

    /// What is to be recorded before that cannot be.
    @Test(arguments: [false, true]) func aCancelledDownloadGetsNoName(_ deletingPartial: Bool) async throws {
        let other = try TemporaryFolder()
        let store = try FailingStore(other)
        store.refuse([.intentions])
        var configuration = LocalQueue.Configuration()
        configuration.disk.isInMemory = { _ in false }
        let core = QueueCore(
            policy: .durable,
            transport: FakeTransport { _, _ in .init(200, [.eTag: "\"1\""], body: patternedBytes(5000)) },
            configuration: configuration, session: .init(), scheduler: SystemScheduler(), store: store)
        let download = Download(destination: .file(path: other.file("out.bin")))
        let spec = Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))
        let id = try await core.add([spec], on: .init())[0]
        #expect(await eventually { store.refusals > 0 })
        try await core.perform(.cancel(deletingPartial: deletingPartial), on: [id])
        let updates = core.updates()
        for await update in updates {
            let known: [Transfer] =
                switch update {
                case .snapshot(let snapshot): snapshot.transfers
                case .events(let events): events.map(\.transfer)
                default: []
                }
            if known.contains(where: { $0.state == .cancelled }) { break }
        }
        store.refuse([])
        await core.shutDown()
        #expect(!other.exists("out.bin") && other.exists("out.bin.fileq-part") != deletingPartial)
    }
}
