// SPDX-License-Identifier: MIT

import Testing

@testable import TransferModel

/// Names that begin with a combining mark, as a stranger or a cut text has them.
@Suite struct SlashesTests {
    private static let marked = "a/\u{301}b"

    @Test func aMarkBehindASlashDoesNotHideIt() {
        #expect(!Self.marked.contains("/"), "as characters, the slash is gone")
        #expect(Self.marked.pathParts == ["a", "\u{301}b"])
        #expect(Self.marked.lastPathPart == "\u{301}b")
        #expect(Self.marked.afterLastSlash == "\u{301}b")
        #expect(Self.marked.throughLastSlash?.utf8.count == 2)
        #expect("/\u{301}".beginsWithSlash && !"\u{301}/x".beginsWithSlash)
        #expect("..\u{301}/../\u{301}/..".pathParts == ["..\u{301}", "..", "\u{301}", ".."])
    }

    @Test(
        arguments: [
            ("", [], nil, "", nil), ("/", [], nil, "", "/"), ("//", [], nil, "", "//"), ("a", ["a"], "a", "a", nil),
            ("a/", ["a"], "a", "", "a/"), ("/a//b/", ["a", "b"], "b", "", "/a//b/"),
            ("写/真", ["写", "真"], "真", "真", "写/"),
        ] as [(String, [Substring], Substring?, Substring, Substring?)])
    func parts(
        path: String, parts: [Substring], last: Substring?, after: Substring, through: Substring?
    ) {
        #expect(path.pathParts == parts)
        #expect(path.lastPathPart == last)
        #expect(path.afterLastSlash == after)
        #expect(path.throughLastSlash == through)
        #expect(path.endsWithSlash == (path.last == "/"))
        #expect(path.firstSlash == path.firstIndex(of: "/"))
    }
}
