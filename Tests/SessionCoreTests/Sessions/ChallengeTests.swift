// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Answers challenges as a test says, and keeps them.
private class Keeper: Recorder, @unchecked Sendable {
    // Sendable: what changes is behind a mutex.

    private let seen = Mutex<[AuthenticationChallenge]>([])
    let answer: @Sendable (AuthenticationChallenge) -> ChallengeDisposition

    init(_ answer: @escaping @Sendable (AuthenticationChallenge) -> ChallengeDisposition) { self.answer = answer }

    var challenges: [AuthenticationChallenge] { seen.withLock { $0 } }

    func meet(_ challenge: AuthenticationChallenge) -> ChallengeDisposition {
        seen.withLock { $0.append(challenge) }
        return answer(challenge)
    }
}

private final class TaskKeeper: Keeper, TransferTaskChallengeDelegate, @unchecked Sendable {
    // Sendable: as its superclass.
    func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        note("task challenge \(challenge.protectionSpace.method.rawValue)")
        answer(meet(challenge))
    }
}

private final class SessionIDSigner: Keeper, TransferSessionChallengeDelegate, TransferTaskChallengeDelegate,
    @unchecked Sendable
{
    // Sendable: as its superclass.
    func session(
        _ session: TransferSession, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        note("session challenge \(challenge.protectionSpace.method.rawValue)")
        answer(meet(challenge))
    }

    func session(
        _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
        answer: @escaping @Sendable (ChallengeDisposition) -> Void
    ) {
        note("task challenge \(challenge.protectionSpace.method.rawValue)")
        answer(meet(challenge))
    }
}

private let alice = Credential(user: "alice", password: "secret")

/// Demands a login until it is `credential`.
private func guardedServer(
    _ demand: String, _ credential: Exchange.Authentication
)
    -> @Sendable (Exchange, Int) -> FakeTransport.Answer
{
    { exchange, _ in
        if exchange.authentication == credential { return .init(200, body: Array("in".utf8)) }
        return .init(401, [.wwwAuthenticate: demand, .contentLength: "3"], body: Array("out".utf8))
    }
}

@Suite struct ChallengeTests {
    @Test(arguments: [
        ("Basic realm=\"a\"", Exchange.Authentication.basic(alice), ProtectionSpace.Method.basic),
        ("Digest realm=\"a\", nonce=\"x\"", .digest(alice), .digest),
        ("Basic realm=\"a\", Digest realm=\"a\", nonce=\"x\"", .digest(alice), .digest),
    ]) func acceptsAPassword(
        _ demand: String, _ expected: Exchange.Authentication, _ method: ProtectionSpace.Method
    ) async throws {
        let keeper = TaskKeeper { _ in .useCredential(.password(alice)) }
        let stage = Stage(delegate: keeper, answer: guardedServer(demand, expected))
        let task = stage.session.dataTask(with: try request("http://a.test:8080/x"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 200)
        let challenge = try #require(keeper.challenges.first)
        #expect(
            challenge.protectionSpace
                == ProtectionSpace(host: "a.test", port: 8080, scheme: "http", realm: "a", method: method))
        #expect(challenge.previousFailureCount == 0)
        #expect(challenge.failureResponse?.status.code == 401)
        #expect(keeper.calls.first == "task challenge \(method.rawValue)")
        #expect(keeper.calls.filter { $0.hasPrefix("response") } == ["response 200"])
    }

    @Test func countsFailures() async throws {
        let keeper = TaskKeeper { challenge in
            challenge.previousFailureCount < 3
                ? .useCredential(.password(Credential(user: "bob", password: "wrong"))) : .cancel
        }
        let stage = Stage(delegate: keeper, answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.challenges.map(\.previousFailureCount) == [0, 1, 2, 3])
        #expect(keeper.error(task) == .cancelled)
    }

    /// Runs one task to its end against a server that demands Alice's login, with `credential` stored for it.
    private func runDefaultHandling(storing credential: Credential) async throws -> (TaskKeeper, Stage, TransferTask) {
        let storage = CredentialStorage()
        let space = ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "a", method: .basic)
        try storage.set(credential, for: space, persistence: .forSession)
        let keeper = TaskKeeper { _ in .performDefaultHandling }
        let stage = Stage(
            delegate: keeper, { $0.credentialStorage = storage },
            answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        return (keeper, stage, task)
    }

