// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Calls that come where a task is between two of its stages.
@Suite struct CallsBetweenTests {
    private typealias Persisted<Value> = Mutex<[@Sendable (Value) -> Void]>

    /// Keeps what it is to answer with, and never does.
    private final class Silent: Recorder, TransferResponseDelegate, @unchecked Sendable {
        // Sendable: what changes is behind a mutex.
        let kept = Persisted<ResponseDisposition>([])
        func session(
            _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
            answer: @escaping @Sendable (ResponseDisposition) -> Void
        ) { kept.withLock { $0.append(answer) } }
    }

    private final class SilentSupplier: Recorder, TransferUploadDelegate, TransferTaskChallengeDelegate,
        @unchecked Sendable
    {
        // Sendable: what changes is behind a mutex.
        let kept = Persisted<Int32?>([])
        func session(
            _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
            answer: @escaping @Sendable (ChallengeDisposition) -> Void
        ) {
            answer(.useCredential(.password(Credential(user: "alice", password: "secret"))))
        }
        func session(
            _ session: TransferSession, task: TransferTask,
            needNewBodyStream answer: @escaping @Sendable (Int32?) -> Void
        ) {
            kept.withLock { $0.append(answer) }
        }
    }

    /// Does something while it is asked.
    private final class BusyMonitor: NetworkPathMonitor, Sendable {
        let inner = FakePathMonitor(path: FakePathMonitor.through(NetworkInterface(name: "wwan0", kind: .cellular)))
        let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
        let observesChanges = true
        func path(to target: PathTarget) -> NetworkPath {
            let work = meanwhile.withLock { meanwhile in
                defer { meanwhile = nil }
                return meanwhile
            }
            work?()
            return inner.path(to: target)
        }
        func addObserver(_ observer: @escaping @Sendable (PathChange) -> Void) -> PathObservation {
            inner.addObserver(observer)
        }
    }

    private static func cacheable(_ exchange: Exchange, _ number: Int) -> FakeTransport.Answer {
        .init(200, [.cacheControl: "max-age=600", .contentLength: "4"], body: Array("body".utf8))
    }

    private func cached() throws -> ResponseCache {
        let cache = ResponseCache(diskCapacity: 0)
        let url = try request().url
        cache.store(
            CachedResponse(
                answering: CacheRequest(url: url), head: Self.cacheable(Exchange(url: url, method: .get), 1).head!,
                body: Array("body".utf8), requestTime: 1_700_001_000, storedTime: 1_700_001_000), for: url)
        return cache
    }

    @Test func cancelsAndTimesOutACacheQuestion() async throws {
        let silent = Silent()
        let cache = try cached()
        let stage = Stage(delegate: silent, { $0.cache = cache }, answer: Self.cacheable)
        let cancelled = stage.session.dataTask(with: try request())
        let late = stage.session.dataTask(with: try request { $0.resourceTimeout = 30 })
        cancelled.resume()
        late.resume()
        #expect(await eventually { silent.kept.withLock { $0.count } == 2 })
        #expect(stage.transport.exchanges.isEmpty)
        cancelled.cancel()
        stage.scheduler.advance(by: 31)
        #expect(await eventually { silent.endCount(cancelled) == 1 && silent.endCount(late) == 1 })
        #expect(silent.error(cancelled) == .cancelled)
        #expect(silent.error(late)?.code == .timedOut)
        silent.kept.withLock { $0 }.forEach { $0(.allow) }
        await stage.drain()
        #expect(silent.endCounts == [1, 1])
        #expect(!silent.calls.contains("data 4"))
    }

