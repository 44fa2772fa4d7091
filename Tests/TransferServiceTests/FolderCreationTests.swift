// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Foundation
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Folders that several uploads need, and servers that create none where they say so.
@Suite(.timeLimit(.minutes(10))) struct FolderCreationTests {
    let stage: QueueStage

    init() throws {
        var configuration = LocalQueue.Configuration()
        configuration.limits = QueueLimits(concurrent: 4)
        configuration.jitter = { 0 }
        stage = try QueueStage { _ in configuration }
    }

    private func upload(_ url: String, _ name: String = "source") throws -> Spec {
        let path = try stage.folder.write([1, 2, 3], to: name)
        return Spec(
            url: try TransferURL(url),
            operation: .upload(Upload(source: .file(path: path), form: .put, createsFolders: true)))
    }

    // MARK: The steps

    private static let refusal = FolderCreation.Refusal(
        error: TransferError(.httpStatus, "refused"), status: 409, retryAfter: nil, isAfterWholeBody: true)

    private func creation(_ path: String, isDownward: Bool = false) throws -> FolderCreation {
        try #require(
            FolderCreation(
                for: TransferURL("http://h\(path)"), after: Self.refusal, isDownward: isDownward))
    }

    private func make(_ path: String) throws -> FolderCreation.Step { .make(try TransferURL("http://h\(path)")) }

    @Test func beginsWithTheFilesOwnFolder() throws {
        var creation = try creation("/a/b/c")
        #expect(try creation.first == make("/a/b/"))
        #expect(creation.answered(201) == .finish)
        #expect(creation.hasOnlyOwn)
    }

    @Test func doubtsNoFolderThatWasCreatedAfterOthers() throws {
        var creation = try creation("/a/b/c")
        #expect(try creation.answered(409) == make("/a/"))
        #expect(try creation.answered(201) == make("/a/b/"))
        #expect(creation.answered(201) == .finish)
        #expect(!creation.hasOnlyOwn)
        var single = try self.creation("/a/c")
        #expect(single.answered(201) == .finish)
        #expect(!single.hasOnlyOwn)
    }

    @Test func beginsWithTheOutermostThen() throws {
        var creation = try creation("/a/b/c", isDownward: true)
        #expect(try creation.first == make("/a/"))
        #expect(try creation.answered(405) == make("/a/b/"))
        #expect(creation.answered(201) == .finish)
        #expect(!creation.hasOnlyOwn)
    }

    // MARK: Servers

    /// Without a length, and over TLS without close_notify: what was created is not requested again.
    @Test(arguments: [false, true]) func theHeadOfAResponseIsEnough(_ isTus: Bool) async throws {
        var cut = ExchangeFailure(.transport(.partialFile))
        cut.problem = .init(.withoutCloseNotify)
        let failure = cut
        let transport = FakeTransport { exchange, number in
            var answer: FakeTransport.Answer =
                switch exchange.method {
                case .options: .init(204, [.tusResumable: "1.0.0", .tusVersion: "1.0.0", .tusExtension: "creation"])
                case .post: .init(201, [.tusResumable: "1.0.0", .location: "/u"])
                case .patch: .init(204, [.tusResumable: "1.0.0", .uploadOffset: "3"])
                default: .init(number == 1 ? 409 : 201)
                }
            // Nothing of a body that fails would be sent.
            if exchange.method != .put { answer.failure = failure }
            return answer
        }
        let queue = LocalQueue(transport: transport, scheduler: ManualScheduler())
        var spec = try upload("http://a.test/folder/file")
        if isTus {
            let source = Upload.Source.file(path: stage.folder.file("source"))
            spec.operation = .upload(Upload(source: source, form: .put, resumption: .tus))
        }
        _ = try await queue.add([spec], paused: false)
        try await queue.transfers { $0.values.allSatisfy { [.completed, .retrying, .failed].contains($0.state) } }
        let ended = try await queue.snapshot().transfers.first
        // This transport sends nothing of a file's body.
        #expect(ended?.state == .completed || !isTus, "\(ended?.error as Any)")
        let methods = transport.exchanges.map(\.method.rawValue)
        #expect(methods == (isTus ? ["OPTIONS", "POST", "PATCH"] : ["PUT", "MKCOL", "PUT"]))
        await queue.shutDown()
    }

    @Test func aFolderThatWasNotCreatedIsRequestedWithThoseAboveIt() async throws {
        let folders = Mutex<Set<String>>(["/dav/"])
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let path = String(head.split(separator: " ")[1])
                let isThere = folders.withLock { folders in
                    let hasParent = folders.contains(parent(of: path))
                    if hasParent, head.hasPrefix("MKCOL") { folders.insert(path) }
                    return hasParent
                }
                connection.answer(isThere || head.hasPrefix("MKCOL") ? "201 Created" : "409 Conflict")
            }
        }
        let result = try await stage.end(of: upload(dav.url("/dav/a/b/c.bin")))
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(
            dav.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "PUT /dav/a/b/c.bin", "MKCOL /dav/a/b/", "PUT /dav/a/b/c.bin",
                "MKCOL /dav/", "MKCOL /dav/a/", "MKCOL /dav/a/b/", "PUT /dav/a/b/c.bin",
            ])
    }

    /// The first request for a folder gets its response when another file was refused, which needs the same folder.
    @Test func oneUploadAtATimeRequestsAFolder() async throws {
        let state = Mutex((folders: Set(["/dav/"]), underWay: Set<String>(), hasOverlap: false))
        let refused = DispatchSemaphore(value: 0)
        let hasWaited = Atomic(false)
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let path = String(head.split(separator: " ")[1])
                guard head.hasPrefix("MKCOL") else {
                    let isThere = state.withLock { $0.folders.contains(parent(of: path)) }
                    connection.answer(isThere ? "201 Created" : "409 Conflict")
                    if !isThere { refused.signal() }
                    continue
                }
                let isSecond = state.withLock { state in
                    let isSecond = !state.underWay.insert(path).inserted
                    if isSecond { state.hasOverlap = true }
                    return isSecond
                }
                // As mod_dav does.
                if isSecond {
                    connection.answer("403 Forbidden")
                    continue
                }
                if !hasWaited.exchange(true, ordering: .relaxed) { for _ in 0..<2 { refused.wait() } }
                let status = state.withLock { state in
                    state.underWay.remove(path)
                    guard state.folders.contains(parent(of: path)) else { return "409 Conflict" }
                    return state.folders.insert(path).inserted ? "201 Created" : "405 Method Not Allowed"
                }
                connection.answer(status)
            }
        }
        let specs = try (0..<12).map { try upload(dav.url("/dav/a/\($0 % 3)/\($0).bin"), "\($0)") }
        let (ends, _) = try await stage.ends(of: specs)
        #expect(ends.allSatisfy { $0.state == .completed }, "\(ends.compactMap(\.error))")
        let hasOverlap = state.withLock { $0.hasOverlap }
        #expect(!hasOverlap)
    }

    @Test func noUploadWaitsForOneThatIsPaused() async throws {
        let (requests, log) = AsyncStream.makeStream(of: String.self)
        let second = DispatchSemaphore(value: 0)
        let made = Atomic<Int>(0)
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let isFolder = head.hasPrefix("MKCOL")
                let number = isFolder ? made.add(1, ordering: .relaxed).newValue : 0
                log.yield(head.split(separator: " ").prefix(2).joined(separator: " "))
                if number == 1 { second.wait() }
                if number == 2 { second.signal() }
                let isThere = isFolder || made.load(ordering: .relaxed) >= 2
                connection.answer(number == 1 ? "405 Exists" : isThere ? "201 Created" : "409 Conflict")
            }
        }
        var next = requests.makeAsyncIterator()
        let updates = stage.queue.updates()
        let one = try await stage.queue.add([upload(dav.url("/a/1"), "1")], paused: false)
        #expect(await next.next() == "PUT /a/1")
        #expect(await next.next() == "MKCOL /a/")
        let other = try await stage.queue.add([upload(dav.url("/a/2"), "2")], paused: false)
        #expect(await next.next() == "PUT /a/2")
        try await stage.queue.perform(.pause, on: one)
        #expect(await next.next() == "MKCOL /a/")
        #expect(await next.next() == "PUT /a/2")
        try await stage.queue.perform(.resume, on: one)
        var ended: Set<TransferID> = []
        for await update in updates {
            guard case .events(let events) = update else { continue }
            ended.formUnion(events.filter { $0.transfer.state == .completed }.map(\.transfer.id))
            if ended == Set(one + other) { break }
        }
    }
}

/// The folder of a file or folder.
private func parent(of path: String) -> String {
    path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/"
}
