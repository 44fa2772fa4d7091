// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Sessions over the real transport, against a server whose bytes are written by hand.
@Suite(.timeLimit(.minutes(10))) struct TransferTests {
    let transport = try! CurlTransport()

    @Test func dataTaskDeliversBodyAndHead() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["X-Word: über"], body: Array("hello".utf8))
            }
        }
        let session = TransferSession(transport: transport)
        let result = try await session.run {
            $0.dataTask(with: try! TransferRequest(url: TransferURL(server.url())), events: $1)
        }
        #expect(result.error == nil)
        #expect(result.response?.status.code == 200)
        #expect(result.body == Array("hello".utf8))
        #expect(server.requests.first?.contains("Accept-Encoding: identity") == true)
    }

    /// In the locale "C", in which every program starts, libcurl alone refuses them.
    @Test func resolvesInternationalHosts() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [1]) }
        }
        for (host, ascii) in [("日本語", "xn--wgv71a119e"), ("BÜCHER", "xn--bcher-kva")] {
            let url = try TransferURL("http://\(host).localhost:\(server.port)/")
            var configuration = TransferConfiguration()
            configuration.proxy = .none
            let session = TransferSession(configuration: configuration, transport: transport)
            #expect(try await session.data(for: TransferRequest(url: url)).response.status.code == 200)
            #expect(
                server.requests.last?.contains("Host: \(ascii).localhost:\(server.port)\r\n") == true,
                "\(server.requests)")
        }
    }

    @Test func uploadSendsOctetStreamAndReturnsDigest() async throws {
        let received = Mutex<[UInt8]>([])
        let body = patternedBytes(3_000_000)
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("Expect: 100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            let bytes = connection.readBody(3_000_000)
            received.withLock { $0 = bytes }
            connection.answer("201 Created")
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(body, to: "source")
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        let digest = Mutex<[UInt8]?>(nil)
        let result = try await session.run { session, events in
            let task = session.uploadTask(with: request, body: .file(path: path), digest: .sha256, events: events)
            return task
        } atEnd: { task in
            digest.withLock { $0 = (task as? UploadTask)?.digest }
        }
        #expect(result.error == nil)
        #expect(result.response?.status.code == 201)
        #expect(received.withLock { $0 == body })
        #expect(server.requests[0].contains("Content-Type: application/octet-stream"))
        #expect(digest.withLock { $0?.count } == 32)
    }

    @Test func downloadsResumeWithTheirValidator() async throws {
        let whole = patternedBytes(200_000)
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 200000\r\n\r\n")
                connection.send(Array(whole[..<50_000]))
                return
            }
            connection.answer(
                "206 Partial Content", ["ETag: \"v1\"", "Content-Range: bytes 50000-199999/200000"],
                body: Array(whole[50_000...]))
        }
        let folder = try TemporaryFolder()
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let file = try PartialFile(path: folder.file("a.part"))
        let point = Mutex<ResumePoint?>(nil)
        let first = try await session.run {
            $0.downloadTask(with: request, to: .init(place: .partial(file)), events: $1)
        } atEnd: { task in
            point.withLock { $0 = (task as? DownloadTask)?.resumePoint }
        }
        #expect(first.error?.code == .partialFile)
        let resume = point.withLock { $0 }
        #expect(resume?.offset == 50_000)
        let second = try await session.run {
            $0.downloadTask(with: request, to: .init(place: .partial(file), resume: resume), events: $1)
        }
        #expect(second.error == nil)
        #expect(try folder.read("a.part") == whole)
        #expect(server.requests[1].contains("Range: bytes=50000-"))
        #expect(server.requests[1].contains("If-Range: \"v1\""))
        #expect(second.resumedAt == 50_000)
    }

    /// Content of a 206 ends where its `Content-Range` ends (RFC 9110, section 15.3.7), whatever the framing. What is
    /// too much may be in front, so that all is in the wrong place.
    @Test(arguments: ["Connection: close", "Transfer-Encoding: chunked"], [5000, 0])
    func nothingOfAResponseLongerThanItsRangeStays(_ framing: String, _ start: Int) async throws {
        let whole = patternedBytes(2_000_000)
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send(
                "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\n\(framing)\r\n"
                    + "Content-Range: bytes \(start)-1999999/2000000\r\n\r\n")
            let body = [UInt8](repeating: 1, count: 7) + Array(whole[start...])
            let isChunked = framing.hasSuffix("chunked")
            if isChunked { connection.send("\(String(body.count, radix: 16))\r\n") }
            connection.send(isChunked ? body + Array("\r\n0\r\n\r\n".utf8) : body)
        }
        let folder = try TemporaryFolder()
        let session = TransferSession(transport: transport)
        let file = try PartialFile(path: try folder.write(Array(whole[..<start]), to: "a.part"))
        let resume = ResumePoint(offset: Int64(start), validator: Validator(entityTag: "\"v1\""), total: 2_000_000)
        let point = Mutex<ResumePoint?>(nil)
        let request = try TransferRequest(url: TransferURL(server.url()))
        let result = try await session.run {
            $0.downloadTask(with: request, to: .init(place: .partial(file), resume: resume), events: $1)
        } atEnd: { task in
            point.withLock { $0 = (task as? DownloadTask)?.resumePoint }
        }
        #expect(result.error?.code == .rangeRefused)
        #expect(result.error?.fields.problem?.kind == .rangeExceeded)
        #expect(try folder.read("a.part") == Array(whole[..<start]))
        #expect(point.withLock { $0 }?.offset == resume?.offset)
    }

    @Test func rateLimitsApplyAndLift() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: patternedBytes(300_000)) }
        }
        let folder = try TemporaryFolder()
        let session = TransferSession(transport: transport)
        var request = try TransferRequest(url: TransferURL(server.url()))
        request.options.rateLimit = 400_000
        let file = try PartialFile(path: folder.file("a"))
        let result = try await session.run {
            $0.downloadTask(with: request, to: .init(place: .partial(file)), events: $1)
        }
        #expect(result.error == nil)
        #expect(try folder.read("a") == patternedBytes(300_000))
        #expect((result.metrics?.total ?? 0) > 0.5)
    }

    /// In turn, a chunk each: the first one leaves something for the others.
    @Test func uploadsShareALimit() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            _ = connection.readBody(900_000)
            connection.answer("201 Created")
        }
        let session = TransferSession(transport: transport)
        session.applyRateLimits(download: nil, upload: 1_000_000)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        let tasks = (0..<3).map { _ in session.uploadTask(with: request, body: .bytes(patternedBytes(900_000))) }
        for task in tasks { task.resume() }
        let sent = Mutex<[Int64]>([])
        #expect(
            await eventually {
                let now = tasks.map(\.progress.sent)
                sent.withLock { $0 = now }
                return now.allSatisfy { $0 >= 131_072 }
            })
        let (least, most) = sent.withLock { ($0.min() ?? 0, $0.max() ?? 0) }
        #expect(least * 4 > most, "\(least) and \(most)")
        for task in tasks { task.cancel() }
    }

    @Test func suspendedTasksTransferNothing() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: patternedBytes(4_000_000)) }
        }
        let folder = try TemporaryFolder()
        let session = TransferSession(transport: transport)
        var request = try TransferRequest(url: TransferURL(server.url()))
        request.options.rateLimit = 1_000_000
        let file = try PartialFile(path: folder.file("a"))
        let ended = Mutex(false)
        let task = session.downloadTask(with: request, to: .init(place: .partial(file))) { event in
            if case .completed = event { ended.withLock { $0 = true } }
        }
        task.resume()
        #expect(await eventually { task.progress.received > 0 })
        task.suspend()
        #expect(task.state == .suspended)
        task.setRateLimit(nil)
        task.resume()
        #expect(await eventually { ended.withLock { $0 } })
        #expect(task.error == nil)
        #expect(try folder.read("a") == patternedBytes(4_000_000))
    }

    @Test func smallUploadsSkipExpect() async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead(), !head.contains("Expect") else { return }
            _ = connection.readBody(5)
            connection.answer("201 Created")
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        let answer = try await session.upload(for: request, body: .bytes(Array("hello".utf8)))
        #expect(answer.response.status.code == 201)
    }

    /// libcurl waits a second for a response to it.
    @Test func largeUploadsAskAServerThatIgnoresExpectOnce() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                _ = connection.readBody(2_000_000)
                connection.answer("201 Created")
            }
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        for _ in 0..<3 {
            let answer = try await session.upload(for: request, body: .bytes(patternedBytes(2_000_000)))
            #expect(answer.response.status.code == 201)
        }
        #expect(server.requests.map { $0.contains("Expect: 100-continue") } == [true, false, false])
    }

    @Test(arguments: [100, 103]) func largeUploadsContinueAfterAnInterimResponse(_ status: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead(), head.contains("Expect: 100-continue") else { return }
            connection.send("HTTP/1.1 \(status) Interim\r\n\r\n")
            _ = connection.readBody(2_000_000)
            connection.answer("201 Created")
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        let answer = try await session.upload(for: request, body: .bytes(patternedBytes(2_000_000)))
        #expect(answer.response.status.code == 201)
        #expect(answer.metrics.bodySent == 2_000_000)
    }

    @Test func requestTimeoutNamesItself() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.waitForClose()
        }
        let session = TransferSession(transport: transport)
        var request = try TransferRequest(url: TransferURL(server.url()))
        request.options.requestTimeout = 0.2
        let result = try await session.run { $0.dataTask(with: request, events: $1) }
        #expect(result.error?.code == .timedOut)
        #expect(result.error?.message.contains("request timeout: nothing moved for 0.2 s") == true)
    }
}

