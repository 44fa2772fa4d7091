// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// What people are asked, and what their answers lead to, on a network that only pretends.
@Suite(.timeLimit(.minutes(10))) struct ConsentTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func queue(
        asks: Bool = true, storage: CredentialStorage? = nil, trustStore: TrustStore? = nil,
        _ answer: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
    ) -> LocalQueue {
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = asks
        var session = TransferConfiguration()
        session.proxy = .none
        session.credentialStorage = storage
        session.trustStore = trustStore
        return LocalQueue(transport: FakeTransport(answer), configuration: configuration, session: session)
    }

    private func download(_ url: String, _ name: String, _ credential: Credential? = nil) throws -> Spec {
        var description = Spec(
            url: try TransferURL(url),
            operation: .download(.init(destination: .file(path: folder.file(name)))))
        description.options.credential = credential
        return description
    }

    /// Waits until all transfers are as they should be.
    private func waitForTransfers(
        _ queue: LocalQueue, _ isRight: ([Transfer]) -> Bool
    ) async throws -> [Transfer] {
        for _ in 0..<1000 {
            let transfers = try await queue.snapshot().transfers
            if isRight(transfers) { return transfers }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("\(try await queue.snapshot().transfers)")
        return []
    }

    /// A server that the system does not trust.
    static func unknownServer(key: UInt8 = 7) -> @Sendable (Exchange, Int) -> FakeTransport.Answer {
        { exchange, _ in
            switch exchange.trust {
            case .exception(let accepted):
                accepted == [UInt8](repeating: key, count: 32)
                    ? .init(200, body: Array("in".utf8))
                    : .init(failure: .init(.transport(.pinMismatch)))
            case .capture:
                .init(
                    failure: .init(
                        .trustUndecided(
                            ServerTrust(
                                host: exchange.url.host, port: exchange.url.port,
                                chain: [
                                    CertificateSummary(
                                        subject: "CN=x", sha256: [UInt8](repeating: 9, count: 32),
                                        publicKeySHA256: [UInt8](repeating: key, count: 32))
                                ]))))
            default:
                .init(
                    failure: .init(
                        .transport(.certificateUntrusted), detail: "SSL certificate problem: self-signed certificate",
                        certificate: .selfSigned))
            }
        }
    }

    @Test func oneTrustAnswerAppliesToAll() async throws {
        let queue = queue(Self.unknownServer())
        let ids = try await queue.add(["a", "b"].map { try download("https://a.test/\($0)", $0) }, paused: false)
        let asking = try await waitForTransfers(queue) { $0.allSatisfy { $0.question != nil } }
        #expect(asking.allSatisfy { $0.state == .paused && $0.error == nil })
        #expect(
            asking.first?.note == asking.first?.question.map(TransferNote.question))
        let trust = try #require({ if case .trust(let trust)? = asking.first?.question { trust } else { nil } }())
        #expect(trust.publicKeySHA256 == [UInt8](repeating: 7, count: 32) && trust.subject == "CN=x")
        try await queue.perform(.trust(.once), on: [ids[0]])
        let done = try await waitForTransfers(queue) { $0.allSatisfy { $0.state.isEnded } }
        #expect(done.allSatisfy { $0.state == .completed && $0.question == nil })
        // Later transfers are not asked again.
        _ = try await queue.add([download("https://a.test/c", "c")], paused: false)
        #expect(try await waitForTransfers(queue) { $0.allSatisfy { $0.state.isEnded } }.last?.state == .completed)
        await queue.shutDown()
    }

    @Test(arguments: ConsentPersistence.allCases)
    func anAnswerInAHeldQueueWaitsForItsRelease(_ persistence: ConsentPersistence) async throws {
        let queue = queue(Self.unknownServer())
        let ids = try await queue.add([download("https://a.test/a", "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil }
        try await queue.setHeld(true)
        try await queue.perform(.trust(persistence), on: ids)
        #expect(try await queue.snapshot().transfers.map(\.pausedBy) == [.queue])
        try await queue.setHeld(false)
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        await queue.shutDown()
    }

    /// Another process that changes the file of trusted keys delays the answer, and nothing else.
    @Test func respondsWhileTheFileOfKeysIsLocked() async throws {
        let file = folder.file("trusted-keys")
        let queue = queue(trustStore: try TrustStore(file: file, patience: 3600), Self.unknownServer())
        let ids = try await queue.add([download("https://a.test/a", "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil }
        let lock = open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        async let stored: Void = queue.perform(.trust(.always), on: ids)
        for _ in 0..<20 {
            #expect(try await queue.snapshot().transfers.first?.state == .paused)
            try await Task.sleep(for: .milliseconds(5))
        }
        flock(lock, LOCK_UN)
        try await stored
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        #expect(try TrustStore(file: file).all.map(\.host) == ["a.test"])
        await queue.shutDown()
    }

    @Test func decliningFailsAllUntilARetry() async throws {
        let queue = queue(Self.unknownServer())
        let ids = try await queue.add([download("https://a.test/a", "a")], paused: false)
        let asking = try await waitForTransfers(queue) { $0[0].question != nil }
        try await queue.perform(.decline(to: asking.first?.question), on: ids)
        _ = try await queue.add([download("https://a.test/b", "b")], paused: false)
        let failed = try await waitForTransfers(queue) { $0.allSatisfy { $0.state.isEnded } }
        #expect(
            failed.allSatisfy { $0.state == .failed && $0.error?.code == .certificateUntrusted && $0.question == nil })
        #expect(
            failed.allSatisfy {
                $0.error?.message == "a.test:443: certificate rejected: self-signed certificate"
                    && $0.error?.fields.variant == .trustDeclined && $0.error?.fields.certificate == .selfSigned
            })
        try await queue.perform(.retry, on: ids)
        #expect(try await waitForTransfers(queue) { $0[0].question != nil }.first?.state == .paused)
        await queue.shutDown()
    }

    /// The transfer asks something else by the time at which the user answers.
    @Test func anAnswerToAnotherQuestionIsSkipped() async throws {
        let queue = queue(Self.unknownServer())
        let ids = try await queue.add([download("https://a.test/a", "a")], paused: false)
        let question = try #require(try await waitForTransfers(queue) { $0[0].question != nil }.first?.question)
        guard case .trust(var other) = question else {
            Issue.record("\(question)")
            return
        }
        other.publicKeySHA256 = [UInt8](repeating: 8, count: 32)
        for persistence in ConsentPersistence.allCases {
            try await queue.perform(.trust(persistence, to: .trust(other)), on: ids)
        }
        try await queue.perform(.login(Self.alice, .once, to: .trust(other)), on: ids)
        try await queue.perform(.decline(to: .trust(other)), on: ids)
        #expect(try await queue.snapshot().transfers.map(\.question) == [question])
        try await queue.perform(.trust(.once, to: question), on: ids)
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        await queue.shutDown()
    }

    @Test func aLoginForAnotherServerIsNotSent() async throws {
        let queue = queue { exchange, _ in
            #expect(exchange.authentication == .none)
            return .init(401, [.wwwAuthenticate: "Basic realm=\"r\""])
        }
        let ids = try await queue.add([download("http://b.test/a", "a")], paused: false)
        let question = try #require(try await waitForTransfers(queue) { $0[0].question != nil }.first?.question)
        guard case .login(var other) = question else {
            Issue.record("\(question)")
            return
        }
        other.host = "a.test"
        try await queue.perform(.login(Self.alice, .once, to: .login(other)), on: ids)
        try await queue.perform(.decline(to: .login(other)), on: ids)
        #expect(try await queue.snapshot().transfers.map(\.question) == [question])
        await queue.shutDown()
    }

    @Test func asksAgainForAChangedKey() async throws {
        let queue = queue { exchange, number in
            Self.unknownServer(key: exchange.url.string.hasSuffix("/new") ? 8 : 7)(exchange, number)
        }
        let ids = try await queue.add([download("https://a.test/old", "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil }
        try await queue.perform(.trust(.always), on: ids)
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        let later = try await queue.add([download("https://a.test/new", "b")], paused: false)
        let asking = try await waitForTransfers(queue) { $0[1].question != nil }
        #expect(asking[1].state == .paused)
        try await queue.perform(.trust(.always), on: later)
        #expect(try await waitForTransfers(queue) { $0[1].state.isEnded }.last?.state == .completed)
        await queue.shutDown()
    }

    @Test func failsWithTheQuestionWithoutAUser() async throws {
        let queue = queue(asks: false, Self.unknownServer())
        _ = try await queue.add([download("https://a.test/a", "a")], paused: false)
        let failed = try await waitForTransfers(queue) { $0[0].state.isEnded }
        #expect(failed.first?.error?.code == .certificateUntrusted)
        guard case .trust(let trust)? = failed.first?.question else {
            Issue.record("\(failed)")
            return
        }
        #expect(trust.publicKeyPin == "sha256//BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=")
        await queue.shutDown()
    }

    /// Trusted servers cost one exchange, not two.
    @Test func asksNothingAboutTrustedServers() async throws {
        let transport = FakeTransport { exchange, _ in
            #expect(exchange.trust == .system)
            return .init(200)
        }
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = true
        let queue = LocalQueue(transport: transport, configuration: configuration)
        _ = try await queue.add([download("https://a.test/a", "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        #expect(transport.exchanges.count == 1)
        await queue.shutDown()
    }

    // MARK: Logins

    private static let alice = Credential(user: "alice", password: "secret")

    private static func guarded(
        _ demand: String, _ opens: Exchange.Authentication
    )
        -> @Sendable (Exchange, Int) -> FakeTransport.Answer
    {
        { exchange, _ in
            exchange.authentication == opens ? .init(200) : .init(401, [.wwwAuthenticate: demand])
        }
    }

    @Test(arguments: [
        ("Basic realm=\"r\"", Exchange.Authentication.basic(alice), "basic"),
        ("Digest realm=\"r\", nonce=\"x\"", .digest(alice), "digest"),
        ("Negotiate, Bearer, Basic realm=\"r\"", .basic(alice), "basic"),
    ])
    func asksForALoginUntilAccepted(
        _ demand: String, _ opens: Exchange.Authentication, _ method: String
    ) async throws {
        let queue = queue(Self.guarded(demand, opens))
        let ids = try await queue.add(["a", "b"].map { try download("http://a.test/\($0)", $0) }, paused: false)
        func question(failed: Bool) -> ConsentQuestion {
            .login(.init(host: "a.test", port: 80, scheme: "http", realm: "r", method: method, hasFailed: failed))
        }
        _ = try await waitForTransfers(queue) { $0.allSatisfy { $0.question == question(failed: false) } }
        try await queue.perform(.login(Credential(user: "alice", password: "wrong"), .once), on: [ids[0]])
        _ = try await waitForTransfers(queue) { $0.allSatisfy { $0.question == question(failed: true) } }
        try await queue.perform(.login(Self.alice, .once), on: [ids[1]])
        #expect(
            try await waitForTransfers(queue) { $0.allSatisfy { $0.state.isEnded } }.allSatisfy {
                $0.state == .completed
            })
        _ = try await queue.add([download("http://a.test/c", "c")], paused: false)
        #expect(try await waitForTransfers(queue) { $0.allSatisfy { $0.state.isEnded } }.last?.state == .completed)
        await queue.shutDown()
    }

    /// A password for Digest never goes out as Basic would send it, not even where a wrong one was given before.
    @Test func doesNotRevealADigestPassword() async throws {
        let queue = queue { exchange, number in
            #expect(exchange.authentication != .basic(Self.alice))
            return Self.guarded("Digest realm=\"r\", nonce=\"x\"", .digest(Self.alice))(exchange, number)
        }
        let ids = try await queue.add(
            [download("http://a.test/a", "a", Credential(user: "alice", password: "wrong"))], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil }
        try await queue.perform(.login(Self.alice, .once), on: ids)
        #expect(try await waitForTransfers(queue) { $0[0].state.isEnded }.first?.state == .completed)
        await queue.shutDown()
    }

    @Test(arguments: [ConsentPersistence.once, .always]) func storesOnlyAcceptedLogins(
        _ persistence: ConsentPersistence
    ) async throws {
        let storage = CredentialStorage()
        let queue = queue(storage: storage, Self.guarded("Basic realm=\"r\"", .basic(Self.alice)))
        let ids = try await queue.add([download("http://a.test/a", "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil }
        try await queue.perform(.login(Credential(user: "alice", password: "wrong"), .always), on: ids)
        _ = try await waitForTransfers(queue) {
            if case .login(let login)? = $0[0].question { login.hasFailed } else { false }
        }
        #expect(storage.all.isEmpty)
        try await queue.perform(.login(Self.alice, persistence), on: ids)
        _ = try await waitForTransfers(queue) { $0[0].state == .completed }
        let space = ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "r", method: .basic)
        #expect(storage.defaultCredential(for: space) == (persistence == .always ? Self.alice : nil))
        await queue.shutDown()
    }

    /// On a real connection: an answer without a body is whole before anybody has said what it means.
    @Test func asksAfterARefusalWithoutBody() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let isRight = head.contains("Authorization: Basic YWxpY2U6c2VjcmV0")
                connection.answer(
                    isRight ? "200 OK" : "401 Unauthorized", isRight ? [] : ["WWW-Authenticate: Basic realm=\"r\""])
            }
        }
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = true
        let queue = LocalQueue(transport: try CurlTransport(), configuration: configuration)
        let ids = try await queue.add([download(server.url(), "a")], paused: false)
        _ = try await waitForTransfers(queue) { $0[0].question != nil || $0[0].state.isEnded }
        try await queue.perform(.login(Self.alice, .once), on: ids)
        #expect(try await waitForTransfers(queue) { $0[0].state.isEnded }.first?.state == .completed)
        await queue.shutDown()
    }

    @Test func warnsOnceAboutAClearTextPassword() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let isRight = head.contains("Authorization: Basic YWxpY2U6c2VjcmV0")
                connection.answer(
                    isRight ? "200 OK" : "401 Unauthorized", isRight ? [] : ["WWW-Authenticate: Basic realm=\"r\""])
            }
        }
        let reports = Mutex<[String]>([])
        var configuration = LocalQueue.Configuration()
        configuration.report = { error in reports.withLock { $0.append(error.message) } }
        let queue = LocalQueue(transport: try CurlTransport(), configuration: configuration)
        _ = try await queue.add(
            [download(server.url(), "a", Self.alice), download(server.url(), "b", Self.alice)], paused: false)
        let ended = try await waitForTransfers(queue) { $0.allSatisfy(\.state.isEnded) }
        #expect(ended.map(\.state) == [.completed, .completed])
        #expect(reports.withLock { $0.count } == 1)
        #expect(reports.withLock { $0.first }?.contains("in clear text") == true)
        // Nothing goes out before the server has asked.
        #expect(server.requests.first?.contains("Authorization") == false)
        await queue.shutDown()
    }

    @Test func doesNotSendAStreamTwice() async throws {
        let queue = queue(Self.guarded("Basic realm=\"r\"", .basic(Self.alice)))
        let upload = Upload(source: .stream(descriptor: 0, name: "stdin"))
        _ = try await queue.add(
            [Spec(url: try TransferURL("http://a.test/a"), operation: .upload(upload))], paused: false)
        let failed = try await waitForTransfers(queue) { $0[0].state.isEnded }
        #expect(failed.first?.error?.code == .loginDenied && failed.first?.question != nil)
        await queue.shutDown()
    }

    /// The answer pauses it with the queue, which is held; before the resume it was paused alone.
    @Test func undoingAResumeRestoresAPauseOfItsOwn() async throws {
        let queue = queue { exchange, _ in
            exchange.authentication == .none ? .init(401, [.wwwAuthenticate: "Basic realm=\"x\""]) : .init(200)
        }
        let ids = try await queue.add([download("http://a.test/x", "a")], paused: true)
        try await queue.setHeld(true)
        try await queue.perform(.resume, on: ids)
        _ = try await waitForTransfers(queue) { $0.first?.question != nil }
        try await queue.perform(.login(Credential(user: "u", password: "p"), .once, to: nil), on: ids)
        #expect(try await queue.snapshot().transfers.map(\.pausedBy) == [.queue])
        #expect(try await queue.undo().command == "resume")
        #expect(try await queue.snapshot().transfers.map(\.pausedBy) == [.transfer])
    }
}