    @Test func proposesTheRequestsThenTheStoragesCredential() async throws {
        let (keeper, _, task) = try await runDefaultHandling(storing: alice)
        #expect(keeper.challenges.map(\.proposedCredential) == [alice])
        #expect(task.response?.status.code == 200)
    }

    @Test func proposesTheRejectedCredential() async throws {
        let wrong = Credential(user: "alice", password: "old")
        let (keeper, stage, task) = try await runDefaultHandling(storing: wrong)
        #expect(keeper.challenges.map(\.proposedCredential) == [wrong, wrong])
        #expect(keeper.challenges.map(\.previousFailureCount) == [0, 1])
        // The default handling sends it once.
        #expect(stage.transport.exchanges.count == 2)
        #expect(task.response?.status.code == 401)
    }

    @Test func proposesTheRequestsRejectedCredential() async throws {
        let wrong = Credential(user: "alice", password: "old")
        let keeper = TaskKeeper { challenge in
            .useCredential(
                .password(Credential(user: challenge.proposedCredential?.user ?? "nobody", password: alice.password)))
        }
        let stage = Stage(delegate: keeper, answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        let task = stage.session.dataTask(with: try request { $0.credential = wrong })
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.challenges.map(\.proposedCredential) == [wrong])
    }

    @Test func netrcAnswersAChallenge() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array("machine a.test login alice password secret\n".utf8), to: "netrc")
        for (demand, answer) in [
            ("Basic realm=\"a\"", Exchange.Authentication.basic(alice)),
            ("Digest realm=\"a\", nonce=\"n\"", .digest(alice)),
        ] {
            let stage = Stage(delegate: nil, { $0.netrcFile = file }, answer: guardedServer(demand, answer))
            #expect(try await stage.session.data(for: try request { $0.usesNetrc = true }).response.status.code == 200)
            #expect(stage.transport.exchanges.map(\.authentication) == [.none, answer])
            #expect(try await stage.session.data(for: try request()).response.status.code == 401)
        }
    }

    @Test func storedCredentialsNeedNoDelegate() async throws {
        let storage = CredentialStorage()
        try storage.set(
            alice, for: ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "a", method: .digest),
            persistence: .forSession)
        let stage = Stage(
            delegate: nil, { $0.credentialStorage = storage },
            answer: guardedServer("Digest realm=\"a\", nonce=\"n\"", .digest(alice)))
        #expect(try await stage.session.data(for: try request()).response.status.code == 200)
    }

    @Test func storesAnswersForTheSession() async throws {
        let storage = CredentialStorage()
        let keeper = TaskKeeper { challenge in
            challenge.proposedCredential.map { .useCredential(.password($0)) }
                ?? .useCredential(.password(alice, .forSession))
        }
        let stage = Stage(
            delegate: keeper, { $0.credentialStorage = storage },
            answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        for _ in 0..<2 {
            let task = stage.session.dataTask(with: try request())
            task.resume()
            #expect(await eventually { keeper.endCount(task) == 1 })
        }
        #expect(keeper.challenges.map(\.proposedCredential) == [nil, alice])
    }

    @Test func returnsThe401WithoutACredential() async throws {
        for disposition in [ChallengeDisposition.performDefaultHandling, .useCredential(nil)] {
            let keeper = TaskKeeper { _ in disposition }
            let stage = Stage(delegate: keeper, answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
            let task = stage.session.dataTask(with: try request())
            task.resume()
            #expect(await eventually { keeper.endCount(task) == 1 })
            #expect(keeper.calls == ["task challenge basic", "response 401", "data 3", "metrics", "complete ok"])
        }
    }

    @Test func rejectingAsksForTheNextMethod() async throws {
        let keeper = TaskKeeper { challenge in
            challenge.protectionSpace.method == .digest ? .rejectProtectionSpace : .useCredential(.password(alice))
        }
        let stage = Stage(
            delegate: keeper, answer: guardedServer("Digest realm=\"a\", nonce=\"n\", Basic realm=\"a\"", .basic(alice))
        )
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.challenges.map(\.protectionSpace.method) == [.digest, .basic])
        #expect(task.response?.status.code == 200)
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test func rejectingEverythingReturnsThe401() async throws {
        let keeper = TaskKeeper { _ in .rejectProtectionSpace }
        let stage = Stage(delegate: keeper, answer: guardedServer("Basic realm=\"a\", Bearer", .basic(alice)))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.challenges.map(\.protectionSpace.method) == [.bearer, .basic])
        #expect(task.response?.status.code == 401)
    }

    @Test func acceptsAToken() async throws {
        let keeper = TaskKeeper { _ in .useCredential(.bearer(Secret("token"))) }
        let stage = Stage(delegate: keeper, answer: guardedServer("Bearer realm=\"a\"", .bearer(Secret("token"))))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 200)
    }

    @Test func connectionChallengesGoToTheSession() async throws {
        let keeper = SessionIDSigner { _ in .useCredential(.password(alice)) }
        let stage = Stage(delegate: keeper, answer: guardedServer("NTLM", .ntlm(alice)))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.calls.first == "session challenge ntlm")
    }

    @Test func taskDelegatesReceiveOtherChallenges() async throws {
        let keeper = TaskKeeper { _ in .useCredential(.password(alice)) }
        let stage = Stage(delegate: keeper, answer: guardedServer("NTLM", .ntlm(alice)))
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.calls.first == "task challenge ntlm")
    }

    @Test func requestsANewUploadStream() async throws {
        final class Supplier: Keeper, TransferTaskChallengeDelegate, TransferUploadDelegate, @unchecked Sendable {
            // Sendable: as its superclass.
            let stream: Int32
            init(stream: Int32) {
                self.stream = stream
                super.init { _ in .useCredential(.password(alice)) }
            }
            func session(
                _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
                answer: @escaping @Sendable (ChallengeDisposition) -> Void
            ) { answer(meet(challenge)) }
            func session(
                _ session: TransferSession, task: TransferTask,
                needNewBodyStream answer: @escaping @Sendable (Int32?) -> Void
            ) {
                note("need new body")
                answer(stream)
            }
        }
        let supplier = Supplier(stream: 77)
        let stage = Stage(delegate: supplier, answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        let task = stage.session.uploadTask(with: try request("http://a.test/up", .put), body: .stream(descriptor: 66))
        task.resume()
        #expect(await eventually { supplier.endCount(task) == 1 })
        #expect(stage.transport.exchanges.map(\.body) == [.stream(descriptor: 66), .stream(descriptor: 77)])
        #expect(supplier.calls.contains("need new body"))
    }

    @Test func failsWithoutANewStream() async throws {
        let keeper = TaskKeeper { _ in .useCredential(.password(alice)) }
        let stage = Stage(delegate: keeper, answer: guardedServer("Basic realm=\"a\"", .basic(alice)))
        let task = stage.session.uploadTask(with: try request("http://a.test/up", .put), body: .stream(descriptor: 66))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.error(task)?.code == .cannotReadSource)
    }
}

