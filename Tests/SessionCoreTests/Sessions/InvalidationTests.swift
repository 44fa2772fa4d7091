// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// The end of a session, and what comes after it.
@Suite struct InvalidationTests {
    @Test func finishingWaitsForRunningTasks() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        stage.session.finishTasksAndInvalidate()
        #expect(recorder.invalidationCount == 0)
        task.resume()
        #expect(await eventually { recorder.invalidationCount == 1 })
        #expect(recorder.calls.suffix(2) == ["complete ok", "invalid"])
    }

    @Test func cancellingEndsEveryTaskAndThenTheSession() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in
            var answer = FakeTransport.Answer(200, body: [1])
            answer.stalls = true
            return answer
        }
        let tasks = try (0..<5).map { _ in stage.session.dataTask(with: try request()) }
        for task in tasks.prefix(3) { task.resume() }
        stage.session.invalidateAndCancel()
        #expect(await eventually { recorder.invalidationCount == 1 })
        #expect(tasks.allSatisfy { recorder.endCount($0) == 1 && recorder.error($0) == .cancelled })
        #expect(recorder.calls.last == "invalid")
        #expect(stage.session.tasks.isEmpty)
    }

    @Test func idleSessionsBecomeInvalidOnce() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(200) }
        stage.session.finishTasksAndInvalidate()
        stage.session.finishTasksAndInvalidate()
        stage.session.invalidateAndCancel()
        #expect(await eventually { recorder.invalidationCount == 1 })
        await stage.drain()
        #expect(recorder.invalidationCount == 1)
    }

    @Test func laterTasksFailWithoutCrash() async throws {
        let stage = Stage(delegate: Recorder()) { _, _ in .init(200) }
        stage.session.invalidateAndCancel()
        await stage.drain()
        await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        task.cancel()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .usage)
        #expect(stage.transport.exchanges.isEmpty)
    }

    @Test func releasesTheDelegateAtTheEnd() async throws {
        weak var released: Recorder?
        let session: TransferSession
        do {
            let recorder = Recorder()
            released = recorder
            let stage = Stage(delegate: recorder) { _, _ in .init(200) }
            session = stage.session
            session.invalidateAndCancel()
            #expect(await eventually { recorder.invalidationCount == 1 })
        }
        #expect(await eventually { released == nil })
        #expect(session.tasks.isEmpty)
    }

    @Test func releasedSessionsFinishTheirTasks() async throws {
        let recorder = Recorder()
        let task: TransferTask
        do {
            let stage = Stage(delegate: recorder) { _, _ in .init(200, body: [1, 2]) }
            task = stage.session.dataTask(with: try request())
            task.resume()
        }
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
    }
}

extension Stage {
    /// Until everything that was on its way to the delegate has arrived.
    func drain() async {
        for _ in 0..<3 {
            await withCheckedContinuation { done in session.delegateQueue.async { done.resume() } }
        }
    }
}
