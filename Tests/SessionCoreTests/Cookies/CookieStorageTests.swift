// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct CookieStorageTests {
    /// Set by an address, and what then goes to others.
    @Test(
        arguments: [
            ("https://www.example.com/a/b", "n=v", "https://www.example.com/a/c", "n=v"),
            ("https://www.example.com/a/b", "n=v", "https://www.example.com/", nil),
            ("https://www.example.com/a/b", "n=v", "http://www.example.com:8080/a", "n=v"),
            ("https://www.example.com/", "n=v", "https://example.com/", nil),
            ("https://example.com/", "n=v", "https://www.example.com/", nil),
            ("https://example.com/", "n=v; Domain=example.com", "https://a.www.example.com/x", "n=v"),
            ("https://example.com/", "n=v; Domain=example.com", "https://badexample.com/", nil),
            ("https://example.com/", "n=v; Secure", "http://example.com/", nil),
            ("https://example.com/", "n=v; Secure", "https://example.com/", "n=v"),
            ("http://127.0.0.1/", "n=v", "http://127.0.0.1:99/", "n=v"),
            ("http://[::1]/", "n=v", "http://[::1]/", "n=v"),
            ("https://例え.jp/", "n=v", "https://xn--r8jz45g.jp/", "n=v"),
            ("http://x.org/", "n=v; HttpOnly; SameSite=Strict", "http://x.org/", "n=v"),
            ("http://x.org/", "justvalue", "http://x.org/", "justvalue"),
            ("http://x.org/", "n=", "http://x.org/", "n="),
            ("http://x.org/", "n=\"v\"", "http://x.org/", "n=\"v\""),
            ("http://x.org/", "n=日本", "http://x.org/", "n=日本"),
            ("http://x.org/", "n=v; Max-Age=0", "http://x.org/", nil),
        ] as [(String, String, String, String?)])
    func sendsMatchingCookies(_ from: String, _ line: String, _ to: String, _ expected: String?) throws {
        let stage = CookieStage()
        try stage.receive(line, from: from)
        #expect(try stage.sent(to: to) == expected)
    }

    @Test func sortsByPathLengthThenAge() throws {
        let stage = CookieStage()
        for line in ["first=1; Path=/", "deep=1; Path=/a/b", "second=1; Path=/", "middle=1; Path=/a"] {
            try stage.receive(line, from: "https://x.org/a/b")
            stage.scheduler.advance(by: 1)
        }
        // A new value keeps the place of the old one.
        try stage.receive("first=2; Path=/", from: "https://x.org/")
        #expect(try stage.sent(to: "https://x.org/a/b/c") == "deep=1; middle=1; first=2; second=1")
        try stage.receive("c=1", "b=1", "a=1", from: "https://y.org/")
        #expect(try stage.sent(to: "https://y.org/") == "c=1; b=1; a=1")
    }

    @Test func identifiesCookies() throws {
        let stage = CookieStage()
        try stage.receive("n=1", "n=2; Path=/a", "n=3; Domain=x.org", "N=4", "n=5", from: "https://x.org/")
        #expect(
            stage.storage.all.map { "\($0.name)=\($0.value)\($0.hostOnly)\($0.path)" } == [
                "N=4true/", "n=5true/", "n=3false/", "n=2true/a",
            ])
        try stage.receive("n=; Max-Age=0", from: "https://x.org/")
        #expect(stage.storage.all.map(\.value) == ["4", "3", "2"])
        stage.storage.delete(stage.storage.all[0])
        #expect(stage.storage.all.map(\.value) == ["3", "2"])
    }

    @Test(arguments: [
        ("n=new", "http://x.org/", "/login", "old"), ("n=new; Path=/login", "http://x.org/", "/login", "old"),
        ("n=new; Path=/login/en", "http://x.org/", "/login/en", "old"),
        ("n=; Max-Age=0; Path=/login", "http://x.org/", "/login", "old"),
        ("n=new; Domain=x.org; Path=/login", "http://a.x.org/", "/login", "old"),
        ("n=new; Path=/login", "https://x.org/", "/login", "new"),
        ("other=new; Path=/login", "http://x.org/", "/login", "old"),
    ])
    func plainHTTPNeitherReplacesNorHidesSecureCookies(
        _ line: String, _ from: String, _ path: String, _ expected: String
    ) throws {
        let stage = CookieStage()
        try stage.receive("n=old; Secure; Path=/login", from: "https://x.org/login")
        try stage.receive(line, from: from)
        let cookies = stage.storage.cookies(for: try TransferURL("https://x.org\(path)")).filter { $0.name == "n" }
        #expect(cookies.first?.value == expected)
    }

    @Test func doesNotSendExpiredCookies() throws {
        let stage = CookieStage()
        try stage.receive("short=1; Max-Age=10", "long=1; Max-Age=100", "session=1", from: "https://x.org/")
        stage.scheduler.advance(by: 9)
        #expect(try stage.sent(to: "https://x.org/") == "short=1; long=1; session=1")
        stage.scheduler.advance(by: 1)
        #expect(try stage.sent(to: "https://x.org/") == "long=1; session=1")
        #expect(stage.storage.all.map(\.name) == ["long", "session"])
        stage.scheduler.advance(by: 1000)
        #expect(stage.storage.all.map(\.name) == ["session"])
    }

    // MARK: Policies

    @Test(
        arguments: [
            (CookieStorage.AcceptPolicy.always, "https://ads.net/", "https://x.org/", true),
            (.never, "https://x.org/", "https://x.org/", false),
            (.onlyFromMainDocumentDomain, "https://x.org/", "https://x.org/", true),
            (.onlyFromMainDocumentDomain, "https://a.x.org/", "https://b.x.org/", true),
            (.onlyFromMainDocumentDomain, "https://ads.net/", "https://x.org/", false),
            (.onlyFromMainDocumentDomain, "https://a.github.io/", "https://b.github.io/", false),
            (.onlyFromMainDocumentDomain, "https://a.co.uk/", "https://b.co.uk/", false),
            (.onlyFromMainDocumentDomain, "https://www.例え.jp/", "https://xn--r8jz45g.jp/", true),
            (.onlyFromMainDocumentDomain, "http://127.0.0.1/", "http://10.0.0.1/", false),
            (.onlyFromMainDocumentDomain, "https://ads.net/", nil, true),
        ] as [(CookieStorage.AcceptPolicy, String, String?, Bool)])
    func policies(
        _ policy: CookieStorage.AcceptPolicy, _ from: String, _ mainDocument: String?, _ isStored: Bool
    ) throws {
        let stage = CookieStage()
        stage.storage.acceptPolicy = policy
        try stage.receive("n=v", from: from, mainDocument: mainDocument)
        #expect(stage.storage.all.count == (isStored ? 1 : 0))
    }

    @Test func sendsStoredCookiesUnderNeverPolicy() throws {
        let stage = CookieStage()
        try stage.receive("n=v", from: "https://x.org/")
        stage.storage.acceptPolicy = .never
        try stage.receive("n=w", from: "https://x.org/")
        stage.storage.set(try StoredCookie(name: "m", value: "v", domain: "x.org"))
        #expect(try stage.sent(to: "https://x.org/") == "n=v")
    }

    // MARK: By hand

    @Test func setsAndRemovesCookies() throws {
        let stage = CookieStage()
        stage.storage.set(try StoredCookie(name: "a", value: "1", domain: "X.org", hostOnly: false))
        stage.scheduler.advance(by: 10)
        let second = stage.scheduler.wallNow
        stage.storage.set(try StoredCookie(name: "b", value: "2", domain: "x.org"))
        stage.storage.set(try StoredCookie(name: "a", value: "3", domain: "x.org", hostOnly: false))
        #expect(try stage.sent(to: "https://x.org/") == "a=3; b=2")
        #expect(stage.storage.all.map(\.creation) == [second - 10, second])
        stage.storage.removeAll(since: second)
        #expect(stage.storage.all.map(\.name) == ["a"])
        stage.storage.set(try StoredCookie(name: "a", value: "", domain: "x.org", hostOnly: false, expires: 1))
        #expect(stage.storage.all.isEmpty)
        try stage.receive("n=v", from: "https://x.org/")
        stage.storage.removeAll()
        #expect(stage.storage.all.isEmpty)
    }

    @Test func requestCookiesPrecedeStoredOnes() throws {
        let stage = CookieStage()
        try stage.receive("sid=old", "other=1", from: "https://x.org/")
        let given = [try Cookie(name: "sid", value: "new"), try Cookie(name: "z", value: "2")]
        #expect(try stage.sent(to: "https://x.org/", given: given) == "sid=new; z=2; other=1")
        #expect(try stage.sent(to: "https://y.org/", given: given) == "sid=new; z=2")
        #expect(try stage.sent(to: "https://y.org/") == nil)
    }

    // MARK: Limits

    @Test func limitsTheCookieField() throws {
        let stage = CookieStage()
        let large = String(repeating: "x", count: 4000)
        try stage.receive("a=\(large)", "b=\(large)", "c=\(large)", "d=1", from: "https://x.org/")
        let sent = try #require(try stage.sent(to: "https://x.org/"))
        #expect(sent == "a=\(large); b=\(large); d=1")
        #expect(sent.utf8.count <= CookieHeader.maximumBytes)
    }

    @Test func evictsUnusedCookiesOfADomainFirst() throws {
        let stage = CookieStage()
        for number in 0..<50 {
            try stage.receive("n\(number)=v; Path=/p\(number)", from: "https://x.org/")
            stage.scheduler.advance(by: 1)
        }
        _ = try stage.sent(to: "https://x.org/p0")
        stage.scheduler.advance(by: 1)
        try stage.receive("new=v", from: "https://x.org/")
        let names = Set(stage.storage.all.map(\.name))
        #expect(names.count == 50)
        #expect(names.contains("n0") && names.contains("new") && !names.contains("n1"))
    }

    @Test func evictsInsecureCookiesOfADomainFirst() throws {
        let stage = CookieStage()
        try stage.receive("expired=v; Secure; Max-Age=1", from: "https://x.org/")
        for number in 0..<48 { try stage.receive("s\(number)=v; Secure", from: "https://x.org/") }
        stage.scheduler.advance(by: 5)
        try stage.receive("plain=v", from: "https://x.org/")
        try stage.receive("plain2=v", from: "https://x.org/")
        #expect(stage.storage.all.count == 50)
        try stage.receive("s48=v; Secure", from: "https://x.org/")
        #expect(stage.storage.all.filter { !$0.secure }.map(\.name) == ["plain2"])
    }

    @Test func limitsCookiesToThreeThousand() throws {
        let stage = CookieStage()
        for host in 0..<70 {
            try stage.receive((0..<50).map { "n\($0)=v" }, from: "https://h\(host).org/")
            stage.scheduler.advance(by: 1)
        }
        #expect(stage.storage.all.count == 3000)
        #expect(try stage.sent(to: "https://h0.org/") == nil)
        #expect(try stage.sent(to: "https://h69.org/") != nil)
    }

    @Test func keepsTheLastFiftyLines() throws {
        let stage = CookieStage()
        try stage.receive(
            (0..<5000).map { "n\($0)=v; Domain=x.org" } + ["a=" + String(repeating: "x", count: 2_000_000)],
            from: "http://www.x.org/")
        #expect(stage.storage.all.count == 50)
        #expect(try stage.sent(to: "http://x.org/")?.hasPrefix("n4950=v; ") == true)
    }

    @Test func isThreadSafe() async throws {
        let stage = CookieStage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        try stage.receive("n\(number)=v", from: "https://h\(worker).org/")
                        _ = try stage.sent(to: "https://h\(worker).org/")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(stage.storage.all.count == 400)
    }
}