/// The events of a task until its end.
struct TaskResult: Sendable {
    var response: HTTPResponse?
    var body: [UInt8] = []
    var informational: [Int] = []
    var resumedAt: Int64?
    var metrics: TransferMetrics?
    var error: TransferError?
    var completions = 0
}

extension TransferSession {
    /// Creates and runs one task, and collects its events.
    func run(
        _ make: (TransferSession, @escaping @Sendable (TaskEvent) -> Void) -> TransferTask,
        atEnd: @escaping @Sendable (TransferTask) -> Void = { _ in }
    ) async throws -> TaskResult {
        let result = Mutex(TaskResult())
        let (stream, continuation) = AsyncStream<TaskResult>.makeStream()
        let task = make(self) { event in
            result.withLock { result in
                switch event {
                case .informational(let head): result.informational.append(head.status.code)
                case .response(let head): result.response = head
                case .data(let bytes): result.body += bytes
                case .resumed(let offset, _): result.resumedAt = offset
                case .metrics(let metrics): result.metrics = metrics
                case .completed(let error):
                    result.error = error
                    result.completions += 1
                    continuation.yield(result)
                case .sent, .betterRoute, .wrote, .finishedDownload, .waiting, .becameDownload, .becameStream: break
                }
            }
        }
        task.resume()
        for await result in stream {
            atEnd(task)
            return result
        }
        throw CancellationError()
    }
}

