// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Testing
import TransferModel

@testable import fileq

@Suite struct OptionHintsTests {
    private func complaint(_ words: [String]) -> ErrorReport? {
        do {
            _ = try Program.parse(words)
            return nil
        } catch {
            return ErrorReport(error, about: MergedArguments(words: words))
        }
    }

    @Test(arguments: ["L", "O", "C", "k", "u", "x", "s", "c", "P", "T", "R"]) func hintsForOptionsOfCurlAndWget(
        letter: String
    ) {
        let complaint = complaint(["get", "-\(letter)", "http://h/a"])
        #expect(complaint?.status == 2)
        #expect(complaint?.line?.hasPrefix("-\(letter): ") == true, "\(complaint?.line ?? "")")
        #expect(complaint?.line?.contains("\n") == false)
    }

    /// Of curl, wget, aria2 and rclone.
    @Test(arguments: [
        (["--recursive"], "wget -r"), (["--dir=/tmp"], "-d FOLDER"), (["--output-dir", "/tmp"], "-d FOLDER"),
        (["--data", "x"], "no forms"), (["--netrc"], "netrc"), (["--out=x"], "-o FILE"), (["-nc"], "--skip-existing"),
        (["-x", "16", "-s", "16"], "--split N"), (["-x16"], "--split N"), (["-x", "http://proxy:1"], "http_proxy"),
        (["-4"], "IPv4"), (["-6"], "IPv6"), (["-n"], "netrc"), (["-Z"], "parallel"), (["--transfers", "4"], "-j N"),
        (["--timeout", "5"], "--request-timeout"), (["--head"], "HEAD"),
    ])
    func hintsForHabits(words: [String], part: String) {
        let complaint = complaint(["get"] + words + ["http://h/a"])
        let name = words[0].prefix { $0 != "=" }
        #expect(complaint?.status == 2)
        #expect(complaint?.line?.hasPrefix(name.hasPrefix("-x") ? "-x: " : "\(name): ") == true)
        #expect(complaint?.line?.contains(part) == true, "\(complaint?.line ?? "")")
    }

    @Test func eachOptionHasItsLine() {
        #expect(
            complaint(["get", "-LsO", "-o", "-k", "http://h/a"])?.line?.split(separator: "\n").map { $0.prefix(3) } == [
                "-L:", "-s:", "-O:",
            ])
        #expect(
            complaint(["add", "get", "--location", "http://h/a"])?.line?.hasPrefix(
                "--location: fileq always follows redirects") == true)
        #expect(complaint(["put", "-T", "f", "http://h/"])?.line?.contains("fileq put FILE URL") == true)
        #expect(complaint(["get", "--frobnicate", "http://h/a"])?.line?.hasSuffix("(see 'fileq get --help')") == true)
    }

    @Test(arguments: [
        ("status", "fileq service status"), ("ps", "fileq list"), ("rm", "fileq clear"), ("start", "fileq resume"),
        ("stop", "fileq pause"),
        ("gte", "fileq get"), ("lsit", "fileq list"), ("pasue", "fileq pause"), ("relocte", "fileq relocate"),
        ("https://h/a", "fileq get URL"), ("show", "fileq info"), ("edit", "fileq relocate"), ("limit", "fileq set"),
    ]) func suggestsCommandsForUnknownWords(word: String, part: String) {
        let complaint = complaint([word])
        #expect(complaint?.status == 2)
        #expect(complaint?.line?.contains(part) == true, "\(complaint?.line ?? "")")
    }

    @Test func ambiguousWordsGetNoSuggestion() {
        #expect(OptionHints.suggestion(for: "frobnicate") == nil)
        #expect(complaint(["frobnicate"])?.line == "unknown command 'frobnicate' (see 'fileq --help')")
    }

    @Test(arguments: [
        ("", "", 0), ("get", "get", 0), ("gte", "get", 1), ("gt", "get", 1), ("list", "lsit", 1), ("abc", "xyz", 3),
        ("", "ab", 2),
    ])
    func distances(first: String, second: String, expected: Int) {
        #expect(OptionHints.distance(first, second) == expected)
    }
}

@Suite struct ShortHelpTests {
    @Test(arguments: [
        ["-h"], ["get", "-h"], ["put", "-h"], ["add", "get", "-h"], ["add", "put", "-h"], ["get", "-o", "x", "-h"],
    ])
    func fitsAScreen(words: [String]) throws {
        let text = try #require(try HelpTopics.answer(to: words))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24, "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(text)")
        if words.first != "-h" {
            #expect(
                text.hasSuffix("All options: fileq help \(HelpTopics.commandPath(of: words).joined(separator: " "))"))
        }
    }

    @Test func longOptionsRemain() throws {
        for words in [["--help"], ["get", "--help"], ["help", "get"], ["list", "-h"], ["get", "--", "-h"]] {
            #expect(try HelpTopics.answer(to: words) == nil, "\(words)")
        }
    }

    @Test(arguments: ShortHelp.chosen.keys.sorted { $0.count < $1.count }) func shownOptionsExist(
        path: [String]
    ) {
        let command = CommandInventory.program.command(at: path)
        for name in ShortHelp.chosen[path] ?? [] {
            #expect(command.arguments?.contains { $0.longName == name } == true, "\(path) --\(name)")
        }
    }
}
