// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Closures, async, and the sequence of events.
@Suite struct FaceTests {
    @Test func closuresGetTheWholeResponseOnTheDelegateQueue() async throws {
        let queue = DispatchQueue(label: "test.closures")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let recorder = Recorder()
        let stage = Stage(delegate: recorder, queue: queue) { _, _ in .init(404, body: Array("no".utf8)) }
        let result = await withCheckedContinuation { done in
            stage.session.dataTask(with: try! request()) { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                done.resume(returning: result)
            }.resume()
        }
        let answer = try result.get()
        #expect(answer.response.status.code == 404)
        #expect(answer.body == Array("no".utf8))
        #expect(recorder.calls.isEmpty)
    }

    /// A program that reads the state, and then the error.
    @Test func aTaskThatHasEndedHasItsError() async throws {
        let stage = Stage { _, _ in .init(failure: .init(.transport(.receiveFailed))) }
        for _ in 0..<300 {
            let task = stage.session.dataTask(with: try request())
            task.resume()
            while task.state != .completed { await Task.yield() }
            #expect(task.error?.code == .receiveFailed)
        }
    }

    @Test func uploadClosuresAreInOrder() async throws {
        let stage = Stage { _, _ in .init(201, body: [7]) }
        let seen = Mutex<[String]>([])
        let result = await withCheckedContinuation { done in
            stage.session.uploadTask(
                with: try! request("http://a.test/up", .put), body: .bytes([1, 2, 3]),
                progress: { total, expected in
                    seen.withLock { $0.append("\(total) of \(expected ?? -1)") }
                },
                completion: { result in
                    seen.withLock { $0.append("completed") }
                    done.resume(returning: result)
                }
            ).resume()
        }
        #expect(try result.get().body == [7])
        #expect(seen.withLock { $0 } == ["3 of 3", "completed"])
    }

