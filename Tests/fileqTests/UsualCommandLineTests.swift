// SPDX-License-Identifier: MIT

import ArgumentParser
@testable import fileq
import Testing

/// A line that is parsed without ArgumentParser means what ArgumentParser reads in it.
@Suite struct UsualCommandLineTests {
    /// Every member, with those of the property wrappers: one without a value is shown as a definition.
    private func members(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test(arguments: [
        ["http://a.test/x"], ["-q", "-o", "file", "http://a.test/x"], ["http://a.test/x", "http://b.test/y", "--json"],
        ["-q", "-j", "16", "-d", "folder", "-i", "list"], ["--quiet", "--plain", "-v", "--verbose", "http://a.test/x"],
        ["--output", "a", "-o", "b", "--directory", "c", "--input", "d", "-i", "e", "--concurrent", "2"],
        ["-o", "-", "http://a.test/x"], ["--overwrite", "--no-sync", "http://a.test/x?y=-z", "http://a.test/ä ö"], [],
    ])
    func readsDownloads(_ words: [String]) throws {
        let usual = try #require(UsualCommandLine.download(words[...]))
        #expect(members(usual) == members(try GetCommand.parse(words).arguments))
        #expect(!members(usual).contains("definition"))
    }

    @Test(arguments: [[], ["--json"], ["3-7", "state:failed"], ["3", "--json", "!state:failed"]])
    func readsLists(_ words: [String]) throws {
        let (usual, parsed) = (try #require(UsualCommandLine.list(words[...])), try ListCommand.parse(words))
        #expect(members(usual.filter) == members(parsed.filter))
        #expect(usual.json == parsed.json)
    }

    @Test(arguments: [["7"], ["--all", "-q"], ["-v", "3-7", "--json", "--plain"], []])
    func readsWaits(_ words: [String]) throws {
        let (usual, parsed) = (try #require(UsualCommandLine.wait(words[...])), try WaitCommand.parse(words))
        #expect(members(usual.selection) == members(parsed.selection))
        #expect(members(usual.shown) == members(parsed.shown))
    }

    /// Errors, help, and what takes more than a word to understand.
    @Test(arguments: [
        ["get", "-h"], ["get", "--help"], ["get", "--", "http://a.test/x"], ["get", "-o"], ["get", "-"],
        ["get", "-j4", "http://a.test/x"], ["get", "-j", "four"], ["get", "--output=x", "http://a.test/x"],
        ["get", ""],
        ["get", "-d", "-q"], ["get", "--header", "a: b", "http://a.test/x"], ["list", "--nope"], ["list", "-"],
        ["wait", "--timeout"], ["wait", "-qv", "7"], ["put", "a", "http://a.test/"], ["add", "http://a.test/x"], [],
    ])
    func leavesOtherLinesToArgumentParser(_ words: [String]) {
        #expect(UsualCommandLine.command(for: words) == nil)
    }

    @Test(arguments: [["get", "http://a.test/x"], ["list"], ["wait", "7"]])
    func takesUsualLines(_ words: [String]) {
        #expect(UsualCommandLine.command(for: words) != nil)
    }
}
