// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import HTTPTypes
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// The whole way from a description to a file, against a server whose bytes are written by hand.
@Suite(.timeLimit(.minutes(10))) struct LocalQueueTests {
    let stage: QueueStage
    var folder: TemporaryFolder { stage.folder }
    var queue: LocalQueue { stage.queue }

    init() throws { stage = try QueueStage() }

    @Test func setsNameAndTimeAndLeavesNoOtherFile() async throws {
        let bytes = patternedBytes(100_000)
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer(
                    "200 OK", ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "ETag: \"1\""], body: bytes)
            }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(result.confirmed == 100_000)
        #expect(try folder.read("out.bin") == bytes)
        #expect(folder.names == ["out.bin"])
        #expect(FileTimes.modified(folder.file("out.bin")) == 784_111_777)
    }

    @Test func theRateOfAStalledDownloadBecomesZero() async throws {
        let scheduler = ManualScheduler()
        let transport = FakeTransport { _, _ in
            scheduler.advance(by: 2)
            var answer = FakeTransport.Answer(200, [.contentLength: "5000"], body: patternedBytes(1000))
            answer.stalls = true
            return answer
        }
        let queue = LocalQueue(transport: transport, scheduler: scheduler)
        _ = try await queue.add([stage.download("http://a.test/")], paused: false)
        try await queue.transfers { $0.values.allSatisfy { $0.bytes == 1000 && $0.rate == 500 && $0.eta != nil } }
        scheduler.advance(by: 2)
        #expect(try await queue.snapshot().transfers.first?.rate == 500)
        scheduler.advance(by: 1)
        try await queue.transfers { $0.values.allSatisfy { $0.state == .running && $0.rate == 0 && $0.eta == nil } }
        // The byte, not the event, three seconds after it.
        let silentSince = try await queue.snapshot().transfers.first?.pace?.silentSince
        #expect(silentSince == scheduler.wallNow - 3)
        await queue.shutDown()
    }

    /// A cancel and a retry leave nothing of the time that was scheduled before.
    @Test func theTimeOfAnEarlierAttemptStartsNoLaterOne() async throws {
        let scheduler = ManualScheduler()
        let times = Mutex([Double]())
        let transport = FakeTransport { _, number in
            times.withLock { $0.append(scheduler.now) }
            return FakeTransport.Answer(
                503, [HTTPField.Name("Retry-After")!: times.withLock { $0.count == 1 } ? "60" : "300"])
        }
        let queue = LocalQueue(transport: transport, scheduler: scheduler)
        let id = try await queue.add([stage.download("http://a.test/")], paused: false)[0]
        try await queue.transfers { $0[id]?.state == .retrying }
        try await queue.perform(.cancel(deletingPartial: false), on: [id])
        try await queue.transfers { $0[id]?.state == .cancelled }
        try await queue.perform(.retry, on: [id])
        try await queue.transfers { $0[id]?.state == .retrying && transport.exchanges.count == 2 }
        scheduler.advance(by: 100)
        for _ in 0..<100 { _ = try await queue.snapshot() }
        scheduler.advance(by: 199)
        for _ in 0..<100 { _ = try await queue.snapshot() }
        scheduler.advance(by: 2)
        #expect(await eventually { times.withLock { $0.count == 3 && $0[2] - $0[1] >= 300 } })
        await queue.shutDown()
    }

    @Test func refusesServiceOnlyAndInvalidCommands() async throws {
        var description = try stage.download("http://127.0.0.1:9/")
        description.options.retries = 0
        let id = try await queue.add([description], paused: true)[0]
        func refused(_ call: () async throws -> Void) async -> TransferError.Code? {
            do { try await call() } catch { return (error as? TransferError)?.code }
            return nil
        }
        #expect(await refused { try await queue.perform(.priority(1.5), on: [id]) } == .usage)
        #expect(await refused { try await queue.relocate(id, to: Relocation(sid: "x")) } == .usage)
        #expect(await refused { _ = try await queue.history(HistoryQuery()) } == .usage)
        #expect(await refused { _ = try await queue.log(LogQuery()) } == .usage)
        #expect(await refused { _ = try await queue.sessionEvents(of: "s", limit: 1) } == .usage)
        #expect(await refused { try await queue.acknowledgeSessionEvents(of: "s", upTo: 1) } == .usage)
        #expect(await refused { try await queue.setLimits(QueueLimits(perHost: 0)) } == .usage)
        #expect(
            await refused { try await queue.setTimetable(LimitTimetable(entries: [.init(days: [], from: 0, to: 60)])) }
                == .usage)
        #expect(await refused { _ = try await queue.info(TransferID(rawValue: 99)) } == .usage)
        #expect(try await queue.info(id).attempts == nil)
        #expect(try await queue.clear(QueueFilter()) == 0)
        try await queue.perform(.cancel(deletingPartial: false), on: [id])
        #expect(try await queue.clear(QueueFilter(states: [.failed])) == 0)
        #expect(try await queue.clear(QueueFilter(ids: [id])) == 1)
        #expect(try await queue.snapshot().transfers.isEmpty)
    }

    @Test func resumesABrokenDownloadAutomatically() async throws {
        let bytes = patternedBytes(100_000)
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\n")
                return connection.send(Array(bytes[..<40_000]))
            }
            connection.answer(
                "206 Partial Content", ["ETag: \"1\"", "Content-Range: bytes 40000-99999/100000"],
                body: Array(bytes[40_000...]))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(result.attempt == 2)
        #expect(result.metrics?.resumedFrom == 40_000)
        #expect(result.metrics?.bodyReceived == 100_000)
        #expect(try folder.read("out.bin") == bytes)
    }

    @Test func keepsRatesAndHeadsOfATransferThatHasEnded() async throws {
        // With this limit small files are transfers like all others.
        try await queue.setLimits(QueueLimits(perHost: 2))
        let bytes = patternedBytes(100_000)
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", ["ETag: \"1\"", "Set-Cookie: id=hush"], body: bytes)
        }
        let result = try await stage.end(of: stage.download(server.url("/big?token=hush")))
        #expect(result.state == .completed)
        let rates = try #require(try await queue.rates(seconds: 1, of: result.id).transfer)
        #expect(rates.id == result.id && rates.series.map(\.step) == [1, 5, 60])
        let moved = rates.series[0].rates.compactMap(\.self).reduce(0, +)
        #expect(moved > 0 && moved <= 100_000)
        #expect(try await queue.rates(seconds: 1, of: TransferID(rawValue: 99)).transfer == nil)
        #expect(try await queue.rates(seconds: 1).transfer == nil)
        let heads = try #require(try await queue.info(result.id).heads)
        #expect(heads.method == "GET" && heads.status == 200 && !heads.url.contains("hush"))
        #expect(heads.request.contains { $0.name.lowercased() == "accept" && $0.value == "*/*" })
        let cookie = try #require(heads.response.first { $0.name.lowercased() == "set-cookie" })
        #expect(cookie.value == nil && heads.response.contains { $0.value == "\"1\"" })
    }

    @Test func neverMixesVersions() async throws {
        let old = patternedBytes(100_000, seed: 1), new = patternedBytes(90_000, seed: 2)
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\n")
                return connection.send(Array(old[..<40_000]))
            }
            #expect(head.contains("If-Range: \"1\""))
            connection.answer("200 OK", ["ETag: \"2\""], body: new)
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try folder.read("out.bin") == new)
    }

    @Test func restartsWithoutAStrongValidator() async throws {
        let bytes = patternedBytes(50_000)
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            #expect(!head.contains("Range:"))
            connection.send("HTTP/1.1 200 OK\r\nETag: W/\"1\"\r\nContent-Length: 50000\r\n\r\n")
            connection.send(number == 1 ? Array(bytes[..<20_000]) : bytes)
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try folder.read("out.bin") == bytes)
    }

    @Test func leavesExistingFilesUnchanged() async throws {
        try folder.write([1, 2, 3], to: "out.bin")
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [9]) }
        }
        let refused = try await stage.end(of: stage.download(server.url()))
        #expect(refused.error?.code == .destinationExists)
        #expect(try folder.read("out.bin") == [1, 2, 3])
        let replaced = try await stage.end(of: stage.download(server.url()) { $1.overwrites = true })
        #expect(replaced.state == .completed)
        #expect(try folder.read("out.bin") == [9])
    }

    @Test func wrongChecksumDeletesTheBytes() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"1\""], body: [9]) }
        }
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.checksum = Checksum(algorithm: .sha256, bytes: Array(repeating: 0, count: 32))
            })
        #expect(result.error?.code == .checksumMismatch)
        #expect(folder.names.isEmpty)
    }

    @Test func aStreamWithAWrongChecksumHasLeft() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: [9]) }
        }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(output) }
        let result = try await stage.end(
            of: stage.download(server.url()) {
                $1.destination = .stream(descriptor: output)
                $1.checksum = Checksum(algorithm: .sha256, bytes: Array(repeating: 0, count: 32))
            })
        #expect(result.error?.code == .checksumMismatch)
        #expect(result.error?.message.hasSuffix("; its bytes have been written out") == true)
    }

    /// What came in front of the requested range has left with the rest.
    @Test func aStreamThatGotMoreThanItsRangeIsNotContinued() async throws {
        let bytes = patternedBytes(100_000)
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\n")
                return connection.send(Array(bytes[..<40_000]))
            }
            connection.send(
                "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nConnection: close\r\n"
                    + "Content-Range: bytes 40000-99999/100000\r\n\r\n")
            _ = connection.sendIfOpen([1, 2, 3] + Array(bytes[40_000...]))
        }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(output) }
        let result = try await stage.end(
            of: stage.download(server.url()) { $1.destination = .stream(descriptor: output) })
        #expect(result.state == .failed && result.error?.fields.problem?.kind == .rangeExceeded)
        #expect(server.requests.count == 2)
    }

    @Test func matchingFilesNeedNoRequest() async throws {
        try folder.write(Array("hello\n".utf8), to: "out.bin")
        let server = try ScriptedServer { connection, _ in _ = connection.readHead() }
        let sum = try Checksum(parsing: "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03")
        let result = try await stage.end(of: stage.download(server.url()) { $1.checksum = sum })
        #expect(result.state == .completed)
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [("../../etc/passwd", "passwd"), ("日本語.txt", "日本語.txt"), ("a\u{1b}[31m.txt", nil)]
            as [(String, String?)])
    func sanitizesTheServersName(_ proposed: String, _ expected: String?) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer(
                    "200 OK", ["Content-Disposition: attachment; filename*=UTF-8''\(PercentCoding.encode(proposed))"],
                    body: [1])
            }
        }
        var description = try stage.download(server.url("/plain"))
        description.operation = .download(.init(destination: .folder(path: folder.path, name: "plain")))
        let result = try await stage.end(of: description)
        #expect(result.state == .completed)
        let name = try #require(folder.names.first)
        #expect(folder.names.count == 1)
        #expect(!name.contains("/") && !name.unicodeScalars.contains { $0.value < 0x20 })
        if let expected { #expect(name == expected) }
    }

    @Test(arguments: [("404 Not Found", 22), ("401 Unauthorized", 67), ("500 Oops", 22)])
    func errorPagesNeverBecomeTheFile(_ status: String, _ code: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer(status, body: Array("<html>".utf8)) }
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { description, _ in description.options.retries = 0 })
        #expect(result.error?.code.rawValue == code)
        #expect(folder.names.isEmpty)
    }

    @Test func retriesAResponseThatBreaksOffInItsHead() async throws {
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            guard number > 2 else { return connection.send("HTTP/1.1 200 OK\r\nContent-Le") }
            connection.answer("200 OK", body: patternedBytes(10))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(try folder.read("out.bin") == patternedBytes(10))
        #expect(server.requests.count == 3)
    }

    @Test func reportsNonHTTPResponses() async throws {
        let server = try ScriptedServer { connection, _ in
            _ = connection.readHead()
            connection.send("SSH-2.0-OpenSSH_9.2\r\nnonsense\r\n\r\n")
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { description, _ in description.options.retries = 0 })
        #expect(result.error?.code == .notHTTP)
    }

    @Test func pausedDownloadsKeepTheirPositionAndBlockNone() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["ETag: \"1\""], body: patternedBytes(2_000_000))
            }
        }
        try await queue.setLimits(QueueLimits(concurrent: 1))
        let slow = try stage.download(server.url(), name: "slow") { description, _ in
            description.options.rateLimit = 50_000
        }
        let ids = try await queue.add([slow, try stage.download(server.url(), name: "quick")], paused: false)
        try await stage.wait { $0[ids[0]]?.bytes ?? 0 > 0 }
        try await queue.perform(.pause, on: [ids[0]])
        try await stage.wait { $0[ids[1]]?.state == .completed }
        #expect(try await queue.snapshot().transfers[0].state == .paused)
        try await queue.perform(.limit(nil), on: [ids[0]])
        try await queue.perform(.resume, on: [ids[0]])
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try folder.read("slow") == patternedBytes(2_000_000))
    }

    @Test func cancelKeepsPartialFilesForRetry() async throws {
        let bytes = patternedBytes(2_000_000)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                guard let range = head.firstRange(of: "Range: bytes=") else {
                    connection.answer("200 OK", ["ETag: \"1\""], body: bytes)
                    continue
                }
                let from = Int(head[range.upperBound...].prefix { $0.isNumber })!
                connection.answer(
                    "206 Partial Content", ["ETag: \"1\"", "Content-Range: bytes \(from)-1999999/2000000"],
                    body: Array(bytes[from...]))
            }
        }
        let ids = try await queue.add(
            [try stage.download(server.url()) { description, _ in description.options.rateLimit = 100_000 }],
            paused: false)
        try await stage.wait { $0[ids[0]]?.bytes ?? 0 > 100_000 }
        try await queue.perform(.cancel(deletingPartial: false), on: ids)
        try await stage.wait { $0[ids[0]]?.state == .cancelled }
        #expect(folder.names == ["out.bin.fileq-part", "out.bin.fileq-part.json"])
        try await queue.perform(.limit(nil), on: ids)
        try await queue.perform(.retry, on: ids)
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try await queue.snapshot().transfers[0].metrics?.resumedFrom ?? 0 > 100_000)
        #expect(try folder.read("out.bin") == bytes)
        #expect(folder.names == ["out.bin"])
    }

    @Test func manyFailuresDoNotRecurse() async throws {
        // As many calls as would not fit on the stack of a thread.
        let descriptions = try (0..<5000).map { index in
            Spec(
                url: try TransferURL("http://127.0.0.1:1/"),
                operation: .upload(
                    Upload(source: .file(path: folder.file("missing-\(index)")))))
        }
        let ids = try await queue.add(descriptions, paused: false)
        let states = try await queue.snapshot().transfers
        #expect(states.count == ids.count)
        #expect(states.allSatisfy { $0.error?.code == .cannotReadSource })
    }

    @Test func givesUpABreakingUpload() async throws {
        let path = try folder.write(patternedBytes(3_000_000), to: "source")
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            _ = connection.readBody(1_000_000)
            connection.reset()
        }
        var description = Spec(
            url: try TransferURL(server.url()),
            operation: .upload(
                Upload(source: .file(path: path))))
        description.options.retries = 1
        let result = try await stage.end(of: description)
        #expect(result.state == .failed)
        #expect(server.requests.count == 2)
    }

    @Test func unknownIDsFailBeforeAnyChange() async throws {
        await #expect(throws: TransferError.self) {
            try await queue.perform(.pause, on: [TransferID(rawValue: 77)])
        }
    }
}
