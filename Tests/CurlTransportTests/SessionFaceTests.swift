// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Foundation
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Delegates, closures and async over one core.
@Suite(.timeLimit(.minutes(10))) struct SessionFaceTests {
    let transport = try! CurlTransport()

    /// Writes every call down.
    private final class Recorder: TransferDataDelegate, TransferDownloadDelegate {
        let calls = Mutex<[String]>([])
        private func note(_ call: String) { calls.withLock { $0.append(call) } }

        func sessionDidBecomeInvalid(_ session: TransferSession) { note("invalid") }
        func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse) {
            note("informational \(head.status.code)")
        }
        func session(
            _ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?
        ) {
            if total == expected { note("sent all") }
        }
        func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
            note("metrics")
        }
        func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
            note(error == nil ? "completed" : "failed")
        }
        func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {
            note("response \(response.status.code)")
        }
        func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) { note("data") }
        func session(
            _ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?
        ) {
            if total == expected { note("wrote all") }
        }
        func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
            note("finished, exists: \(FileTimes.modified(path) != nil)")
        }
    }

    @Test func uploadCallsAreInOrder() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
            _ = connection.readBody(5)
            connection.answer("201 Created", body: [1, 2])
        }
        let recorder = Recorder()
        let session = TransferSession(transport: transport, delegate: recorder)
        session.uploadTask(
            with: try TransferRequest(url: TransferURL(server.url()), method: .put), body: .bytes(Array("hello".utf8))
        ).resume()
        session.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls.withLock { $0.last == "invalid" } })
        let calls = recorder.calls.withLock { $0 }
        // The 103 may come before the body is reported or after it.
        #expect(calls.prefix(2).contains("informational 103"))
        #expect(
            calls.filter { $0 != "informational 103" } == [
                "sent all", "response 201", "data", "metrics", "completed", "invalid",
            ])
    }

    @Test func temporaryFilesExistDuringTheCall() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.answer("200 OK", body: patternedBytes(10_000))
        }
        let folder = try TemporaryFolder()
        var configuration = TransferConfiguration()
        configuration.temporaryFolder = folder.path
        let recorder = Recorder()
        let session = TransferSession(configuration: configuration, transport: transport, delegate: recorder)
        session.downloadTask(with: try TransferRequest(url: TransferURL(server.url()))).resume()
        session.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls.withLock { $0.last == "invalid" } })
        #expect(
            recorder.calls.withLock { $0 } == [
                "wrote all", "finished, exists: true", "metrics", "completed", "invalid",
            ])
        #expect(folder.names.isEmpty)
    }

    @Test func asyncReturnsStatusesAndThrowsFailures() async throws {
        let server = try ScriptedServer { connection, number in
            _ = connection.readHead()
            if number == 1 { connection.answer("404 Not Found", body: Array("no".utf8)) }
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let answer = try await session.data(for: request)
        #expect(answer.response.status.code == 404)
        #expect(answer.body == Array("no".utf8))
        await #expect(throws: TransferError.self) { try await session.data(for: request) }
    }

    @Test func cancellingTheCallerCancelsTheTask() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.waitForClose()
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let waiting = Task { try await session.data(for: request) }
        #expect(await eventually { !server.requests.isEmpty })
        waiting.cancel()
        await #expect(throws: TransferError.cancelled) { try await waiting.value }
        #expect(await eventually { session.tasks.isEmpty })
    }

    enum Face: CaseIterable { case events, closures, async }

    @Test(arguments: Face.allCases) func resumesFromResumeData(_ face: Face) async throws {
        let whole = patternedBytes(1_000_000)
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000000\r\n\r\n")
                connection.send(Array(whole[..<300_000]))
                return connection.waitForClose()
            }
            let from = Int(head[head.firstRange(of: "Range: bytes=")!.upperBound...].prefix { $0.isNumber })!
            connection.answer(
                "206 Partial Content", ["ETag: \"v1\"", "Content-Range: bytes \(from)-999999/1000000"],
                body: Array(whole[from...]))
        }
        let folder = try TemporaryFolder()
        var configuration = TransferConfiguration()
        configuration.temporaryFolder = folder.path
        let session = TransferSession(configuration: configuration, transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let task = session.downloadTask(with: request, finished: { _ in }, completion: { _ in })
        task.resume()
        #expect(await eventually { task.progress.received == 300_000 })
        let data: ResumeData? = await withCheckedContinuation { done in
            task.cancel(byProducingResumeData: { done.resume(returning: $0) })
        }
        let resume = try ResumeData(decoding: try #require(data).encoded())
        #expect(resume.ranges.prefixLength == 300_000)
        #expect(await eventually { session.tasks.isEmpty })
        let finished = Mutex<Data?>(nil)
        let read = { @Sendable (path: String) in
            finished.withLock { $0 = try? Data(contentsOf: URL(filePath: path)) }
        }
        switch face {
        case .events:
            try session.downloadTask(withResumeData: resume) { event in
                if case .finishedDownload(let path) = event { read(path) }
            }.resume()
        case .closures:
            try session.downloadTask(withResumeData: resume, finished: read, completion: { _ in }).resume()
        case .async: #expect(try await session.download(resumeFrom: resume, finished: read).response.status.code == 206)
        }
        #expect(await eventually { finished.withLock { $0 } != nil })
        #expect(finished.withLock { $0 } == Data(whole))
        #expect(server.requests[1].contains("Range: bytes=300000-"))
    }

    @Test func tasksOfAnInvalidatedSessionFail() async throws {
        let session = TransferSession(transport: transport)
        session.finishTasksAndInvalidate()
        await #expect(throws: TransferError.self) {
            try await session.data(for: try TransferRequest(url: TransferURL("http://127.0.0.1:1/")))
        }
    }

    @Test func theResourceTimerIgnoresProgress() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.waitForClose()
        }
        let scheduler = ManualScheduler()
        let session = TransferSession(transport: transport, scheduler: scheduler)
        var request = try TransferRequest(url: TransferURL(server.url()))
        request.options.resourceTimeout = 30
        let failing = request
        let waiting = Task { try await session.data(for: failing) }
        #expect(await eventually { !server.requests.isEmpty })
        scheduler.advance(by: 31)
        let error = await #expect(throws: TransferError.self) { try await waiting.value }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("resource timeout: not done within 30 s") == true)
    }

    @Test func streamTasksCallTheDelegate() async throws {
        final class Listener: TransferStreamDelegate {
            let calls = Mutex<[String]>([])
            private func note(_ call: String) { calls.withLock { $0.append(call) } }
            func sessionDidBecomeInvalid(_ session: TransferSession) { note("invalid") }
            func session(_ session: TransferSession, readClosedFor task: StreamTask) { note("read closed") }
            func session(_ session: TransferSession, writeClosedFor task: StreamTask) { note("write closed") }
            func session(_ session: TransferSession, streamTask: StreamTask, didComplete error: TransferError?) {
                note(error == nil ? "completed" : "failed")
            }
        }
        let server = try ScriptedServer { connection, _ in connection.send(connection.readBody(5)) }
        let listener = Listener()
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        let session = TransferSession(configuration: configuration, transport: transport, delegate: listener)
        let task = try session.streamTask(host: "127.0.0.1", port: server.port)
        task.resume()
        try await task.write(Array("hello".utf8), timeout: 30)
        #expect(try await task.readData(minLength: 5, maxLength: 5, timeout: 30).bytes == Array("hello".utf8))
        task.closeWrite()
        #expect(try await task.readData(minLength: 1, maxLength: 1, timeout: 30).atEnd)
        session.finishTasksAndInvalidate()
        #expect(await eventually { listener.calls.withLock { $0.last == "invalid" } })
        #expect(listener.calls.withLock { Set($0.prefix(2)) } == ["read closed", "write closed"])
        #expect(listener.calls.withLock { Array($0.suffix(2)) } == ["completed", "invalid"])
        #expect(throws: TransferError.self) { try session.streamTask(host: "127.0.0.1", port: server.port) }
    }

    @Test func readersControlThePace() async throws {
        let whole = patternedBytes(6_000_000)
        let isHeld = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6000000\r\n\r\n")
            connection.send(Array(whole[..<3_000_000]))
            isHeld.wait()
            connection.send(Array(whole[3_000_000...]))
        }
        let session = TransferSession(transport: transport)
        let (bytes, response) = try await session.bytes(for: try TransferRequest(url: TransferURL(server.url())))
        #expect(response.status.code == 200)
        let task = try #require(session.tasks.first)
        // Without a reader it is suspended long before the end.
        #expect(await eventually { task.state == .suspended })
        isHeld.signal()
        var read: [UInt8] = []
        for try await piece in bytes.pieces { read += piece }
        #expect(read == whole)
    }

    @Test func aThousandTasksEndOnceEach() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [1]) }
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let ends = Mutex<[Int: Int]>([:])
        for index in 0..<1000 {
            let task = session.dataTask(with: request) { event in
                if case .completed = event { ends.withLock { $0[index, default: 0] += 1 } }
            }
            task.resume()
            if index % 3 == 0 { task.cancel() }
            if index % 7 == 0 {
                task.suspend()
                task.resume()
            }
        }
        #expect(await eventually(within: 30) { ends.withLock { $0.count == 1000 } })
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(await eventually { session.tasks.isEmpty })
    }
}
