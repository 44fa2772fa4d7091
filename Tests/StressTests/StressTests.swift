// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Many tasks under rough treatment: nothing crashes, nothing leaks, each delegate gets exactly one end. Also run under
/// the thread and the address sanitizer: Tests/Sanitizers/run.
@Suite(.serialized) struct StressTests {
    /// Counts ends, and does what no delegate should.
    private final class Rude: TransferDataDelegate, TransferDownloadDelegate, TransferResponseDelegate,
        TransferRedirectDelegate
    {
        let ends = Mutex<[Int: Int]>([:])

        func session(
            _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
            answer: @escaping @Sendable (ResponseDisposition) -> Void
        ) {
            switch task.identifier % 5 {
            case 0: break
            case 1: answer(.cancel)
            case 2: answer(.becomeDownload)
            default:
                answer(.allow)
                answer(.cancel)
            }
        }

        func session(
            _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
            answer: @escaping @Sendable (Redirect?) -> Void
        ) {
            if task.identifier % 3 == 0 { task.cancel() }
            answer(task.identifier % 2 == 0 ? redirect : nil)
        }

        func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
            if task.identifier % 7 == 0 { task.cancel() }
            task.resume()
        }

        func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
            ends.withLock { $0[task.identifier, default: 0] += 1 }
            task.resume()
            task.cancel()
        }
    }

    private static let count = 10_000

    private func abuse(_ tasks: [TransferTask]) {
        DispatchQueue.concurrentPerform(iterations: tasks.count) { index in
            let task = tasks[index]
            var dice = Dice(UInt64(index))
            for _ in 0..<dice.next(6) {
                switch dice.next(8) {
                case 0: task.suspend()
                case 1: task.priority = Double(dice.next(100)) / 100
                case 2: task.setRateLimit(1 << 20)
                case 3: if let download = task as? DownloadTask { download.cancel { _ in } }
                case 4: task.cancel()
                default: task.resume()
                }
            }
        }
    }

    private func make(_ number: Int, _ session: TransferSession, _ base: String) throws -> TransferTask {
        var options = TransferOptions()
        options.usesNetrc = false
        let request = TransferRequest(
            url: try TransferURL("\(base)/\(number % 4 == 0 ? "redirect" : "file")"), options: options)
        switch number % 3 {
        case 0: return session.dataTask(with: request)
        case 1: return session.downloadTask(with: request)
        default:
            return session.uploadTask(
                with: TransferRequest(url: request.url, method: .put, options: options),
                body: .bytes([1, 2, 3]))
        }
    }

    private static func answer(_ path: String) -> FakeTransport.Answer {
        if path == "/redirect" { return .init(302, [.location: "/file"]) }
        return .init(200, [.eTag: "\"v\"", .contentLength: "3"], body: [1, 2, 3])
    }

    @Test func tenThousandTasksOnAFakeTransport() async throws {
        let rude = Rude()
        weak var released: TransferSession?
        do {
            let transport = FakeTransport(executor: QueueExecutor(label: "fileq.testing.executor")) { exchange, _ in
                Self.answer(exchange.url.path)
            }
            let session = TransferSession(configuration: configuration, transport: transport, delegate: rude)
            released = session
            let tasks = try (0..<Self.count).map { try make($0, session, "http://h\($0 % 50).test") }
            abuse(tasks)
            session.invalidateAndCancel()
            #expect(await eventually(within: 60) { session.tasks.isEmpty })
            #expect(rude.ends.withLock { $0.count } == Self.count)
            #expect(rude.ends.withLock { $0.values.allSatisfy { $0 == 1 } })
            #expect(await eventually { transport.countUnderWay == 0 })
        }
        #expect(await eventually { released == nil })
    }

    @Test func aThousandTasksOnTheRealTransport() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("PUT") { _ = connection.readBody(3) }
                if head.contains("/redirect ") {
                    connection.answer("302 Found", ["Location: /file"])
                } else {
                    connection.answer("200 OK", ["ETag: \"v\""], body: [1, 2, 3])
                }
            }
        }
        let descriptors = Self.openDescriptors
        let rude = Rude()
        weak var released: TransferSession?
        do {
            let session = TransferSession(configuration: configuration, transport: try CurlTransport(), delegate: rude)
            released = session
            let tasks = try (0..<1000).map { try make($0, session, "http://127.0.0.1:\(server.port)") }
            abuse(tasks)
            session.invalidateAndCancel()
            #expect(await eventually(within: 60) { session.tasks.isEmpty })
            #expect(rude.ends.withLock { $0.count } == 1000)
            #expect(rude.ends.withLock { $0.values.allSatisfy { $0 == 1 } })
        }
        #expect(await eventually { released == nil })
        server.stop()
        #expect(await eventually { Self.openDescriptors <= descriptors })
    }

    private var configuration: TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        return configuration
    }

    private static var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// Random enough, and the same in every run.
private struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = (seed + 1) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
