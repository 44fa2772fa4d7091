// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Transfers outlive the queue that carries them, however it ends.
@Suite(.timeLimit(.minutes(5))) struct DurableQueueTests {
    let stage: DurableStage

    init() throws { stage = try DurableStage() }

    private let bytes = patternedBytes(300_000, seed: 1)

    /// Sends half of the body and waits, the first time; later the rest, as the range says.
    private func halting(at half: Int = 150_000) throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.send(Array(bytes[..<half]))
                return connection.waitForClose()
            }
            connection.answer(bytes, to: head, tag: "\"1\"")
        }
    }

    @Test func historySurvivesAReopening() async throws {
        let server = try ScriptedServer { [bytes] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"1\""], body: bytes) }
        }
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        let ended = try await stage.end(of: id)
        #expect(ended.state == .completed && ended.duration != nil)
        try await stage.reopen()
        let duration = try #require(try await stage.queue.snapshot().transfers.first?.duration)
        #expect(abs(duration - (ended.duration ?? 0)) < 0.01)
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(!stage.folder.exists("out.bin.fileq-part") && !stage.folder.exists("out.bin.fileq-part.json"))
        let history = try await stage.queue.history(HistoryQuery())
        #expect(history.map(\.transfer.id) == [id])
        #expect(history.first?.transfer.bytes == Int64(bytes.count))
        let info = try await stage.queue.info(id)
        #expect(info.attempts?.count == 1)
        #expect(info.attempts?.first?.lastByte == Int64(bytes.count))
        #expect(info.attempts?.first?.metrics != nil)
        #expect(try await stage.queue.clear(QueueFilter()) == 1)
        #expect(try await stage.queue.history(HistoryQuery()).isEmpty)
        #expect(try await stage.queue.snapshot().transfers.isEmpty)
    }

    /// As a power cut leaves it: the record has its name, and the bytes it speaks of are gone.
    @Test func removesARecordWithoutBytes() async throws {
        let server = try ScriptedServer { [bytes] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: bytes) }
        }
        try stage.folder.write([], to: "out.bin.fileq-part")
        try stage.folder.write([], to: "out.bin.fileq-part.json")
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(!stage.folder.exists("out.bin.fileq-part") && !stage.folder.exists("out.bin.fileq-part.json"))
    }

    @Test(arguments: [false, true]) func resumesRunningTransfersFromTheirBytes(_ crashes: Bool) async throws {
        let server = try halting()
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        if crashes { try await stage.crash() } else { try await stage.reopen() }
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    /// The tail that was written and not synced is gone, and something else is in its place.
    @Test func trustsOnlySyncedBytesAfterAnotherBoot() async throws {
        let server = try halting()
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        let path = stage.folder.file("out.bin.fileq-part")
        try await stage.crash {
            var record = try #require(PartialRecord.load(PartialRecord.path(of: path)))
            record.bootID = "an earlier boot"
            record.ranges = ByteRangeSet(0..<100_000)
            #expect(PartialRecord.save(record))
            try stage.folder.write(
                Array(bytes[..<100_000]) + [UInt8](repeating: 0, count: 40_000), to: "out.bin.fileq-part")
        }
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=100000-") == true)
    }

    @Test func pausedTransfersStayPaused() async throws {
        let server = try halting()
        let ids = try await stage.queue.add(
            [stage.download(server.url(), name: "a"), stage.download(server.url(), name: "b")], paused: true)
        try await stage.queue.perform(.resume, on: [ids[1]])
        try await stage.wait(for: ids[1]) { $0.bytes == 150_000 }
        try await stage.queue.perform(.pause, on: [ids[1]])
        try await stage.reopen()
        #expect(try await stage.states() == [.paused, .paused])
        try await stage.queue.perform(.resume, on: ids)
        #expect(try await stage.end(of: ids[0]).state == .completed)
        #expect(try await stage.end(of: ids[1]).state == .completed)
        #expect(try stage.folder.read("a") == bytes)
        #expect(try stage.folder.read("b") == bytes)
    }

    /// What was answered holds, though the process ends in the same moment.
    @Test func commandsSurviveACrash() async throws {
        let (gate, decided) = (Counter(), Counter())
        let server = try ScriptedServer { [bytes] connection, _ in
            guard let head = connection.readHead() else { return }
            // Shut while a life lasts that is about to be cut off: what it finished would be there already in the next.
            let isOpen = !gate.count.isMultiple(of: 2)
            decided.add()
            guard !isOpen else { return connection.answer(bytes, to: head, tag: "\"1\"") }
            connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<150_000]))
            connection.waitForClose()
        }
        let ids = try await stage.queue.add(
            try ["a", "b", "c"].map { try stage.download(server.url(), name: $0) }, paused: true)
        try await stage.queue.perform(.resume, on: [ids[0], ids[1]])
        for id in ids[..<2] { try await stage.wait(for: id) { $0.bytes == 150_000 } }
        try await stage.queue.perform(.pause, on: [ids[0]])
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [ids[1]])
        try await stage.crash()
        #expect(try await stage.states() == [.paused, .cancelled, .paused])
        try await stage.queue.perform(.resume, on: [ids[0], ids[2]])
        // A request that this life has made must not meet the gate open. The range is requested twice: see
        // ``OtherProofsTests``.
        #expect(await eventually { decided.count >= 5 })
        try await stage.queue.setLimits(QueueLimits(concurrent: 7))
        try await stage.crash { gate.add() }
        #expect(try await stage.queue.snapshot().limits.concurrent == 7)
        #expect(try await stage.end(of: ids[0]).state == .completed)
        #expect(try await stage.end(of: ids[2]).state == .completed)
        gate.add()
        let before = decided.count
        try await stage.queue.perform(.retry, on: [ids[1]])
        #expect(await eventually { decided.count >= before + 2 })
        try await stage.crash { gate.add() }
        #expect(try await stage.end(of: ids[1]).state == .completed)
    }

    @Test func idsRiseOverAllProcesses() async throws {
        let description = try stage.download("http://127.0.0.1:1/")
        let first = try await stage.queue.add([description], paused: true)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: first)
        try await stage.queue.perform(.remove, on: first)
        try await stage.reopen()
        let second = try await stage.queue.add([description], paused: true)
        #expect(second[0] > first[0])
    }

    @Test func keepsTheOrder() async throws {
        let ids = try await stage.queue.add(
            try (0..<4).map { try stage.download("http://127.0.0.1:1/\($0)", name: "f\($0)") }, paused: true)
        try await stage.queue.perform(.move(.top), on: [ids[3]])
        try await stage.queue.perform(.move(.bottom), on: [ids[0]])
        try await stage.reopen()
        #expect(try await stage.queue.snapshot().transfers.map(\.id) == [ids[3], ids[1], ids[2], ids[0]])
    }

    @Test func keepsLimits() async throws {
        try await stage.queue.setLimits(QueueLimits(concurrent: 7, download: 1000, upload: nil))
        try await stage.reopen()
        #expect(try await stage.queue.snapshot().limits == QueueLimits(concurrent: 7, download: 1000, upload: nil))
    }

    @Test(arguments: [false, true]) func aPausedAttemptContinuesInTheNextProcess(_ crashes: Bool) async throws {
        let server = try halting()
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        try await stage.queue.perform(.pause, on: [id])
        let before = try #require(try await stage.queue.info(id).attempts?.first)
        if crashes { try await stage.crash() } else { try await stage.reopen() }
        let kept = try #require(try await stage.queue.info(id).attempts)
        #expect(kept.map(\.number) == [1] && kept[0].startedAt == before.startedAt && kept[0].endedAt == nil)
        #expect(kept[0].firstByte == 0 && kept[0].lastByte == 150_000)
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        let ended = try #require(try await stage.queue.info(id).attempts)
        #expect(ended.map(\.number) == [1] && ended[0].startedAt == before.startedAt && ended[0].endedAt != nil)
        #expect(ended[0].firstByte == 0 && ended[0].lastByte == Int64(bytes.count))
    }

    @Test func retriesAFailedTransferInTheNextProcess() async throws {
        let server = try ScriptedServer { [bytes] connection, number in
            guard connection.readHead() != nil else { return }
            if number == 1 { connection.answer("404 Not Found") } else { connection.answer("200 OK", body: bytes) }
        }
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        #expect(try await stage.end(of: id).state == .failed)
        try await stage.reopen()
        #expect(try await stage.states() == [.failed])
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try await stage.queue.info(id).attempts?.map(\.number) == [1, 2])
    }

    /// Of a server that allows no resuming it has all bytes that it has received.
    @Test func aRunningAttemptBeginsWhereItsResponseDoes() async throws {
        let (half, quarter) = (150_000, 75_000)
        let server = try ScriptedServer { [bytes] connection, number in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<(number == 1 ? half : quarter)]))
            connection.waitForClose()
        }
        let id = try await retried(server, after: half)
        _ = try await stage.wait(for: id) { $0.state == .running && $0.bytes == Int64(quarter) }
        let attempt = try #require(try await stage.queue.info(id).attempts?.last)
        #expect(attempt.number == 2 && attempt.firstByte == 0 && attempt.lastByte == Int64(quarter))
    }

    /// A download that was cancelled with so many bytes, and is tried again.
    private func retried(_ server: ScriptedServer, after bytes: Int) async throws -> TransferID {
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        _ = try await stage.wait(for: id) { $0.bytes == Int64(bytes) }
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [id])
        _ = try await stage.end(of: id)
        try await stage.queue.perform(.retry, on: [id])
        return id
    }

    /// The bytes on disk are those of the attempt before.
    @Test func anAttemptWithoutResponseHasNoBytes() async throws {
        let half = 150_000
        let server = try ScriptedServer { [bytes] connection, number in
            guard connection.readHead() != nil, number == 1 else { return }
            let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\n"
            connection.send("\(head)Content-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<half]))
            connection.waitForClose()
        }
        let id = try await retried(server, after: half)
        _ = try await stage.wait(for: id) { $0.state == .retrying }
        let attempts = try #require(try await stage.queue.info(id).attempts)
        let second = try #require(attempts.first { $0.number == 2 })
        #expect(second.endedAt != nil && second.firstByte == Int64(half) && second.lastByte == Int64(half))
    }

    @Test func newURLKeepsTheBytes() async throws {
        let old = try halting()
        let new = try ScriptedServer { [bytes] connection, _ in
            while let head = connection.readHead() { connection.answer(bytes, to: head, tag: "\"1\"") }
        }
        let id = try await stage.queue.add([stage.download(old.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        try await stage.queue.relocate(id, to: Relocation(url: try TransferURL(new.url())))
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(new.requests.first?.contains("bytes=150000-") == true)
    }

    /// Scheme, host and port are compared: another port is another server.
    @Test func anotherOriginGetsNoOldSecrets() async throws {
        let old = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("403 Forbidden")
        }
        let new = try ScriptedServer { connection, number in
            while connection.readHead() != nil {
                connection.answer(number == 1 ? "403 Forbidden" : "200 OK", body: [1])
            }
        }
        let description = try stage.download(old.url()) { options in
            try? options.addHeader(name: "Authorization", value: "Bearer old")
            try? options.addHeader(name: "X-Key", value: "old-key")
            try? options.addHeader(name: "Accept-Language", value: "ja")
            options.cookies = (try? [Cookie(name: "c", value: "old-cookie")]) ?? []
            options.clientIdentity = ClientIdentity(certificate: "/nowhere.pem")
            options.credential = Credential(user: "bob", password: "old-password")
        }
        let id = try await stage.queue.add([description], paused: false)[0]
        try await stage.end(of: id)
        let dropped = try await stage.queue.relocate(id, to: Relocation(url: try TransferURL(new.url())))
        #expect(dropped == ["Authorization", "X-Key", "cookie c", "login of 'bob'", "client certificate"])
        try await stage.queue.perform(.retry, on: [id])
        try await stage.end(of: id)
        #expect(new.requests.count == 1)
        #expect(
            new.requests.allSatisfy {
                !$0.contains("old") && $0.contains("ja") && !$0.lowercased().contains("authorization")
            })
        // What is given with an address goes there.
        let place = Relocation(
            url: try TransferURL("http://localhost:\(new.port)/x"), headers: [.init(name: "X-Key", value: "new-key")],
            cookies: [try Cookie(name: "c", value: "new-cookie")])
        #expect(try await stage.queue.relocate(id, to: place) == [])
        try await stage.queue.perform(.retry, on: [id])
        try await stage.end(of: id)
        #expect(
            new.requests.last?.contains("X-Key: new-key") == true && new.requests.last?.contains("c=new-cookie") == true
        )
    }

    @Test func theSameOriginKeepsItsSecrets() throws {
        let description = try stage.download("http://bob:pw@127.0.0.1:9/a") {
            try? $0.addHeader(name: "X-Key", value: "k")
        }
        let (moved, dropped) = try description.relocated(to: Relocation(url: try TransferURL("http://127.0.0.1:9/b")))
        #expect(dropped.isEmpty && moved.options.headers.count == 1)
        #expect(moved.url.credential == Credential(user: "bob", password: "pw"))
        for other in ["https://127.0.0.1:9/b", "http://127.0.0.1:8/b", "http://localhost:9/b"] {
            let (moved, dropped) = try description.relocated(to: Relocation(url: try TransferURL(other)))
            #expect(
                dropped == ["X-Key", "login of 'bob'"] && moved.options.headers.isEmpty && moved.url.credential == nil)
        }
    }

    /// The key must be known before the server sees it: else what is sent again after a crash is stored twice.
    @Test func uploadsKeepTheirKey() async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 { return connection.waitForClose() }
            connection.takeBody(of: head)
            connection.answer("201 Created", ["Location: /files/1/x"])
        }
        try stage.folder.write(bytes, to: "x")
        let id = try await stage.queue.add(
            [stage.upload(server.url(), name: "x", form: .fileQ(FileQUpload(sid: "s")))], paused: false)[0]
        #expect(await eventually { server.requests.count == 1 })
        try await stage.crash()
        #expect(try await stage.end(of: id).state == .completed)
        func key(_ head: String?) -> Substring? {
            head?.split(separator: "fileq-upload=").dropFirst().first?.prefix(36)
        }
        #expect(key(server.requests.first) != nil)
        #expect(server.requests.count >= 2)
        #expect(server.requests.allSatisfy { key($0) == key(server.requests.first) })
    }

    @Test func delaysAfterARefusedBody() async throws {
        var configuration = LocalQueue.Configuration()
        configuration.jitter = { 1 }
        let folder = try TemporaryFolder()
        let queue = try DurableQueue(
            store: TransferStore(folder: folder.file("state"), time: 1_800_000_000), transport: try CurlTransport(),
            configuration: configuration)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer("500 Internal Server Error")
            }
        }
        let path = try folder.write([1, 2, 3], to: "x")
        let updates = queue.updates()
        _ = try await queue.add(
            [Spec(url: try TransferURL(server.url()), operation: .upload(.init(source: .file(path: path))))],
            paused: false)
        for await update in updates {
            guard case .events(let events) = update, let event = events.first(where: { $0.name == .retrying }) else {
                continue
            }
            #expect(abs((event.transfer.retryAt ?? 0) - event.time - 60) < 1)
            break
        }
        await queue.shutDown()
    }

    @Test func unknownIDsChangeNothing() async throws {
        let ids = try await stage.queue.add([stage.download("http://127.0.0.1:1/")], paused: true)
        let unknown = TransferID(rawValue: 999)
        for command in [QueueCommand.resume, .remove, .retry] {
            let error = await #expect(throws: TransferError.self) {
                try await stage.queue.perform(command, on: ids + [unknown])
            }
            #expect(error?.code == .usage)
        }
        #expect(try await stage.states() == [.paused])
    }

    @Test func deliversMissedSessionEventsOnce() async throws {
        let server = try ScriptedServer { [bytes] connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["ETag: \"1\"", "Set-Cookie: a=b"], body: bytes)
            }
        }
        let terms = TransferTerms(session: "org.example.app", taskDescription: "the words")
        let id = try await stage.queue.add([stage.download(server.url())], on: terms)[0]
        try await stage.end(of: id)
        try await stage.reopen()
        let events = try await stage.queue.sessionEvents(of: "org.example.app", limit: 10)
        #expect(events.map(\.transfer.id) == [id])
        #expect(events.first?.transfer.state == .completed)
        #expect(events.first?.transfer.taskDescription == "the words")
        #expect(events.first?.responseFields.map(\.name).contains("ETag") == true)
        #expect(try await stage.queue.sessionEvents(of: "another", limit: 10).isEmpty)
        try await stage.queue.acknowledgeSessionEvents(of: "org.example.app", upTo: try #require(events.last).sequence)
        #expect(try await stage.queue.sessionEvents(of: "org.example.app", limit: 10).isEmpty)
    }
}
