// SPDX-License-Identifier: MIT

import Crypto
import CurlTransport
import Dispatch
import Glibc
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Bodies of files whose file system may hang: the transport waits for none of their calls.
@Suite(.timeLimit(.minutes(5))) struct LanedBodyTests {
    /// Makes as many calls as it is allowed to.
    private final class GatedLane: FileLane {
        private struct Guarded {
            var allowed = Int.max
            var waiting: [(make: @Sendable () -> Void, fail: @Sendable (TransferError) -> Void)] = []
        }

        private let queue = DispatchQueue(label: "fileq.testing.lane")
        private let guarded: Mutex<Guarded>

        init(allowing calls: Int = .max) { guarded = Mutex(Guarded(allowed: calls)) }

        var countWaiting: Int { guarded.withLock { $0.waiting.count } }

        func perform<Value: Sendable>(
            _ call: @escaping @Sendable () throws(TransferError) -> Value,
            reply: @escaping @Sendable (Result<Value, TransferError>) -> Void
        ) {
            let make = { @Sendable in reply(Result { () throws(TransferError) in try call() }) }
            let isAllowed = guarded.withLock { guarded in
                if guarded.allowed == 0 { guarded.waiting.append((make, { reply(.failure($0)) })) }
                guard guarded.allowed > 0 else { return false }
                if guarded.allowed != .max { guarded.allowed -= 1 }
                return true
            }
            if isAllowed { queue.async(execute: make) }
        }

        private func open() -> [(make: @Sendable () -> Void, fail: @Sendable (TransferError) -> Void)] {
            guarded.withLock { guarded in
                defer { (guarded.allowed, guarded.waiting) = (.max, []) }
                return guarded.waiting
            }
        }

        func respond() { for call in open() { queue.async(execute: call.make) } }
        func giveUp() {
            for call in open() { call.fail(TransferError(.folderNotResponding, "the folder does not respond")) }
        }
    }

    private let folder: TemporaryFolder
    private let session: TransferSession

    init() throws {
        folder = try TemporaryFolder()
        session = TransferSession(transport: try CurlTransport())
    }

    private let bytes = patternedBytes(20_000_000)

    private func server(_ sent: Counter = Counter()) throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("GET /small") {
                    connection.answer("200 OK", body: [7])
                } else if head.hasPrefix("PUT") {
                    if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    let body = connection.readBody(bytes.count)
                    connection.answer(body == bytes ? "201 Created" : "400 Bad Request")
                } else {
                    connection.send(
                        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
                    for start in stride(from: 0, to: bytes.count, by: 500_000) {
                        connection.send(Array(bytes[start..<start + 500_000]))
                        sent.add()
                    }
                }
            }
        }
    }

    private func request(_ url: String, _ method: HTTPRequest.Method = .get) throws -> TransferRequest {
        TransferRequest(url: try TransferURL(url), method: method)
    }

    /// Of one task.
    private final class End: Sendable {
        private let ended = Mutex<TransferError??>(nil)
        var error: TransferError?? { ended.withLock { $0 } }
        func note(_ event: TaskEvent) { if case .completed(let error) = event { ended.withLock { $0 = .some(error) } } }
    }

    private func download(_ url: String, _ lane: GatedLane) throws -> (DownloadTask, End) {
        var target = DownloadTarget(place: .partial(try PartialFile(path: folder.file("f"))), digest: .sha256)
        target.lane = lane
        let end = End()
        let task = session.downloadTask(with: try request(url), to: target) { end.note($0) }
        task.resume()
        return (task, end)
    }

    private func upload(_ url: String, _ lane: GatedLane) throws -> UploadTask {
        let source = try UploadSourceFile(path: try folder.write(bytes, to: "source"), lane: lane)
        let task = session.uploadTask(with: try request(url, .put), source: source)
        task.resume()
        return task
    }

    private func othersProceed(_ server: ScriptedServer) async throws {
        #expect(try await session.data(for: try request(server.url("/small"))).body == [7])
    }

    /// The opening of the file, reserving and writes are the calls.
    @Test(arguments: [0, 1, 2, 5]) func aHeldDownloadResumesWhenItsFolderResponds(_ calls: Int) async throws {
        let (sent, lane) = (Counter(), GatedLane(allowing: calls))
        let server = try server(sent)
        let (task, end) = try download(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        try await othersProceed(server)
        #expect(sent.count < 40, "the server could send all of the body")
        #expect(task.progress.received <= Int64(max(0, calls - 2) * 65_536))
        lane.respond()
        #expect(await eventually { end.error != nil })
        #expect(end.error == .some(nil))
        #expect(try folder.read("f") == bytes)
        #expect(task.digest == Array(SHA256.hash(data: bytes)))
        #expect(task.progress.received == Int64(bytes.count))
    }

    @Test func anEmptyBodyWaitsForItsFile() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK") }
        }
        try folder.write([1, 2, 3], to: "f")
        let lane = GatedLane(allowing: 0)
        let (_, end) = try download(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        #expect(end.error == nil)
        lane.respond()
        #expect(await eventually { end.error != nil })
        #expect(end.error == .some(nil))
        #expect(try folder.read("f") == [])
    }

    @Test(arguments: [0, 4]) func aDownloadEndsWithTheFoldersError(_ calls: Int) async throws {
        let (lane, server) = (GatedLane(allowing: calls), try server())
        let (task, end) = try download(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        lane.giveUp()
        #expect(await eventually { end.error != nil })
        #expect(end.error??.code == .folderNotResponding)
        let stored = try folder.read("f")
        #expect(stored.count <= 2 * 65_536 && stored == Array(bytes[..<stored.count]))
        #expect(task.progress.received == Int64(stored.count))
        if calls > 0 { #expect(task.resumePoint?.offset == Int64(stored.count)) }
        try await othersProceed(server)
    }

    @Test func whatIsHeldCanBeSuspendedAndCancelled() async throws {
        let (lane, server) = (GatedLane(allowing: 3), try server())
        let (task, end) = try download(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        task.suspend()
        try await othersProceed(server)
        task.cancel()
        #expect(await eventually { end.error != nil })
        #expect(end.error??.code == .cancelled)
        lane.respond()
        try await othersProceed(server)
    }

    @Test(arguments: [0, 3]) func aHeldUploadResumesWhenItsFolderResponds(_ calls: Int) async throws {
        let (lane, server) = (GatedLane(allowing: calls), try server())
        let task = try upload(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        try await othersProceed(server)
        #expect(task.progress.sent <= Int64(calls * 65_536))
        lane.respond()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil && task.response?.status.code == 201)
    }

    @Test func anUploadEndsWithTheFoldersError() async throws {
        let (lane, server) = (GatedLane(allowing: 3), try server())
        let task = try upload(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        lane.giveUp()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .folderNotResponding)
        try await othersProceed(server)
    }

    @Test func aFailedWriteFailsTheExchange() async throws {
        let server = try server()
        let descriptor = open("/dev/full", O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        var exchange = Exchange(url: try TransferURL(server.url()), method: .get)
        exchange.lane = GatedLane()
        let record = try await CurlTransport().run(
            exchange, disposition: .file(descriptor: descriptor, offset: 0, expectedEnd: nil))
        #expect(record.failure?.cause == .cannotWrite(errno: ENOSPC))
    }

    @Test func aSourceThatShrinksFailsTheUpload() async throws {
        let (lane, server) = (GatedLane(allowing: 1), try server())
        let task = try upload(server.url(), lane)
        #expect(await eventually { lane.countWaiting == 1 })
        #expect(truncate(folder.file("source"), 100) == 0)
        lane.respond()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .cannotReadSource)
    }
}
