// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Many small downloads at once: those whose responses need no decision take no task. For clients they are like any
/// other.
@Suite(.timeLimit(.minutes(10))) struct FetchTests {
    let stage: QueueStage
    var folder: TemporaryFolder { stage.folder }
    var queue: LocalQueue { stage.queue }

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.limits = QueueLimits(concurrent: 4)
            configuration.jitter = { 0 }
            return configuration
        }
    }

    private static func body(_ path: String) -> [UInt8] { patternedBytes(path.count * 37, seed: UInt64(path.count)) }
    private static func path(_ head: String) -> String { String(head.split(separator: " ")[1]) }

    private func specs(
        _ count: Int, _ server: ScriptedServer, path: (Int) -> String = { "/small/\($0)" }
    ) throws -> [Spec] {
        try (0..<count).map { number in
            try stage.download(server.url(path(number)), name: "\(number)") { $1.syncs = false }
        }
    }

    @Test func manySmallFilesArriveWithTheirTimesAndOneRequestEach() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.answer(
                    "200 OK", ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], body: Self.body(Self.path(head)))
            }
        }
        let (ends, events) = try await stage.ends(of: specs(150, server))
        for (number, transfer) in ends.enumerated() {
            let body = Self.body("/small/\(number)")
            #expect(transfer.state == .completed)
            #expect(transfer.httpStatus == 200)
            #expect(transfer.bytes == Int64(body.count) && transfer.total == transfer.bytes)
            #expect(transfer.confirmed == transfer.bytes)
            #expect(transfer.file == folder.file("\(number)"))
            #expect(transfer.metrics?.bodyReceived == Int64(body.count))
            #expect(transfer.metrics?.exchanges == 1)
            #expect(transfer.metrics?.transactions.first?.status == 200)
            #expect(transfer.metrics?.transactions.first?.url == server.url("/small/\(number)"))
            #expect(try folder.read("\(number)") == body)
            #expect(FileTimes.modified(folder.file("\(number)")) == 784_111_777)
            let names = events.filter { $0.transfer.id == transfer.id }.map(\.name)
            #expect(names == [.queued, .started, .completed])
        }
        #expect(folder.names.count == 150)
        #expect(Set(server.requests.map(Self.path)).count == 150)
        #expect(server.requests.count == 150)
        #expect(
            server.requests.allSatisfy { $0.contains("Accept-Encoding: identity") && $0.contains("User-Agent: fileq/") }
        )
    }

    /// Whatever needs a decision is decided by a task, on the same request.
    @Test func responsesThatNeedADecisionGetOneWithoutAnotherRequest() async throws {
        let large = patternedBytes(200_000)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let path = Self.path(head)
                switch Int(path.split(separator: "/").last ?? "").map({ $0 % 8 }) {
                case 0 where path.hasPrefix("/small"): connection.answer("302 Found", ["Location: /moved\(path)"])
                case 1: connection.answer("404 Not Found", body: Array("nothing here".utf8))
                case 2:
                    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
                case 3: connection.answer("200 OK", ["ETag: \"1\""], body: large)
                case 4:
                    connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
                    connection.answer("200 OK", body: [1, 2, 3])
                case 5: connection.answer("200 OK", ["Content-Encoding: gzip"], body: [4, 5])
                case 6: connection.answer("200 OK")
                default: connection.answer("200 OK", body: Self.body(path))
                }
            }
        }
        let (ends, _) = try await stage.ends(of: specs(64, server))
        for (number, transfer) in ends.enumerated() {
            guard number % 8 != 1 else {
                #expect(transfer.state == .failed)
                #expect(transfer.error?.code == .httpStatus)
                #expect(transfer.error?.message.contains("nothing here") == true)
                continue
            }
            #expect(transfer.state == .completed, "\(number): \(transfer.error?.message ?? "")")
            let expected: [UInt8] =
                switch number % 8 {
                case 0: Self.body("/moved/small/\(number)")
                case 2: Array("hello".utf8)
                case 3: large
                case 4: [1, 2, 3]
                case 5: [4, 5]
                case 6: []
                default: Self.body("/small/\(number)")
                }
            #expect(try folder.read("\(number)") == expected)
            #expect(transfer.metrics?.exchanges == (number % 8 == 0 ? 2 : 1))
        }
        #expect(server.requests.count == 64 + 8)
        #expect(folder.names.count == 56)
    }

    @Test func aBrokenConnectionIsRetriedAsAlways() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let isFirst = Self.path(head) == "/small/3" && !head.contains("Range:")
                if isFirst {
                    connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 1000\r\n\r\n")
                    connection.send(Array(patternedBytes(1000)[..<400]))
                    return
                }
                if Self.path(head) == "/small/3" {
                    #expect(head.contains("Range: bytes=400-"))
                    connection.answer(
                        "206 Partial Content", ["ETag: \"1\"", "Content-Range: bytes 400-999/1000"],
                        body: Array(patternedBytes(1000)[400...]))
                } else {
                    connection.answer("200 OK", body: Self.body(Self.path(head)))
                }
            }
        }
        let (ends, _) = try await stage.ends(of: specs(12, server))
        #expect(ends.allSatisfy { $0.state == .completed })
        #expect(ends[3].attempt == 2)
        #expect(ends[3].metrics?.resumedFrom == 400)
        #expect(try folder.read("3") == patternedBytes(1000))
        #expect(folder.names.count == 12)
    }

    @Test func aServerThatTakesItsTimeIsWaitedForByATask() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let path = Self.path(head)
                if path == "/small/2" { gate.wait() }
                if path == "/small/5" {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
                    gate.wait()
                    connection.send("def")
                } else {
                    connection.answer("200 OK", body: Self.body(path))
                }
            }
        }
        let updates = queue.updates()
        let ids = try await queue.add(specs(12, server), paused: false)
        var ended: Set<TransferID> = []
        for await update in updates {
            guard case .events(let events) = update else { continue }
            for event in events {
                if event.transfer.state == .completed { ended.insert(event.transfer.id) }
                // A task reports what has come.
                if event.name == .progress, event.transfer.id == ids[5], event.transfer.bytes == 3 {
                    gate.signal()
                    gate.signal()
                }
            }
            if ended.count == ids.count { break }
        }
        #expect(try folder.read("2") == Self.body("/small/2"))
        #expect(try folder.read("5") == Array("abcdef".utf8))
        #expect(server.requests.count == 12)
    }

    @Test func existingFilesStayAndCostNoRequest() async throws {
        try folder.write([1, 2, 3], to: "2")
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() { connection.answer("200 OK", body: Self.body(Self.path(head))) }
        }
        let (ends, _) = try await stage.ends(of: specs(8, server))
        #expect(ends[2].error?.code == .destinationExists)
        #expect(try folder.read("2") == [1, 2, 3])
        #expect(ends.filter { $0.state == .completed }.count == 7)
        #expect(server.requests.count == 7)
    }

    @Test func aNameThatIsTakenMeanwhileIsNotReplaced() async throws {
        let folder = folder
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if Self.path(head) == "/small/4" { _ = try? folder.write([7], to: "4") }
                connection.answer("200 OK", body: Self.body(Self.path(head)))
            }
        }
        let (ends, _) = try await stage.ends(of: specs(8, server))
        #expect(ends[4].error?.code == .destinationExists)
        #expect(try folder.read("4") == [7])
        #expect(folder.names.count == 8)
    }

    @Test func neverMoreRunThanMay() async throws {
        let running = Mutex((now: 0, most: 0))
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                let path = Self.path(head)
                let isOther = path.hasSuffix("7")
                running.withLock { $0.now -= 1 }
                connection.answer(isOther ? "404 Not Found" : "200 OK", body: Self.body(path))
            }
        }
        let (ends, events) = try await stage.ends(of: specs(100, server))
        #expect(ends.filter { $0.state == .completed }.count == 90)
        #expect(running.withLock { $0.most } <= 4)
        var states: [TransferID: TransferState] = [:]
        for event in events {
            states[event.transfer.id] = event.transfer.state
            #expect(states.values.filter { $0 == .running }.count <= 4)
        }
    }

    @Test func pausedAndCancelledOnesStop() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if Self.path(head) == "/small/1" || Self.path(head) == "/small/2" { gate.wait() }
                connection.answer("200 OK", body: Self.body(Self.path(head)))
            }
        }
        let ids = try await queue.add(specs(40, server), paused: false)
        try await stage.wait { known in known.values.filter { $0.state == .completed }.count == 38 }
        try await queue.perform(.pause, on: [ids[1]])
        try await queue.perform(.cancel(deletingPartial: true), on: [ids[2]])
        try await stage.wait { $0[ids[1]]?.state == .paused && $0[ids[2]]?.state == .cancelled }
        for _ in 0..<4 { gate.signal() }
        try await queue.perform(.resume, on: [ids[1]])
        try await stage.wait { $0[ids[1]]?.state == .completed }
        #expect(try folder.read("1") == Self.body("/small/1"))
        #expect(!folder.names.contains { $0.hasPrefix("2.") || $0 == "2" })
    }

    @Test func pausingAndMovingWhileTheyRunLosesNone() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() { connection.answer("200 OK", body: Self.body(Self.path(head))) }
        }
        let ids = try await queue.add(specs(300, server), paused: false)
        for number in stride(from: 5, to: 300, by: 30) {
            try await queue.perform(.pause, on: [ids[number], ids[299 - number]])
            try await queue.perform(.move(.top), on: [ids[number + 1]])
            try await queue.setLimits(QueueLimits(concurrent: 2 + number % 5))
            try await queue.perform(.resume, on: [ids[number], ids[299 - number]])
        }
        try await stage.wait { known in
            known.count == 300 && known.values.allSatisfy { $0.state == .completed }
        }
        for number in 0..<300 { #expect(try folder.read("\(number)") == Self.body("/small/\(number)")) }
        #expect(folder.names.count == 300)
    }

    @Test func aQueueThatEndsLeavesNothingBehind() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.waitForClose() }
        }
        let updates = queue.updates()
        _ = try await queue.add(specs(20, server), paused: false)
        try await stage.wait { known in known.values.contains { $0.state == .running } }
        await queue.shutDown()
        var states: [TransferID: TransferState] = [:]
        for await update in updates {
            if case .events(let events) = update {
                for event in events { states[event.transfer.id] = event.transfer.state }
            }
        }
        #expect(states.count == 20 && states.values.allSatisfy { $0 == .cancelled })
        #expect(folder.names.isEmpty)
    }

    @Test func proposedNamesOfOneRunDoNotMeet() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let fields = Self.path(head) == "/a/5" ? ["Content-Disposition: attachment; filename=\"0\""] : []
                connection.answer("200 OK", fields, body: Self.body(Self.path(head)))
            }
        }
        let specs = try (0..<8).map { number in
            var download = Download(destination: .folder(path: folder.path, name: "\(number)"), syncs: false)
            download.existing = .fails
            return Spec(url: try TransferURL(server.url("/a/\(number)")), operation: .download(download))
        }
        let (ends, _) = try await stage.ends(of: specs)
        #expect(ends[5].state == .failed)
        #expect(ends.filter { $0.state == .completed }.count == 7)
        #expect(try folder.read("0") == Self.body("/a/0"))
    }
}