@Suite struct IdentityChallengeTests {
    /// A server asks for a certificate, and may do without.
    @Test(arguments: [true, false]) func aRequestedCertificateMayBeDeclined(_ declines: Bool) async throws {
        let identity = ClientIdentity(certificate: "/c.pem")
        let keeper = SessionIDSigner { _ in
            declines ? .performDefaultHandling : .useCredential(.clientIdentity(identity))
        }
        let stage = Stage(delegate: keeper) { exchange, _ in
            exchange.reportsCertificateRequest
                ? .init(failure: ExchangeFailure(.clientCertificateRequested)) : .init(200)
        }
        let task = stage.session.dataTask(with: try request("https://a.test/"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 200)
        #expect(keeper.challenges.map(\.protectionSpace.method) == [.clientCertificate])
        #expect(stage.transport.exchanges.map(\.clientIdentity) == [nil, declines ? nil : identity])
    }

    @Test func nobodyIsAskedWithoutADelegate() async throws {
        let stage = Stage { _, _ in .init(200) }
        _ = try await stage.session.data(for: try request("https://a.test/"))
        #expect(stage.transport.exchanges.map(\.reportsCertificateRequest) == [false])
    }
}

@Suite struct TrustChallengeTests {
    private static let leaf = CertificateSummary(
        subject: "CN=a.test", sha256: [1], publicKeySHA256: Array(repeating: 2, count: 32))
    private static let refused = ExchangeFailure(
        .transport(.certificateUntrusted), detail: "self-signed certificate", certificate: .selfSigned)

