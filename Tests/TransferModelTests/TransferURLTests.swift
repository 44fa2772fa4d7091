// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct TransferURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/", "example.org", 80),
        ("HTTPS://Example.ORG:443/a b?q=写#part", "https://example.org/a%20b?q=%E5%86%99", "example.org", 443),
        ("http://example.org:8080?x", "http://example.org:8080/?x", "example.org", 8080),
        ("http://[::1]:8080/x", "http://[::1]:8080/x", "::1", 8080), ("http://[2001:DB8::1]/", "http://[2001:db8::1]/",
            "2001:db8::1", 80), ("http://example.org:/x", "http://example.org/x", "example.org", 80),
    ])
    func accepts(text: String, string: String, host: String, port: Int) throws {
        let url = try TransferURL(text)
        #expect(url.string == string)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(try TransferURL(url.string) == url)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http://", "http:///x", "http://:80/", "http://a b/",
        "http://example.org:0/", "http://example.org:65536/", "http://example.org:x/", "http://[::1/", "http://[::1]x/",
        "http://a\nb/", "http://a/\u{1B}", "http://a\\b/", "http://%41/", "http://example.org:+80/", "http://::1/",
        "http://a\"b/", "http://<a>/", "http://a|b/", "http://[]/", "http://[::1]:+1/",
    ])
    func refuses(text: String) {
        let error = #expect(throws: TransferError.self) { try TransferURL(text) }
        #expect(error?.code == .malformedURL)
        #expect(error.map { $0.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } } == true)
    }

    @Test(arguments: [
        ("http://example.org/a?b", "https://example.org/a?b"), ("http://example.org:8080/", "https://example.org:8080/"),
        ("http://example.org:443/", "https://example.org/"), ("https://example.org:80/", "https://example.org:80/"),
        ("http://ann:p%40ss@example.org/", "https://ann:p%40ss@example.org/"),
    ])
    func goesByHTTPS(text: String, expected: String) throws {
        #expect(try TransferURL(text).byHTTPS == TransferURL(expected))
    }

    @Test func userInformationNeverShows() throws {
        let url = try TransferURL("https://ann:p%40ss@example.org/a")
        #expect(url.credential == Credential(user: "ann", password: "p@ss"))
        #expect(!"\(url) \(url.origin) \(url.authority) \(url.target)".contains("ss@"))
        #expect("\(url.credential!)" == "ann:(hidden)")
        #expect(url.origin == "https://example.org:443")
    }

    @Test func segments() throws {
        #expect(try TransferURL("http://h/a/%E5%86%99.jpg?x=/y").lastPathSegment == "写.jpg")
        #expect(try TransferURL("http://h/a/").lastPathSegment == nil)
        #expect(try TransferURL("http://h/%ff").lastPathSegment == nil)
        #expect(try TransferURL("http://h/in/?k=v").appendingIfFolder("a b.txt").string == "http://h/in/a%20b.txt?k=v")
        #expect(try TransferURL("http://h/in").appendingIfFolder("x").string == "http://h/in")
        #expect(try TransferURL("http://u:p@h/in/").appendingIfFolder("x").credential?.user == "u")
    }

    @Test(arguments: [
        ("/x", "http://h:81/x"), ("y", "http://h:81/a/y"), ("../y", "http://h:81/y"), ("?q", "http://h:81/a/b?q"),
        ("//other/z", "http://other/z"), ("https://s/写", "https://s/%E5%86%99"), ("", "http://h:81/a/b?old"),
    ])
    func resolves(reference: String, expected: String) throws {
        #expect(try TransferURL("http://h:81/a/b?old").resolving(reference).string == expected)
    }

    @Test(arguments: ["ftp://h/", "javascript:x", "file:///etc/passwd", "http://"])
    func refusesToBeSentTo(reference: String) {
        #expect(throws: TransferError.self) { try TransferURL("http://h/").resolving(reference) }
    }
}