    @Test func downloadFilesExistWhenDelivered() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage({ $0.temporaryFolder = folder.path }) { _, _ in
            .init(200, [.contentLength: "2"], body: [1, 2])
        }
        let seen = Mutex<[String]>([])
        _ = await withCheckedContinuation { done in
            stage.session.downloadTask(
                with: try! request(),
                progress: { total, expected in
                    seen.withLock { $0.append("\(total) of \(expected ?? -1)") }
                },
                finished: { path in
                    seen.withLock { $0.append(FileTimes.modified(path) == nil ? "gone" : "there") }
                },
                completion: { result in
                    seen.withLock { $0.append("completed") }
                    done.resume(returning: result)
                }
            ).resume()
        }
        #expect(seen.withLock { $0 } == ["2 of 2", "there", "completed"])
        #expect(await eventually { folder.names.isEmpty })
    }

    @Test func throwsFailuresNotStatuses() async throws {
        let stage = Stage { _, number in
            number == 1 ? .init(500) : .init(failure: ExchangeFailure(.transport(.cannotConnect, errno: 111)))
        }
        #expect(try await stage.session.data(for: try request()).response.status.code == 500)
        let error = await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func awaitsUploadAndDownload() async throws {
        let stage = Stage { exchange, _ in .init(200, [.contentLength: "3"], body: [1, 2, 3]) }
        #expect(
            try await stage.session.upload(for: try request("http://a.test/up", .put), body: .bytes([9])).body == [
                1, 2, 3,
            ])
        let folder = try TemporaryFolder()
        let answer = try await stage.session.download(for: try request(), into: PartialFile(path: folder.file("part")))
        #expect(answer.metrics.transactions.count == 1)
        #expect(try folder.read("part") == [1, 2, 3])
    }

    @Test(arguments: ["data", "upload", "download"]) func cancellingTheCallerCancelsEachKind(
        _ kind: String
    ) async throws {
        let stage = Stage { _, _ in stalling() }
        let folder = try TemporaryFolder()
        let caller = Task {
            switch kind {
            case "data": _ = try await stage.session.data(for: try request())
            case "upload":
                _ = try await stage.session.upload(for: try request("http://a.test/up", .put), body: .bytes([1]))
            default:
                _ = try await stage.session.download(for: try request(), into: PartialFile(path: folder.file("part")))
            }
        }
        #expect(await eventually { stage.transport.countUnderWay == 1 })
        caller.cancel()
        await #expect(throws: TransferError.cancelled) { try await caller.value }
        #expect(await eventually { stage.session.tasks.isEmpty && stage.transport.countUnderWay == 0 })
    }

    @Test func cancelledCallersThrow() async throws {
        let stage = Stage { _, _ in stalling() }
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stage.session.data(for: try request())
        }
        await #expect(throws: TransferError.cancelled) { try await caller.value }
        #expect(await eventually { stage.session.tasks.isEmpty })
    }

    // MARK: Events

    @Test func eventsAreInOrderAndEnd() async throws {
        let stage = Stage { _, _ in
            var answer = FakeTransport.Answer(200, body: [1])
            answer.informational = [HTTPResponse(status: .init(code: 103))]
            return answer
        }
        let start = try request()
        var names: [String] = []
        for await event in stage.session.events({ stage.session.dataTask(with: start, events: $0) }) {
            switch event {
            case .informational(let head): names.append("\(head.status.code)")
            case .response(let head): names.append("\(head.status.code)")
            case .data(let bytes): names.append("\(bytes)")
            case .metrics: names.append("metrics")
            case .completed(let error): names.append(error == nil ? "completed" : "failed")
            default: names.append("other")
            }
        }
        #expect(names == ["103", "200", "[1]", "metrics", "completed"])
    }

    @Test func leavingTheLoopCancels() async throws {
        let stage = Stage { _, _ in stalling() }
        let start = try request()
        for await event in stage.session.events({ stage.session.dataTask(with: start, events: $0) }) {
            if case .data = event { break }
        }
        #expect(await eventually { stage.session.tasks.isEmpty })
    }

    // MARK: A task's own delegate

    @Test func awaitedTasksCallTheirDelegate() async throws {
        let (general, own) = (Recorder(), Recorder())
        let stage = Stage(delegate: general) { _, _ in
            var answer = FakeTransport.Answer(200, body: [1])
            answer.informational = [HTTPResponse(status: .init(code: 103))]
            return answer
        }
        let answer = try await stage.session.data(for: try request(), delegate: own)
        #expect(answer.body == [1])
        #expect(own.calls == ["informational 103", "metrics", "complete ok"])
        #expect(general.calls.isEmpty)
    }

    @Test(arguments: ["data", "upload", "download", "bytes"]) func awaitedTasksAskTheirDelegate(
        _ kind: String
    ) async throws {
        final class Guide: TransferRedirectDelegate, TransferTaskChallengeDelegate {
            let seen = Mutex<[String]>([])
            func session(
                _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
                answer: @escaping @Sendable (Redirect?) -> Void
            ) {
                seen.withLock { $0.append("redirect") }
                answer(redirect)
            }
            func session(
                _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
                answer: @escaping @Sendable (ChallengeDisposition) -> Void
            ) {
                seen.withLock { $0.append("challenge") }
                answer(.useCredential(.password(Credential(user: "u", password: "p"))))
            }
        }
        let guide = Guide()
        let stage = Stage { exchange, number in
            if number == 1 { return .init(307, [.location: "/next"]) }
            return exchange.authentication == .none
                ? .init(401, [.wwwAuthenticate: "Basic realm=\"a\""])
                : .init(200, [.contentLength: "1"], body: [1])
        }
        let folder = try TemporaryFolder()
        let (get, put) = (try request(), try request("http://a.test/up", .put))
        let status: Int
        switch kind {
        case "data": status = try await stage.session.data(for: get, delegate: guide).response.status.code
        case "upload":
            status = try await stage.session.upload(for: put, body: .bytes([1]), delegate: guide).response.status.code
        case "bytes": status = try await stage.session.bytes(for: get, delegate: guide).response.status.code
        default:
            let file = try PartialFile(path: folder.file("part"))
            status = try await stage.session.download(for: get, into: file, delegate: guide).response.status.code
        }
        #expect(status == 200)
        #expect(guide.seen.withLock { $0 } == ["redirect", "challenge"])
    }

    // MARK: Metrics

    @Test func deliversMetricsOnceForEveryExchange() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, number in
            number < 3 ? .init(302, [.location: "/\(number)"]) : .init(200, body: [1])
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls.filter { $0 == "metrics" }.count == 1)
        #expect(recorder.calls.suffix(2) == ["metrics", "complete ok"])
        let again = Stage { _, number in number < 3 ? .init(302, [.location: "/\(number)"]) : .init(200, body: [1]) }
        let metrics = try await again.session.data(for: try request()).metrics
        #expect(metrics.redirects == 2)
        #expect(metrics.transactions.map(\.url) == ["http://a.test/file", "http://a.test/1", "http://a.test/2"])
        #expect(metrics.taskStart == again.scheduler.wallNow)
    }

    @Test func deliversMetricsAfterAFailure() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder) { _, _ in
            .init(failure: ExchangeFailure(.transport(.cannotConnect, errno: 111)))
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.calls == ["metrics", "complete 7"])
    }
}
