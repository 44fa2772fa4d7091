// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

/// What the completion scripts of the shells get.
@Suite struct ShellCompletionTests {
    private static let transfers = [
        transfer(1, "http://a.test/debian.iso", .running(.init(rate: 1))),
        transfer(2, "https://b.test:8443/夏.mp4", .failed(.init(), TransferError(.httpStatus, "b.test: 404"))),
        transfer(12, "http://a.test/x", .paused(.by(.transfer))),
        transfer(13, "http://a.test/y", .completed(.init())),
    ]

    private static func transfer(_ id: Int, _ url: String, _ status: TransferStatus) -> Transfer {
        let name = url.split(separator: "/").last.map(String.init) ?? ""
        return Transfer(
            id: TransferID(rawValue: id), kind: .download, url: url, file: "/tmp/\(name)", status: status)
    }

    /// The last of `words` is completed.
    private func words(_ words: [String], _ shell: ShellCompletion.Shell = .zsh) throws -> [String] {
        let request = try #require(
            ShellCompletion(
                ["---completion", words[1], "--", "positional@0", "\(words.count - 1)", "0"] + words))
        return request.proposals(for: shell, Self.transfers).map(\.word)
    }

    @Test func readsTheRequestOfAScript() throws {
        let request = try #require(
            ShellCompletion(["---completion", "add", "get", "--", "--priority", "3", "0", "fileq", "add", "get", ""]))
        #expect(request.command == ["add", "get"] && request.index == 3)
        #expect(request.words == ["fileq", "add", "get", ""])
    }

    @Test(arguments: [
        [], ["list"], ["---completion"], ["---completion", "pause", "--", "positional@0"],
        ["---completion", "--", "positional@0", "x", "0"],
    ])
    func otherWordsAreNone(_ words: [String]) { #expect(ShellCompletion(words) == nil) }

    @Test(arguments: [
        (["fileq", "pause", ""], ["1", "12"]), (["fileq", "cancel", "1"], ["1", "12"]),
        (["fileq", "retry", ""], ["2"]), (["fileq", "resume", ""], ["12"]), (["fileq", "clear", ""], ["2", "13"]),
        (["fileq", "relocate", ""], ["1", "2", "12"]),
        (["fileq", "info", ""], ["1", "2", "12", "13"]), (["fileq", "info", "1", ""], ["2", "12", "13"]),
        (["fileq", "list", "sta"], []),
    ])
    func proposesIDsToWhichTheCommandApplies(_ typed: [String], _ ids: [String]) throws {
        #expect(try words(typed).filter { $0.allSatisfy(\.isNumber) } == ids)
    }

    @Test func proposesFiltersServersAndPlaces() throws {
        let all = try words(["fileq", "list", ""])
        #expect(all.contains("state:failed") && all.contains("kind:upload"))
        #expect(all.suffix(2) == ["host:a.test", "host:b.test"])
        #expect(try words(["fileq", "move", "1", ""]).prefix(4) == ["top", "up", "down", "bottom"])
        #expect(try words(["fileq", "relocate", ""]).contains("host:a.test"))
    }

    /// bash splits words at colons, and replaces what is behind them.
    @Test(arguments: [
        (["fileq", "list", "kind", ":"], ["download", "upload"]),
        (["fileq", "list", "kind", ":", "up"], ["download", "upload"]),
        (["fileq", "list", "host", ":"], ["a.test", "b.test"]), (["fileq", "list", "name", ":", "x"], []),
    ])
    func bashGetsWhatFollowsAColon(_ typed: [String], _ expected: [String]) throws {
        #expect(try words(typed, .bash) == expected)
    }

    /// bash would execute them.
    @Test func hostsThatAreNoNamesAreLeftOut() throws {
        let request = try #require(
            ShellCompletion(["---completion", "list", "--", "positional@0", "2", "0", "fileq", "list", ""]))
        let found = request.proposals(for: .bash, [Self.transfer(1, "http://[::1]/$(reboot)", .queued())])
        #expect(found.contains { $0.word == "1" } && !found.contains { $0.word.hasPrefix("host:") })
        #expect(!ShellCompletion.text(found, for: .bash).contains("reboot"))
    }

    @Test(arguments: [
        (.bash, "1\nstate:failed"), (.zsh, "1:debian.iso, running\nstate\\:failed\n "),
        (.fish, "1\tdebian.iso, running\nstate:failed"), (nil, "1\nstate:failed"),
    ] as [(ShellCompletion.Shell?, String)])
    func aLineEach(_ shell: ShellCompletion.Shell?, _ text: String) {
        let proposals = [
            ShellCompletion.Proposal(word: "1", help: "debian.iso, running"), .init(word: "state:failed"),
        ]
        #expect(ShellCompletion.text(proposals, for: shell) == text)
    }

    @Test func namesCannotBreakTheLine() throws {
        let request = try #require(
            ShellCompletion(["---completion", "info", "--", "positional@0", "2", "0", "fileq", "info", ""]))
        let found = request.proposals(for: .fish, [Self.transfer(1, "http://a.test/a\nb\tc", .queued())])
        let text = ShellCompletion.text(found, for: .fish)
        #expect(text.split(separator: "\n").first?.hasPrefix("1\ta") == true)
        #expect(text.split(separator: "\n").first?.hasSuffix("c, queued") == true)
    }
}