/// What may be sent again, and to whom.
@Suite(.timeLimit(.minutes(10))) struct RepetitionTests {
    let transport = try! CurlTransport()

    @Test func aPOSTRefusedWith417IsStoredOnce() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.contains("Expect:") {
                    connection.answer("417 Expectation Failed")
                    continue
                }
                let count = connection.readBody(2_000_000).count
                connection.answer(count == 2_000_000 ? "201 Created" : "400 Short")
            }
        }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .post)
        let answer = try await session.upload(for: request, body: .bytes(patternedBytes(2_000_000)))
        #expect(answer.response.status.code == 201)
        #expect(server.requests.filter { !$0.contains("Expect:") }.count == 1)
    }

    @Test func doesNotResendAnIncompleteStream() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            _ = connection.readChunked()
            connection.answer("307 Elsewhere", ["Location: /b"])
        }
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let bytes = Array("hello".utf8)
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        let session = TransferSession(transport: transport)
        let request = try TransferRequest(url: TransferURL(server.url()), method: .put)
        let stream = UploadBody.stream(descriptor: ends[0])
        let error = await #expect(throws: TransferError.self) { try await session.upload(for: request, body: stream) }
        #expect(error?.code == .cannotReadSource)
        #expect(server.requests.count == 1)
    }

    @Test func pinsRequireTLS() async throws {
        let session = TransferSession(transport: transport)
        var request = try TransferRequest(url: TransferURL("http://127.0.0.1:1/"))
        request.options.pins = ["sha256//AAAA"]
        let pinned = request
        let error = await #expect(throws: TransferError.self) { try await session.data(for: pinned) }
        #expect(error?.code == .pinMismatch)
    }

    @Test func stopsAtAnEndlessErrorPage() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.send("5\r\nhello\r\n")
            connection.waitForClose()
        }
        let folder = try TemporaryFolder()
        let session = TransferSession(transport: transport)
        let file = try PartialFile(path: folder.file("a"))
        let refusal = TransferError(.httpStatus, "no")
        let request = try TransferRequest(url: TransferURL(server.url()))
        let result = try await session.run { session, events in
            session.downloadTask(
                with: request, to: .init(place: .partial(file), admit: { _, _ in .refuse(refusal) }), events: events)
        }
        #expect(result.error == refusal)
    }
}
