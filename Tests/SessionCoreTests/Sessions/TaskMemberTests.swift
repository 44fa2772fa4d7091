// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// The properties of a task.
@Suite struct TaskMemberTests {
    @Test func statesFollowTheCalls() async throws {
        let stage = Stage { _, _ in stalling() }
        let task = stage.session.dataTask(with: try request())
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
        #expect(await eventually { task.progress.received == 1 })
        task.suspend()
        task.suspend()
        task.resume()
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
        task.cancel()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == .cancelled)
        task.resume()
        #expect(task.state == .completed)
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func cancellingAnUnstartedTaskSendsNothing() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.cancel()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["metrics", "complete 1"])
        #expect(stage.transport.exchanges.isEmpty)
    }

    @Test func describesRequestAndResult() async throws {
        let stage = Stage { _, number in number == 1 ? .init(302, [.location: "/next"]) : .init(404, body: [1]) }
        let first = stage.session.dataTask(with: try request())
        let second = stage.session.uploadTask(with: try request("http://a.test/up", .put), body: .bytes([1]))
        #expect([first.identifier, second.identifier] == [1, 2])
        #expect(stage.session.tasks.map(\.identifier) == [1, 2])
        first.taskDescription = "mine"
        #expect(first.taskDescription == "mine")
        #expect(first.response == nil)
        first.resume()
        #expect(await eventually { first.state == .completed })
        #expect(first.originalRequest.url.string == "http://a.test/file")
        #expect(first.currentURL.string == "http://a.test/next")
        #expect(first.response?.status.code == 404)
        #expect(first.error == nil)
        #expect(await eventually { stage.session.tasks.map(\.identifier) == [2] })
        second.cancel()
    }

    @Test func clampsPriorities() throws {
        let stage = Stage { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        #expect(task.priority == TransferTask.defaultPriority)
        for (value, kept) in [(7.0, 1.0), (-1, 0), (TransferTask.highPriority, 0.75), (TransferTask.lowPriority, 0.25)]
        {
            task.priority = value
            #expect(task.priority == kept)
        }
        task.cancel()
    }

    @Test func expectedCountsAreTheFallback() async throws {
        let stage = Stage { _, _ in stalling() }
        let task = stage.session.dataTask(with: try request())
        #expect(task.progress.fractionCompleted == nil)
        task.countOfBytesClientExpectsToReceive = 4
        task.countOfBytesClientExpectsToSend = 0
        task.resume()
        #expect(await eventually { task.progress.fractionCompleted == 0.25 })
        #expect(task.countOfBytesClientExpectsToReceive == 4)
        task.cancel()
    }

    @Test func progressCountsBothDirections() async throws {
        let stage = Stage { _, _ in .init(200, [.contentLength: "4"], body: [1, 2, 3, 4]) }
        let task = stage.session.uploadTask(with: try request("http://a.test/up", .put), body: .bytes([1, 2]))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.progress.sent == 2)
        #expect(task.progress.expectedToSend == 2)
        #expect(task.progress.received == 4)
    }

    // MARK: The earliest begin

    @Test func sendsNothingBeforeItsTime() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.earliestBegin = stage.scheduler.wallNow + 100
        task.resume()
        #expect(task.state == .running)
        stage.scheduler.advance(by: 99)
        await stage.drain()
        #expect(stage.transport.exchanges.isEmpty)
        stage.scheduler.advance(by: 1)
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func reevaluatesAChangedDate() async throws {
        let stage = Stage { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.earliestBegin = stage.scheduler.wallNow + 10
        task.resume()
        task.earliestBegin = stage.scheduler.wallNow + 30
        stage.scheduler.advance(by: 20)
        #expect(stage.transport.exchanges.isEmpty)
        stage.scheduler.advance(by: 10)
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil)
    }

    @Test func appliesASuspensionBeforeTheStart() async throws {
        let stage = Stage { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.earliestBegin = stage.scheduler.wallNow + 10
        task.resume()
        task.suspend()
        stage.scheduler.advance(by: 20)
        #expect(stage.transport.exchanges.isEmpty)
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func cancelsBeforeTheStart() async throws {
        let stage = Stage { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.earliestBegin = stage.scheduler.wallNow + 10
        task.resume()
        task.cancel()
        #expect(await eventually { task.state == .completed })
        stage.scheduler.advance(by: 20)
        await stage.drain()
        #expect(stage.transport.exchanges.isEmpty)
    }
}