    /// A server whose certificate the system refuses, or accepts.
    private func server(isTrusted: Bool) -> @Sendable (Exchange, Int) -> FakeTransport.Answer {
        { exchange, _ in
            let undecided = ExchangeFailure(.trustUndecided(ServerTrust(host: "a.test", port: 443, chain: [Self.leaf])))
            switch exchange.trust {
            case .capture: return .init(failure: undecided)
            case .exception(let key): return .init(key == Self.leaf.publicKeySHA256 ? 200 : 500)
            case .system: return isTrusted ? .init(200) : .init(failure: Self.refused)
            case .ask(let approved):
                if !isTrusted { return .init(failure: Self.refused) }
                return approved.contains(Self.leaf.sha256) ? .init(200) : .init(failure: undecided)
            }
        }
    }

    @Test func acceptsARejectedCertificateForItsKeyOnly() async throws {
        let keeper = SessionIDSigner { _ in .useCredential(.trust(.forSession)) }
        let stage = Stage(delegate: keeper, { $0.trustStore = TrustStore() }, answer: server(isTrusted: false))
        let task = stage.session.dataTask(with: try request("https://a.test/"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 200)
        let trust = try #require(keeper.challenges.first?.serverTrust)
        #expect(trust.chain == [Self.leaf])
        #expect(trust.failure == .selfSigned)
        #expect(keeper.calls.first == "session challenge server-trust")
        // The next task of the session is not asked.
        let next = stage.session.dataTask(with: try request("https://a.test/"))
        next.resume()
        #expect(await eventually { keeper.endCount(next) == 1 })
        #expect(keeper.challenges.count == 1)
    }

    @Test func defaultHandlingKeepsTheSystemsVerdict() async throws {
        for disposition in [ChallengeDisposition.performDefaultHandling, .rejectProtectionSpace] {
            let keeper = SessionIDSigner { _ in disposition }
            let stage = Stage(delegate: keeper, answer: server(isTrusted: false))
            let task = stage.session.dataTask(with: try request("https://a.test/"))
            task.resume()
            #expect(await eventually { keeper.endCount(task) == 1 })
            #expect(keeper.error(task)?.code == .certificateUntrusted)
        }
    }

    @Test func delegatesMayRejectTrustedServers() async throws {
        let keeper = SessionIDSigner { _ in .cancel }
        let stage = Stage(delegate: keeper, answer: server(isTrusted: true))
        let task = stage.session.dataTask(with: try request("https://a.test/"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(keeper.error(task) == .cancelled)
        #expect(keeper.challenges.first?.serverTrust?.failure == nil)
    }

    @Test func asksOnceAboutATrustedServer() async throws {
        let keeper = SessionIDSigner { _ in .useCredential(.trust(.forSession)) }
        let stage = Stage(delegate: keeper, answer: server(isTrusted: true))
        for _ in 0..<3 {
            let task = stage.session.dataTask(with: try request("https://a.test/"))
            task.resume()
            #expect(await eventually { keeper.endCount(task) == 1 })
            #expect(keeper.error(task) == nil)
        }
        #expect(keeper.challenges.count == 1)
    }

    @Test func withoutADelegateTheSystemDecides() async throws {
        let stage = Stage(answer: server(isTrusted: false))
        await #expect(throws: TransferError.self) { try await stage.session.data(for: try request("https://a.test/")) }
        #expect(stage.transport.exchanges.map(\.trust) == [.system])
    }
}
