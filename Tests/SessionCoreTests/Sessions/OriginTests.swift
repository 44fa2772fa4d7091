// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// What belongs to one server, proxy or login stays there.
@Suite struct OriginTests {
    private static let alice = Credential(user: "alice", password: "secret")

    private final class Keeper: Recorder, TransferSessionChallengeDelegate, TransferTaskChallengeDelegate,
        @unchecked Sendable
    {
        // Sendable: what changes is behind a mutex.
        let asked = Mutex<[AuthenticationChallenge]>([])
        let answer: ChallengeCredential
        init(_ answer: ChallengeCredential) { self.answer = answer }
        func session(
            _ session: TransferSession, didReceive challenge: AuthenticationChallenge,
            answer: @escaping @Sendable (ChallengeDisposition) -> Void
        ) {
            asked.withLock { $0.append(challenge) }
            answer(.useCredential(self.answer))
        }
        func session(
            _ session: TransferSession, task: TransferTask, didReceive challenge: AuthenticationChallenge,
            answer: @escaping @Sendable (ChallengeDisposition) -> Void
        ) {
            self.session(session, didReceive: challenge, answer: answer)
        }
    }

    /// A machine with a redirect that a delegate gave a field, and what follows a second redirect.
    @Test func delegateFieldsApplyToTheirRedirectOnly() throws {
        let start = TransferRequest(url: try TransferURL("http://a.test/"), options: TransferOptions())
        var machine = TaskMachine(
            role: .download(rewindable: true), request: start, sendsBody: false,
            copy: Validator(entityTag: "\"v\""))
        _ = machine.begun(machine.resume())
        let context = DecisionContext(interests: .redirect)
        let secret = try #require(HTTPField.Name("X-Key"))
        func moved(_ to: String, _ change: (inout Redirect) -> Void) throws -> TaskMachine.ExchangePlan {
            let decision = machine.headReceived(HTTPResponse(status: .found, headerFields: [.location: to]), context)
            guard case .ask(.redirect(var redirect)) = decision else { throw TransferError(.other, "was not asked") }
            change(&redirect)
            _ = machine.answered(.redirect(redirect), context)
            #expect(machine.bodyPlaced(context) == .none)
            guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
                throw TransferError(.other, "did not continue")
            }
            return plan
        }
        let second = try moved("http://b.test/") { $0.additionalFields[secret] = "secret" }
        #expect(second.extraFields[secret] == "secret")
        let third = try moved("http://c.test/") { _ in }
        #expect(third.extraFields[secret] == nil)
        #expect(third.extraFields[.ifNoneMatch] == "\"v\"")
    }

    @Test func doesNotSendAProxysLoginToAnother() async throws {
        let keeper = Keeper(.password(Self.alice, .none))
        let first = ProxyServer(host: "one.test", port: 1), second = ProxyServer(host: "two.test", port: 2)
        let stage = Stage(delegate: keeper, { $0.proxy = .servers(http: first, https: second, bypass: []) }) {
            exchange, _ in
            if exchange.url.isSecure { return .init(200) }
            guard exchange.proxyAuthentication == .basic(Self.alice) else {
                return .init(407, [.proxyAuthenticate: "Basic realm=\"one\""])
            }
            return .init(302, [.location: "https://b.test/"])
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(stage.transport.exchanges.map(\.proxyAuthentication) == [.none, .basic(Self.alice), .none])
    }

    /// It came through the proxy's tunnel, from a server that is none.
    @Test func serversCannotDemandAProxyLogin() async throws {
        let keeper = Keeper(.password(Self.alice, .none))
        let proxy = ProxyServer(host: "one.test", port: 1)
        let stage = Stage(delegate: keeper, { $0.proxy = .servers(http: nil, https: proxy, bypass: []) }) { _, _ in
            .init(407, [.proxyAuthenticate: "Basic realm=\"one\""])
        }
        let task = stage.session.dataTask(with: try request("https://a.test/"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 407)
        #expect(keeper.asked.withLock { $0.filter { $0.protectionSpace.isProxy }.isEmpty })
    }

    /// The same certificate at another host is another question.
    @Test func approvalsApplyToTheirHost() async throws {
        let leaf = CertificateSummary(
            subject: "CN=a.test", sha256: [1], publicKeySHA256: Array(repeating: 2, count: 32))
        let keeper = Keeper(.trust(.none))
        let stage = Stage(delegate: keeper) { exchange, _ in
            guard case .ask(let approved) = exchange.trust, approved.contains([1]) else {
                return .init(
                    failure: ExchangeFailure(
                        .trustUndecided(ServerTrust(host: exchange.url.host, port: 443, chain: [leaf]))))
            }
            return exchange.url.host == "a.test" ? .init(302, [.location: "https://b.test/"]) : .init(200)
        }
        let task = stage.session.dataTask(with: try request("https://a.test/"))
        task.resume()
        #expect(await eventually { keeper.endCount(task) == 1 })
        #expect(task.response?.status.code == 200)
        #expect(keeper.asked.withLock { $0.map(\.protectionSpace.host) } == ["a.test", "b.test"])
    }

    /// A response stored without a login is revalidated, and the server demands a login now.
    @Test func doesNotCacheAuthenticatedResponses() async throws {
        let storage = CredentialStorage()
        try storage.set(
            Self.alice, for: ProtectionSpace(host: "a.test", port: 80, scheme: "http", realm: "a", method: .basic),
            persistence: .forSession)
        let cache = ResponseCache(diskCapacity: 0)
        let stage = Stage({
            $0.cache = cache
            $0.credentialStorage = storage
        }) { exchange, number in
            if number == 1 {
                return .init(200, [.cacheControl: "max-age=0", .eTag: "\"v1\""], body: Array("public".utf8))
            }
            guard exchange.authentication == .basic(Self.alice) else {
                return .init(401, [.wwwAuthenticate: "Basic realm=\"a\""])
            }
            return .init(200, [.cacheControl: "max-age=600", .eTag: "\"v2\""], body: Array("private".utf8))
        }
        _ = try await stage.session.data(for: try request())
        let url = try request().url
        #expect(await eventually { cache.cachedResponse(for: url) != nil })
        let answer = try await stage.session.data(for: try request())
        #expect(answer.body == Array("private".utf8))
        await withCheckedContinuation { done in stage.session.background.async(flags: .barrier) { done.resume() } }
        let stored = cache.cachedResponse(for: url)
        #expect(stored?.body != Array("private".utf8) || stored?.matches(CacheRequest(url: url)) == false)
    }

    /// Whose failure is whose cannot be counted where the demand changes each time.
    @Test func givesUpOnChangingChallenges() async throws {
        let stage = Stage { _, number in
            if number > 60 { return .init(200) }
            return .init(401, [.wwwAuthenticate: number % 2 == 0 ? "NTLM" : "Digest realm=\"r\(number)\", nonce=\"x\""])
        }
        let answer = try await stage.session.data(for: try request { $0.credential = Self.alice })
        #expect(answer.response.status.code == 401)
        #expect(stage.transport.exchanges.count < 12)
    }

    @Test func repeatedFieldsReplaceTheSessions() async throws {
        let name = try #require(HTTPField.Name("X-Tag"))
        let stage = Stage({ $0.additionalFields[name] = "0" }) { _, _ in .init(200) }
        var asked = try request()
        asked.options.headers = [HTTPField(name: name, value: "1"), HTTPField(name: name, value: "2")]
        _ = try await stage.session.data(for: asked)
        #expect(stage.transport.exchanges.first?.fields[values: name] == ["1", "2"])
    }
}
