// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel

@Suite struct CookieMatchingTests {
    @Test(arguments: [
        ("example.com", "example.com", true), ("www.example.com", "example.com", true),
        ("a.b.example.com", "example.com", true),
        ("example.com", "www.example.com", false), ("badexample.com", "example.com", false), ("example.com", "", false),
        ("example.com", "com", true), ("example.com.", "example.com", false), ("example.com", "example.com.", false),
        ("example.org", "example.com", false), ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false),
        ("127.0.0.1", "1", false), ("::1", "::1", true), ("a:b.c", "c", false), ("x.0x7f", "0x7f", false),
    ]) func domains(_ host: String, _ domain: String, _ expected: Bool) {
        #expect(CookieDomain.matches(host, domain) == expected)
    }

    @Test(arguments: [
        ("/", "/", true), ("/x", "/", true), ("/x/y", "/x", true), ("/x/y", "/x/", true), ("/x", "/x", true),
        ("/x/", "/x", true),
        ("/xy", "/x", false), ("/x", "/x/", false), ("/X", "/x", false), ("/x/y", "/x/y/z", false),
        ("/%78", "/x", false),
    ]) func paths(_ path: String, _ folder: String, _ expected: Bool) {
        #expect(CookiePath.matches(path, folder) == expected)
    }

    @Test(arguments: [
        ("/", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("/x/y/", "/x/y"), ("", "/"), ("x", "/"), ("//", "/"),
        ("/x//", "/x/"),
    ]) func standardPaths(_ path: String, _ expected: String) {
        #expect(CookiePath.standard(for: path) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.1", true), ("2130706433", true), ("0x7f000001", true), ("127.0.0.0x1", true),
        ("1.2.3.4.", true),
        ("::1", true), ("fe80::1%eth0", true), ("localhost", false), ("1.example", false), ("example.1a", false),
        ("a", false),
        ("0xyz", false), ("example.com.", false),
    ]) func addresses(_ host: String, _ expected: Bool) {
        #expect(CookieDomain.isIPAddress(host) == expected)
    }

    @Test(arguments: [
        ("Example.COM", "example.com"), ("例え.jp", "xn--r8jz45g.jp"), ("xn--r8jz45g.jp", "xn--r8jz45g.jp"),
        ("a_b.例え.jp", "a_b.xn--r8jz45g.jp"), ("bücher.example", "xn--bcher-kva.example"),
        ("日本語。jp", "xn--wgv71a119e.jp"),
        ("１２７.0.0.1", "127.0.0.1"),
    ]) func normalizesHosts(_ host: String, _ expected: String) {
        #expect(CookieDomain.canonical(host) == expected)
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("example.com", "example.com"), ("a.b.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("me.github.io", "me.github.io"), ("x.me.github.io", "me.github.io"), ("localhost", "localhost"),
        ("10.0.0.1", "10.0.0.1"),
        ("www.example.com.", "example.com."),
    ]) func sites(_ host: String, _ expected: String) {
        #expect(ListedSuffixes().site(of: host) == expected)
    }

    /// What a server may set: `domain|hostOnly|path` of what comes of it.
    @Test(
        arguments: [
            ("https://www.example.com/a/b", "n=v", "www.example.com|true|/a"),
            ("https://www.example.com/a/b", "n=v; Domain=example.com; Path=/x", "example.com|false|/x"),
            ("https://www.example.com/", "n=v; Domain=www.example.com", "www.example.com|false|/"),
            ("https://www.example.com/", "n=v; Domain=.EXAMPLE.com", "example.com|false|/"),
            ("https://www.example.com/", "n=v; Domain=x.www.example.com", nil),
            ("https://www.example.com/", "n=v; Domain=other.com", nil),
            ("https://www.example.com/", "n=v; Domain=com", nil),
            ("https://www.example.com/", "n=v; Domain=.com", nil),
            ("https://www.example.com/", "n=v; Domain=..example.com", nil),
            ("https://www.example.com./", "n=v; Domain=com.", nil), ("https://x.co.uk/", "n=v; Domain=co.uk", nil),
            ("https://x.co.uk./", "n=v; Domain=co.uk.", nil), ("https://co.uk/", "n=v; Domain=co.uk", "co.uk|true|/"),
            ("https://me.github.io/", "n=v; Domain=github.io", nil),
            ("https://me.github.io/", "n=v; Domain=me.github.io", "me.github.io|false|/"),
            ("http://localhost/", "n=v", "localhost|true|/"),
            ("http://localhost/", "n=v; Domain=localhost", "localhost|true|/"),
            ("http://a.localhost/", "n=v; Domain=localhost", nil),
            ("http://127.0.0.1/", "n=v; Domain=127.0.0.1", "127.0.0.1|true|/"),
            ("http://127.0.0.1/", "n=v; Domain=0.0.1", nil), ("http://127.0.0.1/", "n=v; Domain=1", nil),
            ("http://[::1]/", "n=v", "::1|true|/"),
            ("https://例え.jp/", "n=v; Domain=xn--r8jz45g.jp", "xn--r8jz45g.jp|false|/"),
            ("https://例え.jp/", "n=v; Domain=例え.jp", nil),
            ("https://www.例え.jp/", "n=v; Domain=xn--r8jz45g.jp", "xn--r8jz45g.jp|false|/"),
            ("https://x.org/a/b?c/d", "n=v", "x.org|true|/a"), ("https://x.org?q", "n=v", "x.org|true|/"),
            ("https://x.org/" + String(repeating: "p", count: 1100) + "/", "n=v", nil),
            // Secure.
            ("http://x.org/", "n=v; Secure", nil), ("https://x.org/", "n=v; Secure", "x.org|true|/"),
            ("http://localhost/", "n=v; Secure", nil),
            // Prefixes.
            ("https://x.org/", "__Secure-n=v; Secure", "x.org|true|/"), ("https://x.org/", "__Secure-n=v", nil),
            ("https://x.org/", "__SECURE-n=v", nil), ("https://x.org/", "__Host-n=v; Secure; Path=/", "x.org|true|/"),
            ("https://x.org/", "__Host-n=v; Secure", nil), ("https://x.org/a/b", "__Host-n=v; Secure; Path=/a", nil),
            ("https://x.org/", "__host-n=v; Path=/", nil),
            ("https://x.org/", "__Host-n=v; Secure; Path=/; Domain=x.org", nil),
            ("https://x.org/", "__Host-n=v; Secure; Path=/; Domain=", "x.org|true|/"),
            ("https://x.org/", "=__Host-n=v; Secure; Path=/", nil),
            ("https://x.org/", "__Secure-n; Secure", nil), ("https://x.org/", "__Hostn=v", "x.org|true|/"),
        ] as [(String, String, String?)]) func domainsAServerMaySet(
            _ url: String, _ line: String, _ expected: String?
        ) throws
    {
        let origin = CookieOrigin(try TransferURL(url))
        let field = try #require(SetCookie(parsing: line))
        let cookie = StoredCookie(field, from: origin, suffixes: ListedSuffixes(), now: 1000)
        #expect(cookie.map { "\($0.domain)|\($0.hostOnly)|\($0.path)" } == expected)
    }

    @Test(
        arguments: [
            ("n=v", nil), ("n=v; Max-Age=10", 1010), ("n=v; Max-Age=0", 0), ("n=v; Max-Age=-1", 0),
            ("n=v; Max-Age=99999999999999999999", 1000 + 34_560_000),
            ("n=v; Expires=01 Jan 9999 00:00:00", 1000 + 34_560_000),
            ("n=v; Expires=01 Jan 1970 00:00:01", 1), ("n=v; Expires=01 Jan 1601 00:00:01", -11_644_473_599),
        ] as [(String, Int64?)]) func freshnessLifetimes(_ line: String, _ expected: Int64?) throws
    {
        let origin = CookieOrigin(try TransferURL("https://x.org/"))
        let field = try #require(SetCookie(parsing: line))
        let cookie = try #require(StoredCookie(field, from: origin, suffixes: ListedSuffixes(), now: 1000))
        #expect(cookie.expires == expected)
    }

    @Test func validatesManualCookies() throws {
        #expect(try StoredCookie(name: "a", value: "b", domain: "例え.JP").domain == "xn--r8jz45g.jp")
        #expect(try StoredCookie(name: "a", value: "secret", domain: "x.org").description == "a=(hidden) for x.org/")
        for (name, value, domain, path) in [
            ("", "", "x", "/"), ("a;", "", "x", "/"), ("a", "b\n", "x", "/"), ("a", " b", "x", "/"),
            ("a=", "b", "x", "/"),
            ("a", "b", "", "/"), ("a", "b", ".x", "/"), ("a", "b", "x", ""), ("a", "b", "x", "y"),
            ("__Host-a", "b", "x", "/"),
            ("a", String(repeating: "b", count: 4096), "x", "/"),
            ("a", "b", "x", "/" + String(repeating: "b", count: 1024)),
        ] {
            #expect(throws: TransferError.self) {
                try StoredCookie(name: name, value: value, domain: domain, path: path)
            }
        }
    }
}
