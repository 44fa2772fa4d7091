// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing
import TransferModel

@Suite struct ProxyPolicyTests {
    @Test(
        arguments: [
            ("http://a/", ["http_proxy": "p:1"], "http://p:1"),
            ("http://a/", ["HTTP_PROXY": "p:1"], nil),
            ("https://a/", ["http_proxy": "p:1"], nil),
            ("https://a/", ["https_proxy": "p:1", "HTTPS_PROXY": "q:1"], "http://p:1"),
            ("https://a/", ["https_proxy": "", "HTTPS_PROXY": "q:1"], "http://q:1"),
            ("http://a/", ["all_proxy": "socks5h://s"], "socks5h://s:1080"),
            ("https://a/", ["ALL_PROXY": "socks5h://s", "https_proxy": "p:1"], "http://p:1"),
            ("http://a/", ["http_proxy": "p:1", "no_proxy": "a"], nil),
            ("http://a/", ["http_proxy": "p:1", "NO_PROXY": "a"], nil),
            ("http://a/", ["http_proxy": "p:1", "no_proxy": "b", "NO_PROXY": "a"], "http://p:1"),
            ("http://a/", ["http_proxy": "p:1", "no_proxy": "", "NO_PROXY": "a"], nil),
            ("http://a/", [:], nil),
        ] as [(String, [String: String], String?)])
    func readsTheEnvironmentLikeCurl(_ url: String, _ variables: [String: String], _ expected: String?) throws {
        #expect(try ProxyPolicy(.environment(variables)).server(for: TransferURL(url))?.description == expected)
    }

    @Test func reportsAnInvalidProxyOnlyWhenUsed() throws {
        let policy = ProxyPolicy(.environment(["https_proxy": "gopher://me:secret@h", "no_proxy": "inside"]))
        #expect(try policy.server(for: TransferURL("http://a/")) == nil)
        #expect(try policy.server(for: TransferURL("https://inside/")) == nil)
        let error = #expect(throws: TransferError.self) { try policy.server(for: TransferURL("https://a/")) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("https_proxy") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func configuredProxiesHaveABypass() throws {
        let policy = ProxyPolicy(
            .servers(
                http: ProxyServer(host: "h", port: 1), https: ProxyServer(host: "s", port: 2),
                bypass: ["x", "10.0.0.0/8, y"]))
        #expect(try policy.server(for: TransferURL("http://a/"))?.host == "h")
        #expect(try policy.server(for: TransferURL("https://a/"))?.host == "s")
        for host in ["x", "y", "10.1.2.3"] { #expect(try policy.server(for: TransferURL("http://\(host)/")) == nil) }
        #expect(try ProxyPolicy(.none).server(for: TransferURL("http://a/")) == nil)
    }

    @Test(arguments: [
        ("*", "a", 80, true), ("b, *", "a", 80, true), ("", "a", 80, false), (" , ", "a", 80, false),
        ("example.org", "example.org", 80, true), ("Example.ORG", "www.example.org", 80, true),
        ("example.org", "notexample.org", 80, false), (".example.org", "example.org", 80, true),
        ("*.example.org", "a.b.example.org", 80, true), ("example.org.", "example.org", 80, true),
        ("example.org", "example.org.", 80, true), ("example.org:8080", "example.org", 8080, true),
        ("example.org:8080", "example.org", 80, false), ("a b\tc\nd", "c", 80, true), ("org", "example.org", 80, true),
        ("127.0.0.1", "127.0.0.1", 80, true), ("127.0.0.1:81", "127.0.0.1", 80, false),
        ("0.0.1", "127.0.0.1", 80, false),
        (".0.0.1", "127.0.0.1", 80, false), ("10.0.0.0/8", "10.255.1.2", 80, true),
        ("10.0.0.0/8", "11.0.0.1", 80, false),
        ("192.168.1.64/26", "192.168.1.127", 80, true), ("192.168.1.64/26", "192.168.1.128", 80, false),
        ("0.0.0.0/0", "8.8.8.8", 80, true), ("0.0.0.0/0", "name", 80, false), ("10.0.0.0/33", "10.0.0.0", 80, false),
        ("10.0.0.0/", "10.0.0.0", 80, false), ("10.0.0.0/x", "10.0.0.0", 80, false), ("::1", "::1", 80, true),
        ("[::1]", "0:0:0:0:0:0:0:1", 80, true), ("[::1]:81", "::1", 81, true), ("[::1]:81", "::1", 80, false),
        ("fd00::/8", "fdab::1", 80, true), ("fd00::/8", "fe80::1", 80, false), ("fe80::1", "fe80::1%eth0", 80, true),
        ("::1/128", "127.0.0.1", 80, false), ("host/8", "host", 80, false), (".", "a", 80, false),
        ("*.", "a", 80, false),
    ])
    func bypass(_ list: String, _ host: String, _ port: Int, _ expected: Bool) {
        #expect(ProxyBypass([list]).contains(host: host, port: port) == expected)
    }
}
