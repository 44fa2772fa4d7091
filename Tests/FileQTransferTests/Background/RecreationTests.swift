// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import TransferControl
import TransferTesting

@testable import FileQTransfer

/// Runs of a program one after the other: what a later one finds of the earlier ones' transfers.
@Suite struct RecreationTests {
    private static let one = TransferID(rawValue: 1)
    private static let two = TransferID(rawValue: 2)
    private static let three = TransferID(rawValue: 3)

    @Test func findsTasksOfAnEarlierRun() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        _ = try first.download { $0.taskDescription = "the first" }
        let second = try first.download("https://me:secret@example.org/b.iso")
        let source = try stage.folder.write([1, 2, 3], to: "source")
        _ = try first.upload(source)
        second.suspend()
        try await first.session.waitUntilStored()
        stage.service.change(Self.one) { ($0.bytes, $0.total) = (70, 100) }
        await first.end()

        let run = try await stage.run()
        let tasks = run.session.tasks
        #expect(tasks.map(\.identifier) == [1, 2, 3])
        #expect(tasks.map(\.taskDescription) == ["the first", nil, nil])
        #expect(tasks.map(\.state) == [.running, .suspended, .running])
        #expect(
            tasks.map(\.originalRequest.url.string) == [
                "https://example.org/a.iso", "https://example.org/b.iso", "https://example.org/u",
            ])
        #expect(tasks.map(\.originalRequest.method) == [.get, .get, .put])
        #expect(tasks[0].originalRequest.options.headers.map(\.name) == [.userAgent])
        #expect(tasks[0] is DownloadTask && tasks[2] is UploadTask)
        #expect(tasks[0].progress.received == 70)
        #expect(tasks[0].progress.expectedToReceive == 100)
        // A new task has a name of its own.
        #expect(try run.download("https://example.org/c").identifier == 4)
        tasks[1].resume()
        try await run.session.waitUntilStored()
        #expect(stage.service.transfer(Self.two)?.state == .running)
        stage.service.complete(Self.one, bytes: String(repeating: "x", count: 100))
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        // Known events are not delivered again.
        #expect(
            run.delegate.lines.filter { $0.hasPrefix("1 ") } == [
                "1 wrote 100", "1 finished", "1 metrics", "1 complete ok",
            ])
    }

    @Test func deliversMissedEndsFirstAndOnce() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        for name in ["a", "b", "c"] {
            _ = try first.download("https://example.org/\(name)") { $0.taskDescription = name }
        }
        try await first.session.waitUntilStored()
        await first.end()
        stage.service.complete(Self.two, bytes: "second")
        stage.service.fail(Self.one, TransferError(.timedOut, "too slow"))

        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(
            run.delegate.lines == [
                "2 wrote 6", "2 finished", "2 metrics", "2 complete ok", "1 metrics", "1 complete 28", "caught up",
            ])
        #expect(run.delegate.taskDescriptions == [1: "a", 2: "b"])
        #expect(Array(run.delegate.files.values) == ["second"])
        #expect(run.session.tasks.map(\.identifier) == [3])
        try await run.session.waitUntilStored()
        #expect(stage.service.events.isEmpty)
        await run.end()

        let third = try await stage.run()
        #expect(await eventually { third.delegate.count("caught up") == 1 })
        #expect(third.delegate.lines == ["caught up"])
    }

    /// Killed before the delegate has returned: the one seam at which an end comes twice.
    @Test func unacknowledgedEndsAreRedelivered() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        _ = try first.download()
        try await first.session.waitUntilStored()
        await first.end()
        stage.service.complete(Self.one)

        let connector = try await ServiceConnector.open(identifier: BackgroundStage.identifier, places: stage.places) {
            () async throws(TransferError) in try stage.service.connect()
        }
        let ends = Mutex(0)
        connector.start { event in if case .ended = event { ends.withLock { $0 += 1 } } }
        #expect(await eventually { ends.withLock { $0 } == 1 })
        await withCheckedContinuation { continuation in connector.close { continuation.resume() } }
        #expect(stage.service.acknowledged.isEmpty)

        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(run.delegate.count("1 complete ok") == 1)
        #expect(run.delegate.files.count == 1)
    }

    /// The delegate of a run that was killed had moved it.
    @Test func missingFilesAreErrors() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        _ = try first.download()
        try await first.session.waitUntilStored()
        await first.end()
        stage.service.complete(Self.one)
        try FileManager.default.removeItem(atPath: try #require(stage.service.transfer(Self.one)).file)
        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(run.delegate.lines == ["1 wrote 5", "1 metrics", "1 complete 26", "caught up"])
    }

    @Test func readsSeveralPagesOfEvents() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        await first.end()
        let count = SessionEvent.maximumLimit * 2 + 10
        stage.service.queue.contents.withLock { contents in
            for number in 1...count {
                var transfer = Transfer(
                    id: TransferID(rawValue: number), kind: .upload, url: "https://example.org/u", file: "/u",
                    state: .completed)
                (transfer.session, transfer.taskDescription) = (
                    BackgroundStage.identifier, #"{"version":1,"task":\#(number),"token":"\#(number)","method":"PUT"}"#
                )
                contents.transfers.append(transfer)
                contents.sessionEvents.append(SessionEvent(sequence: Int64(number), time: 1, transfer: transfer))
            }
        }
        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(run.delegate.lines == (1...count).flatMap { ["\($0) metrics", "\($0) complete ok"] } + ["caught up"])
        try await run.session.waitUntilStored()
        #expect(stage.service.events.isEmpty)
    }

    /// A failed transfer was restarted before its program learned of the failure.
    @Test func supersededEndsAreNotDelivered() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        _ = try first.download()
        try await first.session.waitUntilStored()
        await first.end()
        stage.service.fail(Self.one, TransferError(.timedOut, "too slow"))
        stage.service.change(Self.one, .queued) { ($0.state, $0.error) = (.running, nil) }
        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(run.session.tasks.map(\.identifier) == [1])
        stage.service.complete(Self.one)
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        #expect(run.delegate.lines == ["caught up", "1 wrote 5", "1 finished", "1 metrics", "1 complete ok"])
    }

    /// Only what lies in the session's own folder is the session's to remove.
    @Test func foreignFilesStay() async throws {
        let stage = try BackgroundStage()
        let file = try stage.folder.write(Array("precious".utf8), to: "precious")
        stage.service.queue.contents.withLock { contents in
            var transfer = Transfer(
                id: Self.one, kind: .download, url: "https://example.org/x", file: file, state: .completed)
            transfer.session = BackgroundStage.identifier
            contents.transfers.append(transfer)
            contents.sessionEvents.append(SessionEvent(sequence: 1, time: 1, transfer: transfer))
        }
        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        #expect(Array(run.delegate.files.values) == ["precious"])
        try await run.session.waitUntilStored()
        #expect(stage.service.events.isEmpty)
        #expect(stage.folder.exists("precious"))
    }

    /// One that cannot be any task's is forgotten, and holds nothing up.
    @Test func ignoresInvalidEvents() async throws {
        let stage = try BackgroundStage()
        stage.service.queue.contents.withLock { contents in
            var transfer = Transfer(
                id: Self.one, kind: .download, url: "gopher://x", file: "/x", state: .failed)
            transfer.session = BackgroundStage.identifier
            contents.sessionEvents.append(SessionEvent(sequence: 1, time: 1, transfer: transfer))
        }
        let run = try await stage.run()
        #expect(await eventually { run.delegate.count("caught up") == 1 })
        try await run.session.waitUntilStored()
        #expect(run.delegate.lines == ["caught up"])
        #expect(stage.service.events.isEmpty)
    }

    @Test func sessionsBelongToOneProcess() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        let error = await #expect(throws: TransferError.self) { try await stage.run() }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("is open already") == true)
        // Another one is another one.
        await (try await stage.run(identifier: "another")).end()
        await first.end()
        await (try await stage.run()).end()
    }

    @Test func unreachableServiceFailsWithoutALock() async throws {
        let stage = try BackgroundStage()
        let outage = TransferError(.other, "no service")
        stage.service.breakConnections(outage: outage)
        let error = await #expect(throws: TransferError.self) { try await stage.run() }
        #expect(error == outage)
        stage.service.comeBack()
        await (try await stage.run()).end()
    }

    @Test func readyMadeOnesNeedAnIdentifier() async throws {
        let stage = try BackgroundStage()
        let connect: ServiceConnector.Connect = { () async throws(TransferError) in try stage.service.connect() }
        let error = await #expect(throws: TransferError.self) {
            try await TransferSession.background(TransferConfiguration(), places: stage.places, connect: connect)
        }
        #expect(error?.code == .usage)
        let session = try await TransferSession.background(.background("x"), places: stage.places, connect: connect)
        #expect(session.configuration.identifier == "x")
        #expect(session.configuration.waitsForConnectivity)
    }
}
