// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Order, number and queue of delegate calls.
@Suite struct DelegateOrderTests {
    @Test func dataTaskCallsAreInOrderAndOnce() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in
            var answer = FakeTransport.Answer(404, [.contentLength: "5"], body: Array("hello".utf8))
            answer.informational = [HTTPResponse(status: .init(code: 103))]
            return answer
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["informational 103", "response 404", "data 5", "metrics", "complete ok"])
        #expect(recorder.overlapCount == 0)
        #expect(task.progress.expectedToReceive == 5)
        #expect(task.progress.fractionCompleted == 1)
    }

    @Test func downloadCallsReportTheFileThenTheEnd() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(200, [.contentLength: "5"], body: Array("hello".utf8)) }
        let task = stage.session.downloadTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["wrote 5", "finished download", "metrics", "complete ok"])
    }

    @Test func uploadCallsReportProgressBeforeTheResponse() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in .init(201) }
        let task = stage.session.uploadTask(with: try request("http://a.test/up", .put), body: .bytes([1, 2, 3]))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["sent 3", "response 201", "metrics", "complete ok"])
        #expect(task.progress.expectedToSend == 3)
    }

    @Test func reportsTheCreationBeforeReturning() throws {
        final class Watcher: TransferTaskDelegate {
            let seen = Mutex<[Int]>([])
            func session(_ session: TransferSession, didCreate task: TransferTask) {
                seen.withLock { $0.append(task.identifier) }
            }
        }
        let watcher = Watcher()
        let stage = Stage(delegate: watcher) { _, _ in .init(200) }
        let tasks = try (0..<3).map { _ in stage.session.dataTask(with: try request()) }
        #expect(watcher.seen.withLock { $0 } == tasks.map(\.identifier))
        stage.session.invalidateAndCancel()
    }

    @Test func everyCallIsOnTheGivenQueue() async throws {
        final class QueueWatcher: TransferDataDelegate {
            let key = DispatchSpecificKey<Bool>()
            let wrong = Counter()
            let done = Counter()
            func check() { if DispatchQueue.getSpecific(key: key) != true { wrong.add() } }
            func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) { check() }
            func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) { check() }
            func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
                check()
            }
            func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
                check()
                done.add()
            }
        }
        let watcher = QueueWatcher()
        let queue = DispatchQueue(label: "test.delegates")
        queue.setSpecific(key: watcher.key, value: true)
        let stage = Stage(delegate: watcher, queue: queue) { _, _ in .init(200, body: [1]) }
        for _ in 0..<50 { stage.session.dataTask(with: try request()).resume() }
        #expect(await eventually { watcher.done.count == 50 })
        #expect(watcher.wrong.count == 0)
    }

    @Test func taskDelegatesReplaceTheSessions() async throws {
        let (general, own) = (Recorder(), Recorder())
        let stage = Stage(delegate: general) { _, _ in .init(200, body: [1]) }
        let task = stage.session.dataTask(with: try request())
        task.delegate = own
        let other = stage.session.dataTask(with: try request())
        task.resume()
        other.resume()
        #expect(await eventually { own.endCount(task) == 1 && general.endCount(other) == 1 })
        #expect(own.calls.count == 4)
        #expect(general.endCount(task) == 0)
    }

    /// Calls of protocols that a task's delegate does not implement go to the session's delegate.
    @Test func unimplementedCallsGoToTheSessionsDelegate() async throws {
        final class Ends: TransferTaskDelegate {
            let count = Counter()
            func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
                count.add()
            }
        }
        let (general, own) = (Recorder(), Ends())
        let stage = Stage(delegate: general) { _, _ in .init(200, body: [1]) }
        let task = stage.session.dataTask(with: try request())
        task.delegate = own
        task.resume()
        #expect(await eventually { own.count.count == 1 })
        #expect(general.calls == ["response 200", "data 1"])
    }

    @Test func sessionsDoNotShareQueues() async throws {
        let blocked = Recorder()
        let free = Recorder()
        let gate = DispatchSemaphore(value: 0)
        let held = Stage(delegate: blocked) { _, _ in .init(200) }
        let other = Stage(delegate: free) { _, _ in .init(200) }
        held.session.delegateQueue.async { gate.wait() }
        let (first, second) = (held.session.dataTask(with: try request()), other.session.dataTask(with: try request()))
        first.resume()
        second.resume()
        #expect(await eventually { free.endCount(second) == 1 })
        #expect(blocked.endCount(first) == 0)
        gate.signal()
        #expect(await eventually { blocked.endCount(first) == 1 })
    }
}
