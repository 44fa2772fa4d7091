// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
import TransferControl
import TransferTesting

@testable import FileQTransfer

/// A service that ends, is replaced, or is slow to write, while a session listens.
@Suite struct ServiceReplacementTests {
    private static let one = TransferID(rawValue: 1)
    private static let two = TransferID(rawValue: 2)

    @Test func deliversMissedEventsOnce() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        for name in ["a", "b"] { _ = try run.download("https://example.org/\(name)") }
        try await run.session.waitUntilStored()
        stage.service.breakConnections(outage: TransferError(.cannotConnect, "away"))
        stage.service.complete(Self.one)
        #expect(await eventually { stage.service.connects > 3 })
        stage.service.comeBack()
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        #expect(await eventually { stage.service.listenerCount == 1 })
        stage.service.complete(Self.two)
        #expect(await eventually { run.delegate.count("2 complete ok") == 1 && run.session.tasks.isEmpty })
        try await run.session.waitUntilStored()
        #expect(run.delegate.count("caught up") == 1)
        #expect(run.delegate.count("1 complete ok") == 1)
        #expect(stage.service.events.isEmpty)
    }

    @Test func lostRepliesDoNotDuplicateTransfers() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        stage.service.state.withLock { $0.losesNextAnswer = true }
        let task = try run.download()
        #expect(await eventually { stage.service.added.count == 1 })
        task.priority = 1
        #expect(await eventually { stage.service.performed == [.priority(1)] })
        #expect(stage.service.added.count == 1)
        stage.service.complete(Self.one)
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
    }

    /// It was added, its answer was lost, and it was done before anybody came back.
    @Test func endsAfterALostReplyAreDeliveredOnce() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        stage.service.state.withLock { $0.losesNextAnswer = true }
        _ = try run.download()
        #expect(await eventually { stage.service.added.count == 1 })
        stage.service.complete(Self.one)
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
        #expect(await eventually { run.session.tasks.isEmpty })
        #expect(stage.service.added.count == 1)
    }

    @Test func tasksCreatedOfflineAreAddedLater() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let away = TransferError(.cannotConnect, "away")
        stage.service.breakConnections(outage: away)
        let (first, second) = (try run.download(), try run.download())
        second.cancel()
        let error = await #expect(throws: TransferError.self) { try await run.session.waitUntilStored() }
        #expect(error == away)
        stage.service.comeBack()
        #expect(await eventually { run.delegate.error(second) == .cancelled })
        #expect(await eventually { stage.service.added.count == 1 })
        #expect(first.state == .running)
    }

    @Test func removedTransfersEndTheirTask() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = try run.download()
        try await run.session.waitUntilStored()
        stage.service.queue.contents.withLock { $0.transfers = [] }
        stage.service.breakConnections()
        #expect(await eventually { run.delegate.error(task)?.code == .other && run.session.tasks.isEmpty })
    }

    /// The same, found out by a command.
    @Test func commandsForRemovedTransfersEndTheirTask() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let task = try run.download()
        try await run.session.waitUntilStored()
        stage.service.queue.contents.withLock { $0.transfers = [] }
        task.cancel()
        #expect(await eventually { run.delegate.error(task)?.code == .other })
    }

    /// A queue may report an end before it has committed it.
    @Test func waitsForALateEvent() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        _ = try run.download()
        try await run.session.waitUntilStored()
        stage.service.state.withLock { $0.holdsEvents = true }
        stage.service.complete(Self.one)
        stage.service.recordHeldEvents()
        #expect(await eventually { run.delegate.count("1 complete ok") == 1 })
    }

    @Test func waitingForTheServiceCanBeCancelled() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try run.download()
            try await run.session.waitUntilStored()
        }
        let result = await waiting.result
        #expect((try? result.get()) == nil)
    }

    // MARK: The end of a session

    @Test func finishingWaitsForTasksThenReleasesTheSession() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        _ = try run.download()
        try await run.session.waitUntilStored()
        run.session.finishTasksAndInvalidate()
        let late = run.session.downloadTask(with: TransferRequest(url: try TransferURL("https://example.org/late")))
        #expect(await eventually { run.delegate.error(late)?.code == .usage })
        stage.service.complete(Self.one)
        #expect(await eventually { run.delegate.count("invalid") == 1 })
        #expect(run.delegate.lines.last == "invalid")
        // All that was delivered is known to the service, and the name is free.
        #expect(stage.service.events.isEmpty)
        await (try await stage.run()).end()
    }

    @Test func cancellingEndsAllTasks() async throws {
        let stage = try BackgroundStage()
        let run = try await stage.run()
        for name in ["a", "b"] { _ = try run.download("https://example.org/\(name)") }
        try await run.session.waitUntilStored()
        run.session.invalidateAndCancel()
        #expect(await eventually { run.delegate.count("invalid") == 1 })
        #expect(run.delegate.count("1 complete 1") + run.delegate.count("2 complete 1") == 2)
        #expect(stage.service.performed == [.cancel(deletingPartial: true), .cancel(deletingPartial: true)])
        #expect(stage.service.events.isEmpty)
    }

    /// A run that only receives missed events: all are delivered before its end.
    @Test func invalidationDeliversPendingEnds() async throws {
        let stage = try BackgroundStage()
        let first = try await stage.run()
        _ = try first.download()
        try await first.session.waitUntilStored()
        await first.end()
        stage.service.complete(Self.one)
        let run = try await stage.run()
        run.session.finishTasksAndInvalidate()
        #expect(await eventually { run.delegate.count("invalid") == 1 })
        #expect(
            run.delegate.lines == ["1 wrote 5", "1 finished", "1 metrics", "1 complete ok", "caught up", "invalid"])
        #expect(stage.service.events.isEmpty)
    }

    @Test func releasedSessionsFreeTheirIdentifier() async throws {
        let stage = try BackgroundStage()
        do {
            let run = try await stage.run()
            #expect(await eventually { run.delegate.count("caught up") == 1 })
        }
        var opened: BackgroundStage.Run?
        for _ in 0..<2000 where opened == nil {
            opened = try? await stage.run()
            if opened == nil { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(opened != nil)
    }
}