    @Test func cancelsAndTimesOutABodyQuestion() async throws {
        let silent = SilentSupplier()
        let stage = Stage(delegate: silent) { _, _ in .init(401, [.wwwAuthenticate: "Basic realm=\"a\""]) }
        let cancelled = stage.session.uploadTask(
            with: try request("http://a.test/", .put), body: .stream(descriptor: 66))
        let late = stage.session.uploadTask(
            with: try request("http://a.test/", .put) { $0.resourceTimeout = 30 },
            body: .stream(descriptor: 66))
        cancelled.resume()
        late.resume()
        #expect(await eventually { silent.kept.withLock { $0.count } == 2 })
        cancelled.cancel()
        stage.scheduler.advance(by: 31)
        #expect(await eventually { silent.endCount(cancelled) == 1 && silent.endCount(late) == 1 })
        #expect(silent.error(cancelled) == .cancelled)
        #expect(silent.error(late)?.code == .timedOut)
        silent.kept.withLock { $0 }.forEach { $0(77) }
        await stage.drain()
        #expect(silent.endCounts == [1, 1])
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test(arguments: [true, false]) func endsDuringAPathQuery(_ isCancelled: Bool) async throws {
        let recorder = Recorder()
        let monitor = BusyMonitor()
        let stage = Stage(
            delegate: recorder,
            {
                $0.pathMonitor = monitor
                $0.allowsCellularAccess = false
                $0.waitsForConnectivity = true
            }, answer: Self.cacheable)
        let task = stage.session.dataTask(with: try request { $0.resourceTimeout = 30 })
        let scheduler = stage.scheduler
        monitor.meanwhile.withLock { $0 = { isCancelled ? task.cancel() : scheduler.advance(by: 31) } }
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(isCancelled ? recorder.error(task) == .cancelled : recorder.error(task)?.code == .timedOut)
    }

    @Test func suspendsDuringAPathQuery() async throws {
        let recorder = Recorder()
        let monitor = BusyMonitor()
        monitor.inner.set(FakePathMonitor.wired)
        let stage = Stage(
            delegate: recorder,
            {
                $0.pathMonitor = monitor
                $0.allowsCellularAccess = false
            }, answer: Self.cacheable)
        let task = stage.session.dataTask(with: try request())
        monitor.meanwhile.withLock { $0 = { task.suspend() } }
        task.resume()
        // The response may come before the call: nothing orders them.
        #expect([.suspended, .completed].contains(task.state))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["response 200", "data 4", "metrics", "complete ok"])
        #expect(stage.transport.exchanges.count == 1)
    }

    /// The cache is slow, and the task is suspended and resumed meanwhile.
    @Test func waitsForTheCacheAfterASuspension() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder, { $0.cache = ResponseCache(diskCapacity: 0) }, answer: Self.cacheable)
        let gate = DispatchSemaphore(value: 0)
        stage.session.background.async(flags: .barrier) { gate.wait() }
        let task = stage.session.dataTask(with: try request { $0.cachePolicy = .returnCacheDataDontLoad })
        task.resume()
        task.suspend()
        task.resume()
        gate.signal()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) != nil)
        #expect(stage.transport.exchanges.isEmpty)
    }

    @Test func suspendedTasksGetNoCachedResponse() async throws {
        let recorder = Recorder()
        let cache = try cached()
        let stage = Stage(delegate: recorder, { $0.cache = cache }, answer: Self.cacheable)
        let gate = DispatchSemaphore(value: 0)
        stage.session.background.async(flags: .barrier) { gate.wait() }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        task.suspend()
        gate.signal()
        await withCheckedContinuation { done in stage.session.background.async(flags: .barrier) { done.resume() } }
        await stage.drain()
        #expect(recorder.calls == [])
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["response 200", "data 4", "metrics", "complete ok"])
        #expect(stage.transport.exchanges.isEmpty)
    }

    /// The task is cancelled while its answer's place is being made.
    @Test func lateAcceptancesLeaveNoFile() async throws {
        final class Refuser: Recorder, TransferRedirectDelegate, @unchecked Sendable {
            // Sendable: adds nothing.
            func session(
                _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
                answer: @escaping @Sendable (Redirect?) -> Void
            ) { answer(nil) }
        }
        let recorder = Refuser()
        let folder = try TemporaryFolder()
        let stage = Stage(delegate: recorder, { $0.temporaryFolder = folder.path }) { _, _ in
            .init(302, [.location: "/next", .contentLength: "4"], body: Array("body".utf8))
        }
        let ending = Mutex<DownloadTask?>(nil)
        var target = DownloadTarget()
        target.admit = { _, _ in
            ending.withLock { $0 }?.cancel()
            return .accept
        }
        let task = stage.session.downloadTask(with: try request(), to: target)
        ending.withLock { $0 = task }
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == .cancelled)
        #expect(task.state == .completed)
        await stage.drain()
        #expect(folder.names == [])
    }

    /// Several threads suspend and resume each task while others wait for its slot.
    @Test func concurrentCallsLoseNoSlotAndNoTask() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder, { $0.maximumConcurrentExchanges = 2 }) { _, _ in .init(200, body: [1]) }
        let tasks = try (0..<60).map { stage.session.dataTask(with: try request("http://h\($0 % 3).test/")) }
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    for task in tasks {
                        if worker == 0 { task.resume() }
                        task.suspend()
                        task.resume()
                    }
                }
            }
        }
        #expect(await eventually { recorder.endedCount == tasks.count })
        #expect(recorder.endCounts.allSatisfy { $0 == 1 })
        #expect(tasks.allSatisfy { recorder.error($0) == nil })
        // All slots are free again.
        let next = try (0..<2).map { stage.session.dataTask(with: try request("http://n\($0).test/")) }
        next.forEach { $0.resume() }
        #expect(await eventually { next.allSatisfy { $0.state == .completed } })
    }

    @Test func releasesATasksDelegateAtItsEnd() async throws {
        let stage = Stage(answer: Self.cacheable)
        let task = stage.session.dataTask(with: try request())
        weak var gone: Recorder?
        do {
            let recorder = Recorder()
            gone = recorder
            task.delegate = recorder
        }
        task.resume()
        #expect(await eventually { task.state == .completed && gone == nil })
    }
}
