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

/// A download is paused as its last byte arrives: it stays paused, and has all bytes.
@Suite(.timeLimit(.minutes(10))) struct PauseAtTheEndTests {
    private let folder: TemporaryFolder
    private let transport: FakeTransport
    private let core: QueueCore
    private let bytes: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        let body = patternedBytes(5000)
        bytes = body
        transport = FakeTransport { _, _ in FakeTransport.Answer(200, [.eTag: "\"1\""], body: body) }
        let store = SQLiteStore(
            try TransferStore(folder: folder.file("state"), time: 0), scheduler: SystemScheduler(), report: { _ in })
        core = QueueCore(
            policy: .durable, transport: transport, configuration: LocalQueue.Configuration(), session: .init(),
            scheduler: SystemScheduler(), store: store)
    }

    /// The engine is busy while everything arrives, then receives the pause before the end.
    private func pausedAtTheEnd() async throws -> TransferID {
        let download = Download(destination: .file(path: folder.file("out.bin")))
        let spec = Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))
        let id = try await core.add([spec], on: .init(paused: true))[0]
        try await core.run { [transport] coordinator in
            Result {
                try coordinator.perform(.resume, on: [id])
                #expect(eventually { transport.exchanges.count == 1 && transport.countUnderWay == 0 })
                try coordinator.perform(.pause, on: [id])
            }
        }.get()
        #expect(await polled { await core.run { $0.runs[id]?.task == nil } })
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [.paused])
        #expect(await core.run { $0.queue[id]?.bytes } == 5000)
        #expect(try folder.read("out.bin.fileq-part") == bytes && !folder.exists("out.bin"))
        return id
    }

    @Test func staysPausedUntilItIsResumed() async throws {
        let id = try await pausedAtTheEnd()
        // What a killed process leaves.
        try await core.awaitCommit()
        try FileManager.default.copyItem(atPath: folder.file("state"), toPath: folder.file("copy"))
        let next = try DurableQueue(
            store: try TransferStore(folder: folder.file("copy"), time: 0),
            transport: FakeTransport { _, _ in .init(500) })
        #expect(try await next.snapshot().transfers.map(\.state) == [.paused])
        await next.shutDown()

        try await core.perform(.resume, on: [id])
        #expect(await polled { await core.run { $0.snapshot.transfers.map(\.state) } == [.completed] })
        #expect(try folder.read("out.bin") == bytes)
        #expect(transport.exchanges.count == 1)
        await core.shutDown()
    }

    @Test(arguments: [false, true]) func canBeCancelled(_ deletingPartial: Bool) async throws {
        let id = try await pausedAtTheEnd()
        try await core.perform(.cancel(deletingPartial: deletingPartial), on: [id])
        #expect(await core.run { $0.snapshot.transfers.map(\.state) } == [.cancelled])
        #expect(folder.exists("out.bin.fileq-part") != deletingPartial && !folder.exists("out.bin"))
        await core.shutDown()
    }

    /// Both commands come before the end is known: the later one counts.
    @Test(arguments: [false, true]) func isCancelledAfterThePause(_ deletingPartial: Bool) async throws {
        let download = Download(destination: .file(path: folder.file("out.bin")))
        let spec = Spec(url: try TransferURL("http://a.test/f"), operation: .download(download))
        let id = try await core.add([spec], on: .init(paused: true))[0]
        try await core.run { [transport] coordinator in
            Result {
                try coordinator.perform(.resume, on: [id])
                #expect(eventually { transport.exchanges.count == 1 && transport.countUnderWay == 0 })
                try coordinator.perform(.pause, on: [id])
                try coordinator.perform(.cancel(deletingPartial: deletingPartial), on: [id])
            }
        }.get()
        #expect(await polled { await core.run { $0.snapshot.transfers.map(\.state) } == [.cancelled] })
        #expect(folder.exists("out.bin.fileq-part") != deletingPartial && !folder.exists("out.bin"))
        await core.shutDown()
    }
}
