// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct FileLinkTests {
    private func link(_ environment: [String: String], isTerminal: Bool = true) -> FileLink? {
        FileLink(TerminalTraits(isTerminal: isTerminal) { environment[$0] }) { environment[$0] }
    }

    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false), (["TERM": "linux"], false),
        (["TERM": "xterm-256color"], true), (["TERM": "no-such-terminal"], true), (["TERM": "vt100"], false),
        (["TERM": "ansi"], false), (["TERM": "screen"], false), (["TERM": "cygwin"], false),
        (["TERM": "xterm-256color", "STY": "1.x"], false), (["TERM": "xterm", "INSIDE_EMACS": "28"], false),
        (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "xterm", "CLICOLOR": "0"], false),
    ])
    func terminalsThatGetLinks(_ environment: [String: String], _ gets: Bool) {
        #expect((link(environment) != nil) == gets)
        #expect(link(environment, isTerminal: false) == nil)
    }

    @Test func pathsArePercentEncoded() throws {
        var link = try #require(self.link(["TERM": "xterm"]))
        link.host = "box"
        #expect(
            link.text("x", path: "/a b/夏;\u{1b}~-_.%")
                == "\u{1b}]8;;file://box/a%20b/%E5%A4%8F%3B%1B~-_.%25\u{1b}\\x\u{1b}]8;;\u{1b}\\")
    }

    @Test(
        arguments: [
            (.download, "/tmp/a", .completed(.init()), true), (.download, "/tmp/a", .running(), false),
            (.download, "-", .completed(.init()), false), (.upload, "/tmp/a", .queued(), true),
        ] as [(TransferKind, String, TransferStatus, Bool)])
    func onlyCompleteFilesAreLinked(
        _ kind: TransferKind, _ file: String, _ status: TransferStatus, _ isLinked: Bool
    ) throws {
        let link = try #require(self.link(["TERM": "xterm"]))
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: kind, url: "http://a.test/a", file: file, status: status)
        #expect(link.text("name", for: transfer).contains("\u{1b}]8;;file://") == isLinked)
    }

    /// A name cut to its column is still one.
    @Test func rowsHaveTheWidthOfTheWindowWithoutTheirLink() throws {
        let traits = TerminalTraits(isTerminal: true) { ["TERM": "xterm", "LANG": "C.UTF-8"][$0] }
        var screen = QueueScreen(columns: 40, traits: traits, link: link(["TERM": "xterm"]))
        screen.link?.host = ""
        let name = String(repeating: "夏", count: 40)
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: .upload, url: "http://a.test/a", file: "/tmp/" + name, status: .queued())
        let row = try #require(
            ListLayout(screen: screen, transfers: [transfer], now: 0).lines(of: transfer).first)
        screen.link = nil
        let plain = try #require(
            ListLayout(screen: screen, transfers: [transfer], now: 0).lines(of: transfer).first)
        let shown = row.replacing(/\u{1b}\]8;;[^\u{1b}]*\u{1b}\\/, with: "")
        #expect(shown == plain && row != plain)
        #expect(row.contains("file:///tmp/%E5%A4%8F"))
    }
}
