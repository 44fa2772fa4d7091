// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Questions that come beside something else: a pause, further connections, the rest of a file.
@Suite(.timeLimit(.minutes(10))) struct ConsentMomentTests {
    private static let alice = Credential(user: "alice", password: "secret")
    private static let encoded = "YWxpY2U6c2VjcmV0"

    /// A queue whose server has a key that the system does not trust.
    private func queue(_ folder: TemporaryFolder) throws -> (core: QueueCore, transport: FakeTransport) {
        let key = [UInt8](repeating: 7, count: 32)
        let transport = FakeTransport { exchange, _ in
            if exchange.trust == .exception(publicKeySHA256: key) { return .init(200, body: [1]) }
            guard exchange.trust == .capture else {
                return .init(failure: .init(.transport(.certificateUntrusted), certificate: .selfSigned))
            }
            let certificate = CertificateSummary(sha256: [UInt8](repeating: 9, count: 32), publicKeySHA256: key)
            let trust = ServerTrust(host: exchange.url.host, port: exchange.url.port, chain: [certificate])
            return .init(failure: .init(.trustUndecided(trust)))
        }
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = true
        let store = SQLiteStore(
            try TransferStore(folder: folder.file("state"), time: 0), scheduler: SystemScheduler(), report: { _ in })
        let core = QueueCore(
            policy: .durable, transport: transport, configuration: configuration, session: .init(),
            scheduler: SystemScheduler(), store: store)
        return (core, transport)
    }

    private func download(_ name: String, _ folder: TemporaryFolder) throws -> Spec {
        let download = Download(destination: .file(path: folder.file(name)))
        return Spec(url: try TransferURL("https://a.test/\(name)"), operation: .download(download))
    }

    /// The pause was confirmed: an answer that another transfer gets does not continue it.
    @Test func aPauseBeforeTheQuestionStays() async throws {
        let folder = try TemporaryFolder()
        let (core, transport) = try queue(folder)
        let id = try await core.add([download("a", folder)], on: .init(paused: true))[0]
        // The engine is busy while the question comes, then receives the pause before it.
        try await core.run { [transport] coordinator in
            Result {
                try coordinator.perform(.resume, on: [id])
                #expect(eventually { transport.exchanges.count == 2 && transport.countUnderWay == 0 })
                try coordinator.perform(.pause, on: [id])
            }
        }.get()
        #expect(await polled { await core.run { $0.runs[id]?.task == nil } })
        let paused = await core.run { $0.snapshot.transfers }
        #expect(paused.map(\.pausedBy) == [.transfer] && paused.map(\.question) == [nil])
        try await core.perform(.resume, on: [id])
        #expect(await polled { await core.run { $0.queue[id]?.question != nil } })
        await core.shutDown()
    }

    /// The transfer that was answered is cancelled while the key is being stored.
    @Test func anAcceptedKeyAnswersAllThatAskAboutIt() async throws {
        let folder = try TemporaryFolder()
        let (core, _) = try queue(folder)
        let ids = try await core.add(
            [download("a", folder), download("b", folder)], on: .init(paused: false))
        #expect(await polled { await core.run { $0.snapshot.transfers.allSatisfy { $0.question != nil } } })
        let trust = try #require(await core.run { $0.askedTrust(of: ids[0], nil) })
        try await core.perform(.cancel(deletingPartial: false), on: [ids[0]])
        let (key, keys) = try await core.run { coordinator in
            Result { (try coordinator.key(of: trust), coordinator.trustStore) }
        }.get()
        try #require(keys).accept(try #require(key), persistence: .forSession)
        await core.run { $0.answer([trust]) }
        #expect(await polled { await core.run { $0.snapshot.transfers.map(\.state) } == [.cancelled, .completed] })
        await core.shutDown()
    }

    /// What the attempt does not send is not stored as accepted.
    @Test func aLoginIsSentToItsServer() throws {
        var consent = Consent()
        let space = ProtectionSpace(host: "m.test", port: 80, scheme: "http", realm: "r", method: .basic)
        let login = Consent.Login(space: space, credential: Self.alice, persistence: .always)
        consent.login = login
        consent.beginAttempt(at: try TransferURL("http://a.test/f"))
        #expect(consent.sent.isEmpty)
        consent.beginAttempt(at: try TransferURL("http://m.test/f"))
        #expect(consent.sent == [space: login])
        consent.refused(login.credential, at: space)
        #expect(consent.sent.isEmpty)
    }

    /// One connection is refused with an earlier login after another one was let in with a later one.
    @Test func aRefusalIsOfTheCredentialSent() throws {
        let space = ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "r", method: .basic)
        let earlier = Credential(user: "alice", password: "earlier")
        let later = Consent.Login(space: space, credential: Self.alice, persistence: .once)
        var (consent, answers) = (Consent(), ConsentAnswers())
        consent.login = Consent.Login(space: space, credential: earlier, persistence: .once)
        answers.add(later)
        consent.beginAttempt(at: try TransferURL("http://a.test/f"))
        consent.note(sending: later)
        #expect(consent.login == later, "the next request begins with it")
        consent.refused(earlier, at: space)
        answers.drop(earlier, at: space)
        #expect(consent.sent == [space: later] && answers.login(for: space) == later)
        consent.refused(Self.alice, at: space)
        answers.drop(Self.alice, at: space)
        #expect(consent.sent.isEmpty && answers.login(for: space) == nil)
    }

    /// Another connection of the same file is asked for the login, too: that does not mean that it was refused.
    @Test func furtherConnectionsKeepTheAnswer() async throws {
        let stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.asksUser = true
            return configuration
        }
        let server = try RangeServer(patternedBytes(20 << 20), rate: 1 << 20, login: Self.encoded, least: 2)
        let first = try await stage.queue.add([stage.download(server.url(), name: "a")], paused: false)[0]
        try await stage.wait { $0[first]?.question != nil }
        try await stage.queue.perform(.login(Self.alice, .once), on: [first])
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [first])
        let large = try await stage.end(of: stage.download(server.url(), name: "b"))
        #expect(large.state == .completed && server.most > 1)
        let later = try await stage.queue.add([stage.download(server.url(), name: "c")], paused: false)[0]
        try await stage.wait { ($0[later]?.bytes ?? 0) > 0 || $0[later]?.question != nil }
        #expect(try await stage.queue.snapshot().transfers.last?.question == nil)
        await stage.queue.shutDown()
    }

    /// The transfer was given a login before, which its server refuses. That says nothing about the answer.
    @Test func anEarlierLoginLeavesTheAnswer() async throws {
        let folder = try TemporaryFolder()
        let server = try RangeServer(patternedBytes(20 << 20), rate: 1 << 20, login: Self.encoded, least: 2)
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = true
        let core = QueueCore(
            policy: .local, transport: try CurlTransport(), configuration: configuration, session: .init(),
            scheduler: SystemScheduler(), store: NullStore())
        let download = Download(destination: .file(path: folder.file("a")))
        let spec = Spec(url: try TransferURL(server.url()), operation: .download(download))
        let id = try await core.add([spec], on: .init(paused: false))[0]
        #expect(await polled { await core.run { $0.queue[id]?.question != nil } })
        try await core.setHeld(true)
        try await core.perform(.login(Self.alice, .once), on: [id])
        let space = try #require(await core.run { $0.runs[id]?.consent.login?.space })
        await core.run { coordinator in
            coordinator.runs[id]?.consent.login?.credential = Credential(user: "alice", password: "earlier")
        }
        try await core.setHeld(false)
        #expect(await polled { await core.run { $0.queue[id]?.state.isEnded == true } })
        #expect(await core.run { $0.queue[id]?.state } == .completed && server.most > 1)
        #expect(await core.run { $0.answers.login(for: space)?.credential } == Self.alice)
        let earlier = server.requests.filter { $0.contains("Authorization: Basic YWxpY2U6ZWFybGllcg==") }
        #expect(earlier.count == 1, "it is not sent again")
        await core.shutDown()
    }

    /// The server asks from some time on.
    @Test func asksForTheRestOfAFile() async throws {
        let body = patternedBytes(50_000)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                guard head.lowercased().contains("range: bytes=") else {
                    connection.send(
                        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 50000\r\n\r\n")
                    return connection.send(Array(body[..<20_000]))
                }
                if head.contains("Authorization: Basic \(Self.encoded)") {
                    connection.answer(body, to: head, tag: "\"1\"")
                } else {
                    connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"r\""])
                }
            }
        }
        let stage = try DurableStage(asksUser: true)
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.state == .paused && $0.question != nil }
        try await stage.queue.perform(.login(Self.alice, .once), on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("out.bin") == body)
        await stage.queue.shutDown()
    }
}
