// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Foundation
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Many small uploads at once: those whose responses need no decision take no task. For clients they are like any
/// other.
@Suite(.timeLimit(.minutes(10))) struct PlainUploadTests {
    let stage: QueueStage
    var folder: TemporaryFolder { stage.folder }
    var queue: LocalQueue { stage.queue }

    init() throws { stage = try QueueStage { _ in Self.configuration } }

    private static var configuration: LocalQueue.Configuration {
        var configuration = LocalQueue.Configuration()
        configuration.limits = QueueLimits(concurrent: 4)
        configuration.jitter = { 0 }
        return configuration
    }

    private func specs(
        _ numbers: Range<Int>, _ server: ScriptedServer, _ change: (inout Upload) -> Void = { _ in }
    ) throws -> [Spec] {
        try numbers.map { number in
            var upload = Upload(
                source: .file(path: try folder.write(UploadedFiles.source(number), to: "\(number)")), resumption: .auto)
            change(&upload)
            return Spec(url: try TransferURL(server.url("/up/\(number)")), operation: .upload(upload))
        }
    }

    @Test(arguments: ["201 Created", "204 No Content", "200 OK"])
    func manySmallFilesAreSentWithOneRequestEach(_ status: String) async throws {
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                store.put(connection.receiveBody(of: head), UploadedFiles.number(head))
                if status.hasPrefix("204") {
                    connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                } else {
                    connection.answer(status, ["Location: /there"], body: Array("stored\n".utf8))
                }
            }
        }
        // The first one is empty, the last the largest one.
        var specs = try specs(0..<150, server)
        let largest = try folder.write(patternedBytes(65_536), to: "150")
        specs.append(
            Spec(url: try TransferURL(server.url("/up/150")), operation: .upload(Upload(source: .file(path: largest)))))
        let (ends, events) = try await stage.ends(of: specs)
        for (number, transfer) in ends.enumerated() {
            let bytes = number == 150 ? patternedBytes(65_536) : UploadedFiles.source(number)
            #expect(transfer.state == .completed)
            #expect(transfer.httpStatus == Int(status.prefix(3)))
            #expect(transfer.location == (status.hasPrefix("204") ? nil : "/there"))
            #expect(transfer.bytes == Int64(bytes.count) && transfer.total == transfer.bytes)
            #expect(transfer.confirmed == transfer.bytes)
            #expect(transfer.file == folder.file("\(number)"))
            #expect(transfer.metrics?.bodySent == Int64(bytes.count))
            #expect(transfer.metrics?.exchanges == 1)
            let transaction = try #require(transfer.metrics?.transactions.first)
            #expect(transaction.method == "PUT" && transaction.status == Int(status.prefix(3)))
            #expect(transaction.requestBodyBytes == Int64(bytes.count))
            #expect(transaction.requestBodyBytesSent == Int64(bytes.count))
            #expect(store.bytes[number] == bytes)
            let names = events.filter { $0.transfer.id == transfer.id }.map(\.name)
            #expect(names == [.queued, .started, .completed])
        }
        #expect(server.requests.count == 151)
        #expect(
            server.requests.allSatisfy {
                $0.hasPrefix("PUT /up/") && $0.contains("Content-Type: application/octet-stream")
                    && $0.contains("User-Agent: fileq/") && !$0.contains("Expect:") && !$0.contains("chunked")
            })
    }

    /// Whatever needs a decision is decided by a task, on the same request.
    @Test func responsesThatNeedADecisionGetOneWithoutAnotherRequest() async throws {
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let (number, isMoved) = (UploadedFiles.number(head), head.contains("/moved/"))
                let bytes = connection.receiveBody(of: head)
                switch number % 8 {
                case 0 where !isMoved:
                    connection.answer("307 Temporary Redirect", ["Location: /moved/\(number)"])
                    continue
                case 1: connection.answer("413 Content Too Large", body: Array("at most 1 byte".utf8))
                case 2:
                    connection.send("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
                case 3:
                    connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
                    connection.answer("201 Created")
                case 4 where store.count(number) == 0:
                    connection.answer("503 Service Unavailable", ["Retry-After: 1"])
                    store.note(number)
                    continue
                case 5: connection.answer("302 Found", ["Location: /page/\(number)"])
                case 6: connection.answer("412 Precondition Failed")
                default: connection.answer("201 Created")
                }
                store.put(bytes, number)
            }
        }
        let (ends, _) = try await stage.ends(of: specs(0..<64, server))
        for (number, transfer) in ends.enumerated() {
            switch number % 8 {
            case 1:
                #expect(transfer.state == .failed && transfer.httpStatus == 413)
                #expect(transfer.error?.message.contains("at most 1 byte") == true)
            case 5: #expect(transfer.state == .failed)
            case 6: #expect(transfer.state == .failed && transfer.httpStatus == 412)
            default:
                #expect(transfer.state == .completed, "\(number): \(transfer.error?.message ?? "")")
                #expect(store.bytes[number] == UploadedFiles.source(number), "\(number)")
                #expect(transfer.attempt == (number % 8 == 4 ? 2 : 1))
                if number % 8 != 4 { #expect(transfer.metrics?.exchanges == (number % 8 == 0 ? 2 : 1)) }
            }
        }
        #expect(server.requests.filter { $0.hasPrefix("PUT /up/") }.count == 64 + 8)
        #expect(server.requests.filter { $0.hasPrefix("PUT /moved/") }.count == 8)
    }

    @Test func aChallengeIsAnsweredByALogin() async throws {
        var configuration = Self.configuration
        configuration.asksUser = true
        let queue = LocalQueue(transport: try CurlTransport(), configuration: configuration)
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let bytes = connection.receiveBody(of: head)
                if UploadedFiles.number(head) == 3, !head.contains("Authorization: Basic") {
                    connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"r\""])
                } else {
                    store.put(bytes, UploadedFiles.number(head))
                    connection.answer("201 Created")
                }
            }
        }
        let updates = queue.updates()
        let ids = try await queue.add(specs(0..<12, server), paused: false)
        var known: [TransferID: Transfer] = [:]
        for await update in updates {
            guard case .events(let events) = update else { continue }
            for event in events { known[event.transfer.id] = event.transfer }
            if known[ids[3]]?.question != nil, known[ids[3]]?.state == .paused {
                try await queue.perform(.login(Credential(user: "a", password: "b"), .once), on: [ids[3]])
            }
            if known.count == 12, known.values.allSatisfy(\.state.isEnded) { break }
        }
        #expect(known.values.allSatisfy { $0.state == .completed })
        #expect(store.bytes[3] == UploadedFiles.source(3))
        await queue.shutDown()
    }

    @Test func missingFoldersAreCreated() async throws {
        let isThere = Atomic(false)
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let bytes = connection.receiveBody(of: head)
                if head.hasPrefix("MKCOL") {
                    connection.answer(isThere.exchange(true, ordering: .relaxed) ? "405 Exists" : "201 Created")
                } else if isThere.load(ordering: .relaxed) {
                    store.put(bytes, UploadedFiles.number(head))
                    connection.answer("201 Created")
                } else {
                    connection.answer("409 Conflict")
                }
            }
        }
        let (ends, _) = try await stage.ends(of: specs(0..<20, server) { $0.createsFolders = true })
        #expect(ends.allSatisfy { $0.state == .completed })
        for number in 0..<20 { #expect(store.bytes[number] == UploadedFiles.source(number)) }
    }

    // MARK: The files

    /// They are read when their requests begin.
    @Test func filesThatChangeBeforeTheirRequestsBegin() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let (number, bytes) = (UploadedFiles.number(head), connection.receiveBody(of: head))
                if number < 4 { gate.wait() }
                store.put(bytes, number)
                connection.answer("201 Created")
            }
        }
        let specs = try specs(0..<40, server)
        let updates = queue.updates()
        let ids = try await queue.add(specs, paused: false)
        try await stage.wait { known in known.values.filter { $0.state == .running }.count == 4 }
        try FileManager.default.removeItem(atPath: folder.file("20"))
        try folder.write([1, 2, 3], to: "21")
        try folder.write(patternedBytes(200_000), to: "22")
        try folder.write(Array(UploadedFiles.source(23).reversed()), to: "23")
        for _ in 0..<4 { gate.signal() }
        var ends: [TransferID: Transfer] = [:]
        for await update in updates {
            guard case .events(let events) = update else { continue }
            for event in events where event.transfer.state.isEnded { ends[event.transfer.id] = event.transfer }
            if ends.count == 40 { break }
        }
        #expect(ends[ids[20]]?.state == .failed)
        #expect(ends[ids[20]]?.error?.code == .cannotReadSource)
        for number in 0..<40 where number != 20 {
            let expected: [UInt8] =
                switch number {
                case 21: [1, 2, 3]
                case 22: patternedBytes(200_000)
                case 23: UploadedFiles.source(23).reversed()
                default: UploadedFiles.source(number)
                }
            #expect(ends[ids[number]]?.state == .completed)
            #expect(ends[ids[number]]?.total == Int64(expected.count))
            #expect(store.bytes[number] == expected)
        }
        #expect(server.requests.count == 39)
    }

    @Test func filesThatChangeMeanwhileFail() async throws {
        let folder = folder
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                _ = connection.receiveBody(of: head)
                if UploadedFiles.number(head) == 5 { _ = try? folder.write([9], to: "5") }
                connection.answer("201 Created")
            }
        }
        let (ends, _) = try await stage.ends(of: specs(0..<12, server))
        #expect(ends[5].state == .failed)
        #expect(ends[5].error?.code == .cannotReadSource)
        #expect(ends[5].error?.fields.variant == .sourceChanged)
        #expect(ends[5].httpStatus == 201)
        #expect(ends.filter { $0.state == .completed }.count == 11)
    }

    @Test func whatIsNoRegularFileIsLeftToARun() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                _ = connection.receiveBody(of: head)
                connection.answer("201 Created")
            }
        }
        var specs = try specs(0..<12, server)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("3"))
        let large = try folder.write(patternedBytes(300_000), to: "large")
        for (index, path) in [folder.file("link"), folder.path, folder.file("none"), large].enumerated() {
            specs.insert(
                Spec(
                    url: try TransferURL(server.url("/up/\(100 + index)")),
                    operation: .upload(Upload(source: .file(path: path)))), at: 5)
        }
        let (ends, _) = try await stage.ends(of: specs)
        // In the order of insertion: the last one is first.
        #expect(ends[5].state == .completed && ends[5].bytes == 300_000)
        #expect(ends[6].error?.code == .cannotReadSource && ends[7].error?.code == .cannotReadSource)
        #expect(ends[8].state == .completed && ends[8].bytes == Int64(UploadedFiles.source(3).count))
        #expect(ends.filter { $0.state == .completed }.count == 14)
    }

    /// Their size is 0, as that of an empty file, which is sent.
    @Test func filesOfTheKernelAreNotSentAsEmptyOnes() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                _ = connection.receiveBody(of: head)
                connection.answer("201 Created")
            }
        }
        let uploads = [
            Upload(source: .file(path: "/proc/cpuinfo"), resumption: .auto),
            Upload(source: .file(path: "/proc/cpuinfo"), form: .fileQ(FileQUpload(sid: "s"))),
            Upload(source: .file(path: try folder.write([], to: "empty")), resumption: .auto),
        ]
        let url = try TransferURL(server.url("/up/1"))
        let (ends, _) = try await stage.ends(of: uploads.map { Spec(url: url, operation: .upload($0)) })
        for end in ends[..<2] {
            #expect(end.error?.code == .cannotReadSource && end.error?.fields.variant == .sourceWithoutSize)
        }
        #expect(ends[2].state == .completed && ends[2].bytes == 0)
        #expect(server.requests.count == 1)
    }

    // MARK: Interruptions

    @Test func aBrokenConnectionIsRetriedAsAlways() async throws {
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let number = UploadedFiles.number(head)
                if [3, 7].contains(number), store.count(number) == 0 {
                    store.note(number)
                    _ = connection.readBody(number == 3 ? 10 : UploadedFiles.source(number).count)
                    return connection.reset()
                }
                store.put(connection.receiveBody(of: head), number)
                connection.answer("201 Created")
            }
        }
        let (ends, _) = try await stage.ends(of: specs(0..<12, server))
        #expect(ends.allSatisfy { $0.state == .completed })
        for number in 0..<12 { #expect(store.bytes[number] == UploadedFiles.source(number)) }
        // Sent again by libcurl, if the connection had been used before, or by another attempt.
        #expect(server.requests.count == 14)
    }

    @Test func aServerThatTakesItsTimeIsWaitedForByATask() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                store.put(connection.receiveBody(of: head), UploadedFiles.number(head))
                if UploadedFiles.number(head) == 2 { gate.wait() }
                connection.answer("201 Created")
            }
        }
        let updates = queue.updates()
        let ids = try await queue.add(specs(0..<12, server), paused: false)
        var ended: Set<TransferID> = []
        for await update in updates {
            guard case .events(let events) = update else { continue }
            for event in events {
                if event.transfer.state == .completed { ended.insert(event.transfer.id) }
                // A task reports what has been sent.
                if event.name == .progress, event.transfer.id == ids[2], event.transfer.bytes == 74 { gate.signal() }
            }
            if ended.count == ids.count { break }
        }
        #expect(store.bytes[2] == UploadedFiles.source(2))
        #expect(server.requests.count == 12)
    }

    @Test func pausedAndCancelledOnesStop() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let (number, bytes) = (UploadedFiles.number(head), connection.receiveBody(of: head))
                if [1, 2].contains(number), store.count(number) == 0 {
                    store.note(number)
                    gate.wait()
                    return
                }
                store.put(bytes, number)
                connection.answer("201 Created")
            }
        }
        let ids = try await queue.add(specs(0..<40, server), paused: false)
        try await stage.wait { known in known.values.filter { $0.state == .completed }.count == 38 }
        try await queue.perform(.pause, on: [ids[1]])
        try await queue.perform(.cancel(deletingPartial: true), on: [ids[2]])
        try await stage.wait { $0[ids[1]]?.state == .paused && $0[ids[2]]?.state == .cancelled }
        for _ in 0..<2 { gate.signal() }
        try await queue.perform(.resume, on: [ids[1]])
        try await stage.wait { $0[ids[1]]?.state == .completed }
        #expect(store.bytes[1] == UploadedFiles.source(1) && store.bytes[2] == nil)
        #expect(folder.exists("2"))
    }

    @Test func pausingAndMovingWhileTheyRunLosesNone() async throws {
        let store = UploadedFiles()
        let server = try store.server()
        let ids = try await queue.add(specs(0..<300, server), paused: false)
        for number in stride(from: 5, to: 300, by: 30) {
            try await queue.perform(.pause, on: [ids[number], ids[299 - number]])
            try await queue.perform(.move(.top), on: [ids[number + 1]])
            try await queue.setLimits(QueueLimits(concurrent: 2 + number % 5))
            try await queue.perform(.resume, on: [ids[number], ids[299 - number]])
        }
        try await stage.wait { known in known.count == 300 && known.values.allSatisfy { $0.state == .completed } }
        for number in 0..<300 { #expect(store.bytes[number] == UploadedFiles.source(number)) }
    }

    @Test func aQueueThatEndsCancelsAll() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.waitForClose() }
        }
        let updates = queue.updates()
        _ = try await queue.add(specs(0..<20, server), paused: false)
        try await stage.wait { known in known.values.contains { $0.state == .running } }
        await queue.shutDown()
        var states: [TransferID: TransferState] = [:]
        for await update in updates {
            if case .events(let events) = update {
                for event in events { states[event.transfer.id] = event.transfer.state }
            }
        }
        #expect(states.count == 20 && states.values.allSatisfy { $0 == .cancelled })
        #expect(folder.names.count == 20)
    }

    @Test func downloadsAndUploadsMix() async throws {
        let store = UploadedFiles()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("GET") {
                    connection.answer("200 OK", body: UploadedFiles.source(UploadedFiles.number(head)))
                } else {
                    store.put(connection.receiveBody(of: head), UploadedFiles.number(head))
                    connection.answer("201 Created")
                }
            }
        }
        var specs = try specs(0..<60, server)
        for number in stride(from: 1, to: 60, by: 2) {
            specs[number] = try stage.download(server.url("/down/\(number)"), name: "got-\(number)") { spec, download in
                download.syncs = false
                spec.options.retries = nil
            }
        }
        let (ends, _) = try await stage.ends(of: specs)
        #expect(ends.allSatisfy { $0.state == .completed })
        for number in 0..<60 {
            if number.isMultiple(of: 2) {
                #expect(store.bytes[number] == UploadedFiles.source(number))
            } else {
                #expect(try folder.read("got-\(number)") == UploadedFiles.source(number))
            }
        }
        #expect(server.requests.count == 60)
    }
}
