// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Questions that an earlier process asked, answered in this one.
@Suite(.timeLimit(.minutes(10))) struct ConsentAfterRestartTests {
    private static let alice = Credential(user: "alice", password: "secret")

    private func guardedServer() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let isRight = head.contains("Authorization: Basic YWxpY2U6c2VjcmV0")
                connection.answer(
                    isRight ? "200 OK" : "401 Unauthorized", isRight ? [] : ["WWW-Authenticate: Basic realm=\"r\""])
            }
        }
    }

    /// Two transfers that ask for a login, before and after a restart of the queue.
    private func restarted(_ server: ScriptedServer) async throws -> (DurableStage, [TransferID]) {
        let stage = try DurableStage(asksUser: true)
        let ids = try await stage.queue.add(
            ["a", "b"].map { try stage.download(server.url("/\($0)"), name: $0) }, paused: false)
        var asked: [ConsentQuestion?] = []
        for id in ids { asked.append(try await stage.wait(for: id) { $0.question != nil }.question) }
        try await stage.reopen()
        let transfers = try await stage.queue.snapshot().transfers
        #expect(transfers.map(\.state) == [.paused, .paused])
        #expect(transfers.map(\.question) == asked)
        return (stage, ids)
    }

    @Test func aLoginAnswersAllThatAskedForIt() async throws {
        let server = try guardedServer()
        let (stage, ids) = try await restarted(server)
        try await stage.queue.perform(.login(Credential(user: "alice", password: "wrong"), .once), on: [ids[0]])
        // The second one sends it too, or asks as if nothing had failed: the failure of the first has dropped it.
        var hasFailed = false
        for id in ids {
            let asking = try await stage.wait(for: id) { $0.state == .paused && $0.question != nil }
            if case .login(let login)? = asking.question { hasFailed = hasFailed || login.hasFailed }
        }
        #expect(hasFailed)
        try await stage.queue.perform(.login(Self.alice, .once), on: [ids[1]])
        for id in ids { #expect(try await stage.end(of: id).state == .completed) }
        await stage.queue.shutDown()
    }

    @Test func anAnswerInAHeldQueueStartsNothing() async throws {
        let server = try guardedServer()
        let (stage, ids) = try await restarted(server)
        try await stage.queue.setHeld(true)
        let before = server.requests.count
        try await stage.queue.perform(.login(Self.alice, .once), on: [ids[0]])
        let held = try await stage.queue.snapshot().transfers
        #expect(held.allSatisfy { $0.state == .paused && $0.pausedBy == .queue && $0.question == nil }, "\(held)")
        #expect(server.requests.count == before)
        try await stage.queue.setHeld(false)
        for id in ids { #expect(try await stage.end(of: id).state == .completed) }
        await stage.queue.shutDown()
    }

    @Test func decliningFailsAllThatAsked() async throws {
        let server = try guardedServer()
        let (stage, ids) = try await restarted(server)
        try await stage.queue.perform(.decline(), on: [ids[0]])
        let host = "127.0.0.1:\(server.port)"
        for id in ids {
            let error = try #require(try await stage.end(of: id).error)
            #expect(error.code == .loginDenied && error.message == "\(host): login declined (r)")
            #expect(error.fields.variant == .loginDeclined && error.fields.host == host && error.fields.status == 401)
        }
        // A retry asks again.
        try await stage.queue.perform(.retry, on: [ids[0]])
        try await stage.wait(for: ids[0]) { $0.state == .paused && $0.question != nil }
        await stage.queue.shutDown()
    }

    /// A process that was killed after it stored the key, or another program, has accepted it.
    @Test(arguments: [false, true]) func whatIsAcceptedIsNotAskedAgain(_ isHeld: Bool) async throws {
        let folder = try TemporaryFolder()
        func open() throws -> DurableQueue {
            var (session, configuration) = (TransferConfiguration(), LocalQueue.Configuration())
            session.proxy = .none
            session.trustStore = try TrustStore(file: folder.file("keys"))
            configuration.asksUser = true
            return try DurableQueue(
                store: try TransferStore(folder: folder.file("state"), time: 0),
                transport: FakeTransport(ConsentTests.unknownServer()), configuration: configuration, session: session)
        }
        func wait(_ queue: DurableQueue, _ isRight: @escaping ([Transfer]) -> Bool) async throws {
            let found = await polled { (try? await queue.snapshot().transfers).map(isRight) ?? false }
            let transfers = try await queue.snapshot().transfers
            try #require(found, "\(transfers)")
        }
        let queue = try open()
        let specs = try ["a", "b"].map { name in
            let destination = Download.Destination.file(path: folder.file(name))
            return Spec(
                url: try TransferURL("https://a.test/\(name)"),
                operation: .download(Download(destination: destination)))
        }
        _ = try await queue.add(specs, paused: false)
        try await wait(queue) { $0.count == 2 && $0.allSatisfy { $0.question != nil } }
        if isHeld { try await queue.setHeld(true) }
        await queue.shutDown()
        let key = try #require(Fingerprint([UInt8](repeating: 7, count: 32)))
        try TrustStore(file: folder.file("keys")).accept(
            TrustedKey(host: "a.test", port: 443, publicKey: key), persistence: .permanent)
        let next = try open()
        if isHeld {
            let held = try await next.snapshot().transfers
            #expect(held.allSatisfy { $0.pausedBy == .queue && $0.question == nil }, "\(held)")
            try await next.setHeld(false)
        }
        try await wait(next) { $0.allSatisfy { $0.state == .completed } }
        await next.shutDown()
    }

    @Test func resumingAsksAgain() async throws {
        let server = try guardedServer()
        let (stage, ids) = try await restarted(server)
        let before = server.requests.count
        try await stage.queue.perform(.resume, on: ids)
        try await stage.wait(for: ids[0]) {
            $0.state == .paused && $0.question != nil && server.requests.count > before
        }
        await stage.queue.shutDown()
    }
}
