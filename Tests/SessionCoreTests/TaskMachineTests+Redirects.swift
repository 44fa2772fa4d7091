// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel

/// Redirects, and the secrets that requests may have.
extension TaskMachineTests {
    @Test(arguments: [
        (301, "GET", "GET", false), (302, "POST", "GET", false), (303, "PUT", "GET", false),
        (307, "POST", "POST", true),
        (308, "PUT", "PUT", true), (302, "PUT", "PUT", true), (303, "HEAD", "HEAD", false),
    ]) func redirectsKeepAllowedFields(_ status: Int, _ method: String, _ next: String, _ keepsBody: Bool) throws {
        let method = try #require(HTTPRequest.Method(method))
        let sends = method != .get && method != .head
        var machine = Machine(role: .data, request: try request(method), sendsBody: sends)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(status, [(.location, "/two")])) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(plan.url.string == "http://a.test/two")
        #expect(plan.method.rawValue == next)
        #expect(plan.sendsBody == keepsBody)
        #expect(plan.isOriginalOrigin)
    }

    @Test(arguments: [301, 302, 307, 308]) func aRedirectedUploadStaysAnUpload(_ status: Int) throws {
        var machine = Machine(role: .upload, request: try request(.post), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(status, [(.location, "/two")])) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(plan.method == .post)
        #expect(plan.sendsBody)
    }

    @Test func uploadsDoNotFollow303() throws {
        var machine = Machine(role: .upload, request: try request(.post), sendsBody: true)
        _ = machine.begun(machine.resume())
        #expect(machine.headReceived(head(303, [(.location, "/two")])) == .deliver)
        #expect(machine.exchangeEnded(nil, received: 0) == .finish(nil))
    }

    @Test(arguments: ["http://b.test/", "https://a.test/", "http://a.test:81/"])
    func anotherOriginGetsNoSecrets(_ location: String) throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        _ = machine.begun(machine.resume())
        _ = machine.headReceived(head(302, [(.location, location)]))
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "must follow")
        }
        #expect(!plan.isOriginalOrigin)
        var options = TransferOptions()
        let key = try #require(HTTPField.Name("X-Api-Key"))
        options.headers = [
            HTTPField(name: .authorization, value: "Bearer x"), HTTPField(name: .accept, value: "a/b"),
            HTTPField(name: key, value: "secret"),
        ]
        options.cookies = [try Cookie(name: "a", value: "b")]
        options.referer = Secret("http://a.test/page?key=1")
        let fields = RequestFields.make(plan: plan, options: options, configuration: .init())
        #expect(fields[.authorization] == nil)
        #expect(fields[.cookie] == nil)
        #expect(fields[.referer] == nil)
        #expect(fields[key] == nil)
        #expect(fields[.accept] == "a/b")
    }

    @Test func repeatedFieldsAreAllSent() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        let begun = machine.begun(machine.resume())
        let plan = try #require(begun)
        let name = try #require(HTTPField.Name("X-A"))
        var options = TransferOptions()
        options.headers = [HTTPField(name: name, value: "1"), HTTPField(name: name, value: "2")]
        let fields = RequestFields.make(plan: plan, options: options, configuration: .init())
        #expect(fields[values: name] == ["1", "2"])
    }

    @Test func requestUserAgentReplacesTheSessions() throws {
        var machine = Machine(role: .data, request: try request(), sendsBody: false)
        let begun = machine.begun(machine.resume())
        let plan = try #require(begun)
        var options = TransferOptions()
        let configuration = TransferConfiguration()
        func agent() -> String? {
            RequestFields.make(plan: plan, options: options, configuration: configuration)[.userAgent]
        }
        #expect(agent() == configuration.userAgent)
        options.userAgent = "mine/1"
        #expect(agent() == "mine/1")
        options.headers = [HTTPField(name: .userAgent, value: "header/1")]
        #expect(agent() == "header/1")
    }

    @Test func limitsRedirects() throws {
        var machine = try download()
        for _ in 0..<20 {
            #expect(machine.headReceived(head(302, [(.location, "/one")])) == .discard)
            guard machine.begun(machine.exchangeEnded(nil, received: 0)) != nil else {
                return #expect(Bool(false), "must follow")
            }
        }
        #expect(machine.headReceived(head(302, [(.location, "/one")])) == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .tooManyRedirects)
    }

    @Test func attemptsDigestOnceWithACredential() throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        _ = machine.begun(machine.resume())
        let challenge = head(401, [(.wwwAuthenticate, "Digest realm=\"r\", nonce=\"n\"")])
        #expect(machine.headReceived(challenge) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login?.method == .digest)
        #expect(machine.headReceived(challenge) == .deliver)
    }

    @Test(arguments: [
        ("Basic realm=\"r\"", ProtectionSpace.Method.basic), ("Digest realm=\"r\", nonce=\"n\"", .digest),
        ("Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\"", .digest), ("Negotiate, Basic realm=\"r\"", .basic),
    ])
    func clearTextPasswordsWaitForTheStrongestChallenge(_ demand: String, method: ProtectionSpace.Method) throws {
        var machine = Machine(role: .data, request: try request(user: "me"), sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(!machine.sendsLoginPreemptively(first))
        var context = DecisionContext()
        context.supported = [.basic, .digest, .negotiate]
        let challenge = head(401, [(.wwwAuthenticate, demand)])
        #expect(machine.headReceived(challenge, context) == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login?.method == method && plan.login?.credential?.user == "me")
        // Refused, it is not tried in a weaker way.
        #expect(machine.headReceived(challenge, context) == .deliver)
    }

    @Test func sendsThePasswordImmediatelyOverTLS() throws {
        let request = TransferRequest(url: try TransferURL("https://me:secret@a.test/one"))
        var machine = Machine(role: .data, request: request, sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(machine.sendsLoginPreemptively(first))
        #expect(machine.headReceived(head(401, [(.wwwAuthenticate, "Basic realm=\"r\"")])) == .deliver)
    }

    @Test(arguments: ["http://a.test/one", "https://a.test/one"]) func readsNetrcAfterAChallenge(
        _ url: String
    ) throws {
        var machine = Machine(role: .data, request: TransferRequest(url: try TransferURL(url)), sendsBody: false)
        guard let first = machine.begun(machine.resume()) else { return #expect(Bool(false), "must begin") }
        #expect(!machine.sendsLoginPreemptively(first) && machine.ownCredential == nil)
        var context = DecisionContext()
        context.netrc = { $0 == "a.test" ? Credential(user: "net", password: "rc") : nil }
        #expect(
            machine.headReceived(
                head(401, [(.wwwAuthenticate, "Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\"")]), context)
                == .discard)
        guard let plan = machine.begun(machine.exchangeEnded(nil, received: 0)) else {
            return #expect(Bool(false), "again")
        }
        #expect(plan.login == .init(method: .digest, credential: Credential(user: "net", password: "rc")))
    }

    /// A server may take Basic as well: the password of netrc is for none that refuses a token.
    @Test func aRefusedTokenIsNotReplacedByNetrc() throws {
        var options = TransferOptions()
        options.headers = [HTTPField(name: .authorization, value: "Bearer wrong")]
        let request = TransferRequest(url: try TransferURL("http://a.test/one"), options: options)
        var machine = Machine(role: .data, request: request, sendsBody: false)
        _ = machine.begun(machine.resume())
        var context = DecisionContext()
        context.netrc = { _ in Credential(user: "net", password: "rc") }
        let fields: [(HTTPField.Name, String)] = [
            (.wwwAuthenticate, "Bearer realm=\"r\", error=\"invalid_token\""), (.wwwAuthenticate, "Basic realm=\"r\""),
        ]
        #expect(machine.headReceived(head(401, fields), context) == .deliver)
    }

    @Test(arguments: [TaskMachine.Role.upload, .data, .download(rewindable: true)], [nil, true, false])
    func refusesDowngradesUnlessAllowed(_ role: TaskMachine.Role, isAllowed: Bool?) throws {
        let request = TransferRequest(url: try TransferURL("https://a.test/one"), method: role == .upload ? .put : .get)
        let policy = isAllowed.map { RedirectPolicy(allowsDowngrade: $0) } ?? RedirectPolicy()
        var machine = Machine(role: role, request: request, sendsBody: role == .upload, redirectPolicy: policy)
        _ = machine.begun(machine.resume())
        // What stays with TLS is followed, a host that wants TLS gets it.
        #expect(machine.headReceived(head(307, [(.location, "https://b.test/two")])) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        var context = DecisionContext()
        context.secured = { $0.host == "hsts.test" ? $0.byHTTPS : $0 }
        #expect(machine.headReceived(head(307, [(.location, "http://hsts.test/two")]), context) == .discard)
        _ = machine.begun(machine.exchangeEnded(nil, received: 0))
        let decision = machine.headReceived(head(307, [(.location, "http://c.test/two")]), context)
        guard isAllowed == false else { return #expect(decision == .discard) }
        #expect(decision == .abort)
        guard case .finish(let error?) = machine.exchangeEnded(.cancelled, received: 0) else {
            return #expect(Bool(false), "must end")
        }
        #expect(error.code == .insecureRedirect && error.message.contains("c.test"))
    }
}
