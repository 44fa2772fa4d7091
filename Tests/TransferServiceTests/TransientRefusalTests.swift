// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Responses in place of the server's: of a network that wants a login first, and of a proxy.
@Suite(.timeLimit(.minutes(10))) struct TransientRefusalTests {
    private static let bytes = patternedBytes(1000)
    private static let broken = ExchangeFailure(.transport(.receiveFailed, errno: 104))

    /// A queue on a clock that the test advances.
    private struct Stage {
        let folder: TemporaryFolder
        let scheduler = ManualScheduler()
        let transport: FakeTransport
        let queue: LocalQueue

        init(
            proxy: ProxyPolicy.Configuration = .none,
            _ respond: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
        ) throws {
            folder = try TemporaryFolder()
            transport = FakeTransport(respond)
            var session = TransferConfiguration()
            session.proxy = proxy
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 1 }
            queue = LocalQueue(
                transport: transport, configuration: configuration, session: session, scheduler: scheduler)
        }

        func add(_ url: String) async throws {
            let download = Download(destination: .file(path: folder.file("a")))
            _ = try await queue.add([Spec(url: try TransferURL(url), operation: .download(download))], paused: false)
        }

        /// Lets time pass until the transfer satisfies `condition`.
        /// - Parameter seconds: until its next state is seen.
        func wait(
            by seconds: (Transfer) -> Double = { _ in 0.5 }, for condition: (Transfer) -> Bool
        ) async throws -> Transfer {
            for _ in 0..<20_000 {
                let now = try await queue.snapshot().transfers[0]
                if condition(now) { return now }
                scheduler.advance(by: seconds(now))
                try await Task.sleep(for: .milliseconds(1))
            }
            throw CancellationError()
        }
    }

    private static func file(_ status: Int, _ range: Range<Int>, _ more: HTTPFields = [:]) -> FakeTransport.Answer {
        var fields = more
        (fields[.eTag], fields[.contentType]) = ("\"1\"", "application/x-iso")
        return FakeTransport.Answer(status, fields, body: Array(bytes[range]))
    }

    // MARK: Captive portals

    @Test func a511NamesTheAddressAndIsRetried() async throws {
        let hasSignedIn = Atomic<Bool>(false)
        let page = "<html><meta http-equiv=\"refresh\" content=\"0; url=http://login.test/in\">"
        let stage = try Stage { _, _ in
            hasSignedIn.load(ordering: .relaxed)
                ? Self.file(200, 0..<1000) : FakeTransport.Answer(511, body: Array(page.utf8))
        }
        try await stage.add("http://a.test/f")
        let waiting = try await stage.wait { $0.state == .retrying && $0.attempt > 3 }
        #expect(waiting.error?.fields.refusal?.portal == "http://login.test/in")
        #expect(waiting.error?.message.hasSuffix("; sign in to the network at http://login.test/in") == true)
        #expect(waiting.bytes == 0)
        hasSignedIn.store(true, ordering: .relaxed)
        _ = try await stage.wait { $0.state == .completed }
        #expect(Set(stage.transport.exchanges.map(\.url.string)) == ["http://a.test/f"])
        #expect(try stage.folder.read("a") == Self.bytes)
    }

    /// A download whose first 400 bytes are here, and whose next requests are redirected to a page.
    private func interrupted(
        _ url: String, page: String, tag: String?, until hasSignedIn: @escaping @Sendable () -> Bool
    ) async throws -> Stage {
        let stage = try Stage { exchange, number in
            if number == 1 {
                var answer = Self.file(200, 0..<400, [.contentLength: "1000"])
                answer.failure = Self.broken
                return answer
            }
            if hasSignedIn() { return Self.file(206, 400..<1000, [.contentRange: "bytes 400-999/1000"]) }
            guard exchange.url.host == "login.test" else { return .init(302, [.location: page]) }
            var fields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
            fields[.eTag] = tag
            return .init(200, fields, body: Array("<html>sign in".utf8))
        }
        try await stage.add(url)
        return stage
    }

    @Test(arguments: [nil, "\"p\""]) func aPageInMidFileNamesTheAddressAndIsRetried(_ tag: String?) async throws {
        let hasSignedIn = Mutex(false)
        let stage = try await interrupted("http://a.test/f", page: "http://login.test/in?mac=1", tag: tag) {
            hasSignedIn.withLock { $0 }
        }
        let waiting = try await stage.wait { $0.error?.fields.refusal?.portal != nil && $0.attempt > 3 }
        #expect(waiting.state == .retrying && waiting.bytes == 400)
        #expect(waiting.error?.fields.refusal?.portal == "http://login.test/in?mac=1")
        hasSignedIn.withLock { $0 = true }
        let done = try await stage.wait { $0.state == .completed }
        #expect(done.metrics?.resumedFrom == 400)
        #expect(stage.transport.exchanges.last?.url.string == "http://a.test/f")
        #expect(try stage.folder.read("a") == Self.bytes)
    }

    /// A mirror that the server leads to has a page of its own.
    @Test func aPageOfTheServerThatSentTheBytesIsNoPortal() async throws {
        let stage = try Stage { exchange, number in
            guard exchange.url.host == "mirror.test" else { return .init(302, [.location: "http://mirror.test/f"]) }
            guard number == 2 else { return .init(200, [.contentType: "text/html"], body: Array("<html>later".utf8)) }
            var answer = Self.file(200, 0..<400, [.contentLength: "1000"])
            answer.failure = Self.broken
            return answer
        }
        try await stage.add("http://a.test/f")
        let failed = try await stage.wait { $0.state == .failed }
        #expect(failed.error?.fields.variant == .otherMediaType && failed.error?.fields.refusal?.portal == nil)
        #expect(failed.bytes == 400)
    }

    /// It has the type that a mirror states for the file.
    @Test(arguments: ["\"1\"", "\"2\""]) func aPageWithTheEntityTagOfTheBytesIsNoPortal(_ tag: String) throws {
        let url = try TransferURL("http://a.test/f")
        let admission = DownloadAdmission(
            Download(destination: .file(path: "/none/f")), url: url, id: TransferID(rawValue: 1),
            claims: NameClaims(keepsCompleted: false))
        let point = ResumePoint(
            offset: 4, validator: Validator(entityTag: "\"1\""), total: 9, contentType: "application/x-iso")
        admission.began(at: point, from: url)
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html", .eTag: tag])
        let isPortal = admission.evaluate(head, from: try TransferURL("http://mirror.test/f")) != .accept
        #expect(isPortal == (tag != "\"1\""))
    }

    /// A link of a page is relative to the address of that page.
    @Test func aPortalMayBeARedirectAway() async throws {
        let stage = try Stage { exchange, _ in
            exchange.url.host == "login.test"
                ? .init(511, [.location: "/in"]) : .init(302, [.location: "http://login.test/a/b"])
        }
        try await stage.add("http://a.test/f")
        let waiting = try await stage.wait { $0.state == .retrying && $0.attempt > 2 }
        #expect(waiting.error?.fields.refusal?.portal == "http://login.test/in")
    }

    /// No network can redirect a request that it cannot read.
    @Test func aPageThatTheServerItselfLeadsToIsNoPortal() async throws {
        let stage = try await interrupted("https://a.test/f", page: "https://login.test/in", tag: nil) { false }
        let failed = try await stage.wait { $0.state == .failed }
        #expect(failed.error?.fields.variant == .otherMediaType && failed.error?.fields.refusal?.portal == nil)
    }

    @Test(
        arguments: [
            ("http://a.test/f", "/login", "", "http://a.test/login"),
            ("http://a.test/f", nil, "<META HTTP-EQUIV=refresh CONTENT='0;URL=http://l.test/'>", "http://l.test/"),
            (
                "http://a.test/f", nil, "<link href=x.css><A class=b HREF='/in?a=1&amp;b=2'>log in</A>",
                "http://a.test/in?a=1&b=2"
            ),
            ("http://a.test/f", nil, "please pay", "http://a.test/f"),
            ("http://a.test/f", "ftp://l.test/", "", "http://a.test/f"),
            // It has the requested address, with what is secret in that.
            ("http://a.test/f?token=s", "http://l.test/?to=http%3A//a.test/f%3Ftoken%3Ds", "", "http://l.test/"),
        ] as [(String, String?, String, String)])
    func a511LeadsToAPage(_ url: String, _ location: String?, _ page: String, _ portal: String) throws {
        var head = HTTPResponse(status: .init(code: 511))
        head.headerFields[.location] = location
        let error = HTTPStatusError.make(head, from: try TransferURL(url), body: Array(page.utf8))
        #expect(error?.fields.refusal?.portal == portal)
        #expect(error?.message.hasSuffix("; sign in to the network at \(portal)") == true)
    }

    // MARK: Proxies

    /// They say the same of a server that does not exist. Another failure in between begins the day again.
    @Test(arguments: [(503, nil, 24), (429, nil, 24), (503, 20, 44)] as [(Int, Int?, Int)])
    func aProxyThatRefusesIsAskedForADay(_ status: Int, _ other: Int?, _ hours: Int) async throws {
        let refused = ExchangeFailure(.proxyRefused(HTTPResponse(status: .init(code: status))))
        let proxy = try ProxyServer(parsing: "http://proxy.test:3128")
        let stage = try Stage(proxy: .servers(http: proxy, https: proxy, bypass: [])) { _, number in
            .init(failure: number == other ? Self.broken : refused)
        }
        try await stage.add("http://a.test/f")
        let start = stage.scheduler.now
        var seen = 1
        let failed = try await stage.wait { now in
            guard now.state == .retrying, now.attempt > seen else { return 0 }
            seen = now.attempt
            return 3600
        } for: {
            $0.state == .failed
        }
        #expect(failed.error?.fields.status == status && failed.error?.fields.proxy != nil)
        #expect(stage.scheduler.now - start == Double(hours) * 3600)
        #expect(stage.transport.exchanges.count == hours + 1)
    }
}
