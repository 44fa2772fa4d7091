// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// What is asked after a redirect (RFC 9110, section 15.4).
@Suite struct RedirectTests {
    struct Step: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPRequest.Method
        let then: HTTPRequest.Method
        let keepsBody: Bool
        var testDescription: String { "\(method) \(status)" }

        init(_ status: Int, _ method: HTTPRequest.Method, _ then: HTTPRequest.Method, keepsBody: Bool) {
            (self.status, self.method, self.then, self.keepsBody) = (status, method, then, keepsBody)
        }
    }

    static let withoutBody = [301, 302, 303, 307, 308].flatMap { status in
        [Step(status, .get, .get, keepsBody: false), Step(status, .head, .head, keepsBody: false)]
    }
    static let withBody = [
        Step(301, .post, .get, keepsBody: false), Step(302, .post, .get, keepsBody: false),
        Step(303, .post, .get, keepsBody: false),
        Step(307, .post, .post, keepsBody: true), Step(308, .post, .post, keepsBody: true),
        Step(301, .put, .put, keepsBody: true),
        Step(302, .put, .put, keepsBody: true), Step(303, .put, .get, keepsBody: false),
        Step(307, .put, .put, keepsBody: true),
        Step(308, .put, .put, keepsBody: true),
    ]
    static let uploads = [301, 302, 307, 308].flatMap {
        [Step($0, .post, .post, keepsBody: true), Step($0, .put, .put, keepsBody: true)]
    }

    private func stage(_ status: Int) -> Stage {
        Stage { _, number in number == 1 ? .init(status, [.location: "/next"]) : .init(200) }
    }

    private func expect(_ stage: Stage, _ step: Step, body: [UInt8]) throws {
        #expect(stage.transport.exchanges.map(\.url.path) == ["/file", "/next"])
        let second = try #require(stage.transport.exchanges.last)
        #expect(second.method == step.then)
        #expect(
            second.body == (step.keepsBody ? .bytes(body) : .none) || (!step.keepsBody && second.body == .bytes([])))
        #expect(second.fields.contains(.contentType) == step.keepsBody)
    }

    @Test(arguments: withoutBody + withBody) func redirectsOfADataTask(_ step: Step) async throws {
        let stage = stage(step.status)
        let hasBody = step.method == .post || step.method == .put
        let answer = try await stage.session.data(
            for: try request("http://a.test/file", step.method), body: hasBody ? [1, 2] : nil)
        #expect(answer.response.status.code == 200)
        #expect(answer.metrics.redirects == 1)
        try expect(stage, step, body: [1, 2])
    }

    /// The body is the purpose: it stays an upload.
    @Test(arguments: uploads) func redirectsOfAnUpload(_ step: Step) async throws {
        let stage = stage(step.status)
        let answer = try await stage.session.upload(
            for: try request("http://a.test/file", step.method), body: .bytes([1, 2]))
        #expect(answer.response.status.code == 200)
        try expect(stage, step, body: [1, 2])
    }

    @Test func a303IsTheUploadsResponse() async throws {
        let stage = stage(303)
        let answer = try await stage.session.upload(for: try request("http://a.test/file", .post), body: .bytes([1]))
        #expect(answer.response.status.code == 303)
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func downloadsFollowRedirects() async throws {
        let stage = Stage { _, number in
            number == 1 ? .init(302, [.location: "/next"]) : .init(200, [.contentLength: "2"], body: [1, 2])
        }
        let folder = try TemporaryFolder()
        let answer = try await stage.session.download(for: try request(), into: PartialFile(path: folder.file("part")))
        #expect(answer.response.status.code == 200)
        #expect(try folder.read("part") == [1, 2])
    }

    @Test func tooManyRedirectsAreAnError() async throws {
        let stage = Stage({ $0.maximumRedirects = 3 }) { _, number in .init(302, [.location: "/\(number)"]) }
        let error = await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(error?.code == .tooManyRedirects)
        #expect(stage.transport.exchanges.count == 4)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:1", "ftp://b.test/", "http://"])
    func followsOnlyHTTP(_ location: String) async throws {
        let stage = Stage { _, _ in .init(302, [.location: location]) }
        let error = await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(error?.code == .malformedURL)
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test(arguments: [300, 304, 305, 399]) func otherStatusesAreResponses(_ status: Int) async throws {
        let stage = stage(status)
        #expect(try await stage.session.data(for: try request()).response.status.code == status)
    }

    @Test func aRedirectWithoutLocationIsTheResponse() async throws {
        let stage = Stage { _, _ in .init(301) }
        #expect(try await stage.session.data(for: try request()).response.status.code == 301)
    }

    @Test func sendsCookiesOfARedirect() async throws {
        let stage = Stage({ $0.cookieStorage = CookieStorage(publicSuffixes: OneLabelSuffixes()) }) {
            exchange, number in
            number == 1
                ? .init(302, [.location: "/next", .setCookie: "sid=1; Path=/"])
                : .init(200, body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        #expect(try await stage.session.data(for: try request()).body == Array("sid=1".utf8))
    }

    /// For that task alone.
    @Test(arguments: [(true, "/next", "sid=1"), (true, "http://b.test/next", "none"), (false, "/next", "none")])
    func sendsCookiesOfARedirectWithoutAStorage(_ keeps: Bool, _ location: String, _ expected: String) async throws {
        let stage = Stage({
            $0.cookieJars = CookieJars(publicSuffixes: OneLabelSuffixes())
            $0.keepsCookiesWithinTasks = keeps
        }) { exchange, _ in
            exchange.url.path == "/file"
                ? .init(302, [.location: location, .setCookie: "sid=1; Path=/"])
                : .init(200, body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        #expect(try await stage.session.data(for: try request()).body == Array(expected.utf8))
        let next = try request("http://a.test/next")
        #expect(try await stage.session.data(for: next).body == Array("none".utf8))
    }

    @Test func sendsCookiesOfARedirectBesideTheRequests() async throws {
        let stage = Stage({
            $0.cookieJars = CookieJars(publicSuffixes: OneLabelSuffixes())
            $0.keepsCookiesWithinTasks = true
        }) { exchange, number in
            number == 1
                ? .init(302, [.location: "/next", .setCookie: "sid=1; Path=/"])
                : .init(200, body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        let own = try Cookie(name: "a", value: "b")
        let request = try request { $0.cookies = [own] }
        #expect(try await stage.session.data(for: request).body == Array("a=b; sid=1".utf8))
    }

    @Test func aStorageThatAcceptsNoneKeepsNoneOfARedirect() async throws {
        let storage = CookieStorage(publicSuffixes: OneLabelSuffixes())
        storage.acceptPolicy = .never
        let stage = Stage({
            ($0.cookieStorage, $0.cookieJars) = (storage, CookieJars(publicSuffixes: OneLabelSuffixes()))
            $0.keepsCookiesWithinTasks = true
        }) { exchange, number in
            number == 1
                ? .init(302, [.location: "/next", .setCookie: "sid=1; Path=/"])
                : .init(200, body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        #expect(try await stage.session.data(for: try request()).body == Array("none".utf8))
    }

    @Test func redirectsFollowHSTS() async throws {
        let security = try TransportSecurityStore(now: { 1_000_000 }, asciiHost: { _ in nil })
        security.note(
            [HTTPField.Name("Strict-Transport-Security")!: "max-age=1000"], from: try TransferURL("https://b.test/"))
        let stage = Stage({ $0.transportSecurity = security }) { _, number in
            number == 1 ? .init(302, [.location: "http://b.test/next"]) : .init(200)
        }
        _ = try await stage.session.data(for: try request())
        #expect(stage.transport.exchanges.last?.url.string == "https://b.test/next")
    }
}
