// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import Listings

@Suite struct ListingNameTests {
    private static let url = "http://host.test:8080/pub/a%20b/"

    private func place(_ reference: String) throws -> String {
        switch ListingBase(try TransferURL(Self.url)).place(of: Array(reference.utf8)[...]) {
        case .own: "own"
        case .above: "above"
        case .below(let name, let isFolder): String(decoding: name, as: UTF8.self) + (isFolder ? "/" : "")
        case .elsewhere: "elsewhere"
        }
    }

    @Test(arguments: [
        ("x", "x"), ("x/", "x/"), ("./x", "x"), ("././x/", "x/"), (" x\n", "x"), ("x#part", "x"), ("...", "..."),
        ("..x", "..x"), ("", "elsewhere"), ("#top", "elsewhere"), ("?C=N;O=D", "elsewhere"), ("x?zip", "elsewhere"),
        (".", "own"), ("./", "own"), ("x/..", "own"), ("..", "above"), ("../", "above"), ("/", "above"),
        ("/pub/", "above"), ("../../..", "above"), ("/pub/a%20b/", "own"), ("/pub/a%20b", "own"),
        ("/pub/a%20b/x", "x"), ("/pub/%61%20b/x", "x"), ("../a%20b/x/", "x/"), ("/pub/a%20b/x/y", "elsewhere"),
        ("x/y", "elsewhere"), ("a//", "elsewhere"), ("/pub/other/x", "elsewhere"), ("/pub/a%20c/x", "elsewhere"),
        ("http://host.test:8080/pub/a%20b/x", "x"), ("HTTP://Host.TEST:8080/pub/a%20b/x", "x"),
        ("//host.test:8080/pub/a%20b/x", "x"), ("http://host.test/pub/a%20b/x", "elsewhere"),
        ("https://host.test:8080/pub/a%20b/x", "elsewhere"), ("//other.test/pub/a%20b/x", "elsewhere"),
        ("mailto:a@b", "elsewhere"), ("javascript:x()", "elsewhere"), ("colon%3Ax", "colon%3Ax"),
        ("./colon:x", "colon:x"),
        ("%2e%2e", "%2e%2e"), ("a%2Fb", "a%2Fb"),
    ]) func referencesLeadToPlaces(_ reference: String, _ place: String) throws {
        #expect(try self.place(reference) == place)
    }

    @Test func namesAreDecodedOnceAndRefusedAsTheRulesSay() throws {
        let names = [
            "%2541", "a%2Fb", "%2e%2e", "%2E", "a%00b", "a%0ab", "%ff", "%zz", "%2", "x.fileq-part",
            "y.fileq-part.json", ".fileq-server", "%C2%85",
        ]
        let page = try #require(
            IndexPage.read(
                Array(names.map { "<a href=\"\($0)\">x</a>\n" }.joined().utf8), at: try TransferURL(Self.url)))
        #expect(page.entries.map(\.name) == ["%41"])
        #expect(
            page.refused.map(\.reason) == [
                .slash, .dots, .dots, .control, .control, .notUTF8, .encoding, .encoding, .reserved, .reserved,
                .reserved, .control,
            ])
    }

    @Test func namesOfJSONAreRefusedAsTheRulesSay() throws {
        let names = [#""#, ".", "..", "a/b", #"a\u0000b"#, #"a\u001bb"#, "fine", #"\u2028"#]
        let items = names.map { #"{"name":"\#($0)","type":"file"}"# }.joined(separator: ",")
        let page = try #require(JSONListing.read(Array("[\(items)]".utf8), at: try TransferURL(Self.url)))
        #expect(page.entries.map(\.name) == ["fine"])
        #expect(page.refused.map(\.reason) == [.empty, .dots, .dots, .slash, .control, .control, .control])
    }

    /// Equal as strings, not as names of files.
    @Test func normalFormsAreTwoNamesAndEqualNamesOne() throws {
        let links = ["e%CC%81", "%C3%A9", "a", "./a", "a"].map { "<a href='\($0)'>x</a>" }.joined()
        let page = try #require(IndexPage.read(Array(links.utf8), at: try TransferURL(Self.url)))
        #expect(page.entries.count == 3)
    }

    @Test func countsWhatItDoesNotKeep() throws {
        let links = (0..<1500).map { "<a href=\"\($0)%2F\">" }.joined()
        let page = try #require(IndexPage.read(Array(links.utf8), at: try TransferURL(Self.url)))
        #expect(page.refused.count == ListingPage.maximumRefused && page.refusedCount == 1500)
    }

    // MARK: Any names

    /// As servers write a folder of `names`.
    private static let servers: [(String, @Sendable ([String]) -> String)] = [
        (
            "nginx",
            { names in page(names) { "<a href=\"\(PercentCoding.encode($0))\">\(escaped($0))</a>  06-May-2024" } }
        ),
        (
            "Apache",
            { names in
                page(names) { name in
                    let path = escape(name, keeping: "$&+,:;=@!*'()")
                    let prefix = path.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":")) ? "./" : ""
                    return "<li><a href=\"\(prefix)\(escaped(path))\"> \(escaped(name))</a></li>"
                }
            }
        ),
        ("caddy", { names in page(names) { "<tr><td><a href=\"./\(escaped(escape($0, keeping: "$&+:=@")))\">" } }),
        (
            "wsgidav",
            { names in
                "<multistatus xmlns='DAV:'>"
                    + names.map { "<response><href>/pub/a%20b/\(PercentCoding.encode($0))</href></response>" }.joined()
                    + "</multistatus>"
            }
        ),
    ]

    private static func page(_ names: [String], _ line: (String) -> String) -> String {
        "<title>Index of /</title><pre><a href=\"../\">../</a>\n" + names.map { line($0) + "\n" }.joined() + "</pre>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static func escape(_ name: String, keeping kept: String) -> String {
        name.unicodeScalars.map { scalar in
            kept.unicodeScalars.contains(scalar) ? String(scalar) : PercentCoding.encode(String(scalar))
        }.joined()
    }

    @Test(arguments: 0..<50) func readsBackAnyNames(_ seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let alphabet = Array(" %&<>\"'#?+;:*\\[]{}~@=,^!$()|`-._aZ09é写😀\u{301}".unicodeScalars)
        var names: Set<String> = []
        for _ in 0..<40 {
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                name.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            let text = String(name)
            if !["", ".", ".."].contains(text) { names.insert(text) }
        }
        let expected = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        for (server, write) in Self.servers {
            let (text, url) = (Array(write(Array(names)).utf8), try TransferURL(Self.url))
            let page = server == "wsgidav" ? MultistatusListing.read(text, at: url) : IndexPage.read(text, at: url)
            let read = try #require(page, "\(server)").entries.map { Array($0.name.utf8) }
            #expect(read.sorted { $0.lexicographicallyPrecedes($1) } == expected, "\(server)")
        }
    }
}
