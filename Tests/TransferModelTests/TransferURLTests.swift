// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct TransferURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/", "example.org", 80),
        ("HTTPS://Example.ORG:443/a b?q=写#part", "https://example.org/a%20b?q=%E5%86%99", "example.org", 443),
        ("http://example.org:8080?x", "http://example.org:8080/?x", "example.org", 8080),
        ("http://[::1]:8080/x", "http://[::1]:8080/x", "::1", 8080),
        (
            "http://[2001:DB8::1]/", "http://[2001:db8::1]/",
            "2001:db8::1", 80
        ), ("http://example.org:/x", "http://example.org/x", "example.org", 80),
    ])
    func accepts(text: String, string: String, host: String, port: Int) throws {
        let url = try TransferURL(text)
        #expect(url.string == string)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(try TransferURL(url.string) == url)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http://", "http:///x", "http://:80/",
        "http://a b/",
        "http://example.org:0/", "http://example.org:65536/", "http://example.org:x/", "http://[::1/", "http://[::1]x/",
        "http://a\nb/", "http://a/\u{1B}", "http://a\\b/", "http://%41/", "http://example.org:+80/", "http://::1/",
        "http://a\"b/", "http://<a>/", "http://a|b/", "http://[]/", "http://[::1]:+1/", "http://[example.org]/",
        "http://[%31::1]/", "http://[::g]/",
    ])
    func refuses(text: String) {
        let error = #expect(throws: TransferError.self) { try TransferURL(text) }
        #expect(error?.code == .malformedURL)
        #expect(error.map { $0.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } } == true)
    }

    /// RFC 3986, section 5.2.4; an empty segment is one.
    @Test(arguments: [
        ("/a/../b", "/b"), ("/a/./b/", "/a/b/"), ("/a/b/..", "/a/"), ("/a/b/.", "/a/b/"), ("/../../a", "/a"),
        ("/..", "/"), ("/.", "/"), ("/a//../b", "/a/b"), ("/a/..//b", "//b"), ("/a/.../b", "/a/.../b"),
        ("/.a/..b/c.", "/.a/..b/c."), ("/a/../b?x=/../y", "/b?x=/../y"), ("/a?/../b", "/a?/../b"),
        ("/a/%2e%2e/b", "/a/%2e%2e/b"), ("/mid/content=5/../6", "/mid/6"), ("/a/b/c/./../../g", "/a/g"),
    ])
    func resolvesDots(path: String, expected: String) throws {
        let url = try TransferURL("http://h:81" + path)
        #expect(url.string == "http://h:81" + expected && url.target == expected)
        #expect(try TransferURL("http://h:81/x").resolving("http://h:81" + path) == url)
        let base = try TransferURL("http://h:81/x")
        #expect(TransferURL("http://h:81" + path, like: base) ?? url == url)
    }

    @Test(arguments: [
        ("http://example.org/a?b", "https://example.org/a?b"),
        ("http://example.org:8080/", "https://example.org:8080/"),
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
        #expect(try TransferURL("http://h/a/%ff?x").lastEncodedPathSegment == "%ff")
        #expect(try TransferURL("http://h/in/?k=v").appendingIfFolder("a b.txt").string == "http://h/in/a%20b.txt?k=v")
        #expect(try TransferURL("http://h/in").appendingIfFolder("x").string == "http://h/in")
        let withUser = try TransferURL("http://u:p@h:81/in/?k#f").appendingIfFolder("x/y")
        #expect(withUser.credential?.user == "u" && withUser.string == "http://h:81/in/x/y?k")
        #expect(withUser.target == "/in/x/y?k" && withUser.path == "/in/x/y" && withUser.port == 81)
        #expect(try TransferURL("http://h/in/").appendingIfFolder("%#?").string == "http://h/in/%25%23%3F")
        #expect(try TransferURL("http://h/\u{301}").string == "http://h/%CC%81")
    }

    @Test(arguments: [
        ("/x", "http://h:81/x"), ("y", "http://h:81/a/y"), ("../y", "http://h:81/y"), ("?q", "http://h:81/a/b?q"),
        ("//other/z", "http://other/z"), ("https://s/写", "https://s/%E5%86%99"), ("", "http://h:81/a/b?old"),
        ("#x", "http://h:81/a/b?old"), ("/my%20file[1].txt#a%20[", "http://h:81/my%20file%5B1%5D.txt"),
        ("c%20d?q=[1]%20", "http://h:81/a/c%20d?q=%5B1%5D%20"), ("/a%zz%20%", "http://h:81/a%25zz%20%25"),
        ("//[::1]:80/[%20", "http://[::1]/%5B%20"), ("http://[::1]?%20[", "http://[::1]/?%20%5B"),
        ("/u?to=http://o/[1]%20", "http://h:81/u?to=http://o/%5B1%5D%20"),
    ])
    func resolves(reference: String, expected: String) throws {
        #expect(try TransferURL("http://h:81/a/b?old").resolving(reference).string == expected)
    }

    @Test func resolvesAtAnAddressWithBrackets() throws {
        #expect(try TransferURL("http://h/d%20[1]/s").resolving("f").string == "http://h/d%20%5B1%5D/f")
    }

    @Test(arguments: ["ftp://h/", "javascript:x", "file:///etc/passwd", "http://"])
    func refusesToBeSentTo(reference: String) {
        #expect(throws: TransferError.self) { try TransferURL("http://h/").resolving(reference) }
    }

    @Test(arguments: [
        ("http://h/a", "http://h/a"), ("http://h/a?b=c", "http://h/a?b=c"), ("http://h/?sig=x", "http://h/?sig=…"),
        ("http://h/?SIG=x&b=c;Token=y", "http://h/?SIG=…&b=c;Token=…"), ("http://h/?s%69g=x", "http://h/?s%69g=…"),
        (
            "http://h/?X-Amz-Signature=0a&X-Amz-Expires=9&X-Amz-Security-Token=b",
            "http://h/?X-Amz-Signature=…&X-Amz-Expires=9&X-Amz-Security-Token=…"
        ),
        ("http://h/?X-Goog-Signature=0a&GoogleAccessId=b", "http://h/?X-Goog-Signature=…&GoogleAccessId=…"),
        ("http://h/?sv=1&sig=a%3D&se=2", "http://h/?sv=1&sig=…&se=2"),
        ("http://h/?access_token=a=b", "http://h/?access_token=…"),
        ("http://h/?key=&api_key", "http://h/?key=&api_key"), ("http://h/sig=x", "http://h/sig=x"),
        ("http://h/?password=a?b", "http://h/?password=…"),
    ])
    func hidesSecretsInQueries(text: String, shown: String) throws {
        let url = try TransferURL(text)
        #expect(url.displayString == shown)
        #expect("\(url)" == shown)
        #expect(TransferURL.displayed(text) == shown)
        #expect(url.string == text)
    }

    @Test(arguments: [("example.org/x", true), ("./x", false), ("a.txt", false), ("photos/a.txt", false)])
    func anAddressWithoutSchemeIsProposedWithOne(_ text: String, _ isProposed: Bool) {
        let error = #expect(throws: TransferError.self) { try TransferURL(text) }
        #expect(error?.message.contains("did you mean 'https://\(text)'?") == isProposed)
    }

    @Test func errorsOfAnInvalidURLHideThem() {
        let error = #expect(throws: TransferError.self) { try TransferURL("example.org/x?token=hush&a=b") }
        #expect(error?.message.contains("hush") == false)
    }

    /// The samples of RFC 3492, section 7.1, and names that are in use.
    @Test(arguments: [
        ("example.org", "example.org"), ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("日本語.jp", "xn--wgv71a119e.jp"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
        ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("日本語。jp", "xn--wgv71a119e.jp"),
    ])
    func aHostHasAFormInASCII(host: String, ascii: String) {
        #expect(HostName.ascii(host) == ascii)
    }

    @Test(
        arguments: [
            ("example.org", nil), ("日本語.jp", nil), ("日本abc.jp", nil), ("カタカナとkanji漢字.jp", nil), ("пример.com", nil),
            ("bücher.de", nil),
            ("аpple.com", "xn--pple-43d.com"), ("gοοgle.com", "xn--ggle-0nda.com"),
        ] as [(String, String?)])
    func mixedScriptsAreShownInASCIIToo(host: String, ascii: String?) throws {
        #expect(HostName.warning(host) == ascii)
        let url = try TransferURL("http://\(host)/a")
        #expect(TransferURL.displayedForPeople(url.string) == url.string + (ascii.map { " (\($0))" } ?? ""))
        #expect(url.authority == host + (ascii.map { " (\($0))" } ?? ""))
    }
}

struct ReadableAddressTests {
    @Test(arguments: [
        ("http://h/%E5%A4%8F%E7%A5%AD%E3%82%8A.mp4", "http://h/夏祭り.mp4"), ("http://h/a%20b%2F", "http://h/a%20b%2F"),
        ("http://h/%C3%A4%20%c3%b6", "http://h/ä%20ö"), ("http://h/%E5%A4", "http://h/%E5%A4"),
        // A right-to-left override, a wide space, a control character.
        ("http://h/%E2%80%AEx", "http://h/%E2%80%AEx"), ("http://h/%E3%80%80", "http://h/%E3%80%80"),
        ("http://h/%C2%85", "http://h/%C2%85"), ("http://h/%", "http://h/%"), ("http://h/%E", "http://h/%E"),
        ("http://h/%+8%E5%A4%8F", "http://h/%+8夏"), ("http://h/a?q=%E5%A4%8F&sig=1", "http://h/a?q=夏&sig=…"), ("", ""),
    ])
    func lettersAreNotEncoded(_ text: String, _ shown: String) {
        #expect(TransferURL.readable(text) == shown)
    }
}
