// SPDX-License-Identifier: MIT

import Testing

@testable import TransferModel

@Suite struct LinkFieldTests {
    @Test(arguments: [
        ("", []),
        ("<http://a/b>; rel=duplicate", ["http://a/b|rel=duplicate"]),
        (#"<a>; rel="duplicate  describedby"; pri=1 ;pref"#, ["a|pref=|pri=1|rel=duplicate  describedby"]),
        (#"<a,b;c>;rel=x , <d>; title="e, \"f\"; <g>"; rel=y"#, ["a,b;c|rel=x", #"d|rel=y|title=e, "f"; <g>"#]),
        (",,<a>,,<b>", ["a|", "b|"]), ("<a>; rel=x; rel=y", ["a|rel=x"]), ("<a>; REL=x", ["a|rel=x"]),
        ("<>; rel=duplicate", ["|rel=duplicate"]), ("<a>;rel*=UTF-8''x", ["a|rel*=UTF-8''x"]),
        // What follows a mistake is left out.
        ("<a>; rel=x, b; rel=y, <c>", ["a|rel=x"]), ("<a", []), ("a", []), (#"<a>; title="b"#, []),
        ("<a> b, <c>", []), ("<a>;;rel=x", ["a|rel=x"]),
    ]) func readsWellFormedLinks(_ text: String, _ expected: [String]) {
        let found = LinkField(parsing: text).links.map { link in
            link.target + "|"
                + link.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                .joined(separator: "|")
        }
        #expect(found == expected)
    }

    @Test func mirrorsAreThoseOfTheSameFile() throws {
        let url = try TransferURL("https://a.test/d/f.iso")
        let found = FileMirror.announced(
            by: [
                "<https://b.test/f>; rel=duplicate; pri=3; geo=DE; pref, <f.iso>; rel=duplicate, "
                    + "<g.iso>; rel=duplicate; geo=\"\u{1}i\"",
                "<https://c.test/f>; rel=describedby, <ftp://d.test/f>; rel=duplicate, "
                    + "<https://u:p@e.test/f>; rel=duplicate; pri=0, <https://b.test/f>; rel=duplicate, "
                    + "<https://u:p@b.test/f>; rel=duplicate",
            ], of: url)
        #expect(
            found.map(\.url.string) == ["https://b.test/f", "https://a.test/d/g.iso", "https://e.test/f"])
        #expect(found.map(\.priority) == [3, nil, nil])
        #expect(found.map(\.location) == ["de", nil, nil])
        #expect(found.allSatisfy { $0.url.credential == nil })
    }

    @Test func theirNumberHasALimit() throws {
        let url = try TransferURL("https://a.test/f")
        let fields = (0..<200).map { "<https://m\($0).test/f>; rel=duplicate" }
        #expect(FileMirror.announced(by: fields, of: url).count == FileMirror.maximumCount)
    }

    /// RFC 3230.
    @Test(arguments: [
        ("SHA-256=\(zeros)", 1), ("md5=x, sha-256=\(zeros)", 1), ("SHA-256=AAAA", 0), ("", 0), ("sha-256", 0),
        ("SHA-256=\(zeros),sha-256=\(zeros)", 1),
    ]) func readsObsoleteDigests(_ text: String, _ count: Int) {
        let found = ReprDigest(obsolete: text).checksums
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.bytes == Array(repeating: 0, count: 32) })
    }

    private static let zeros = String(repeating: "A", count: 43) + "="
}
