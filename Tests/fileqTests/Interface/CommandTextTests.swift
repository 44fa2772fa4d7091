// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface
@testable import fileq

struct CommandTextTests {
    @Test(arguments: [
        (KeyedCommand.perform(.pause, ids(3)), "pause 3"), (.perform(.hold, ids(1, 2)), "pause --all"),
        (.hold(true), "pause --all"), (.hold(false), "resume --all"),
        (.perform(.cancel(deletingPartial: true), ids(3, 4, 5, 9)), "cancel --delete 3-5,9"),
        (.perform(.move(.down), ids(9, 7)), "move 7,9 down"), (.perform(.limit(nil), ids(1)), "set 1 --limit none"),
        (.perform(.limit(512_000), ids(1)), "set 1 --limit 500k"),
        (.perform(.priority(0.75), ids(1)), "set 1 --priority high"),
        (.perform(.dismiss, ids(1)), "clear --keep-history 1"), (.perform(.liftRestrictions, ids(1)), "resume 1 --now"),
        (
            .setLimits(QueueLimits(download: 1 << 20)),
            "set --download-limit 1M --upload-limit none --concurrent 4 --per-host none"
        ), (.undo, "undo"),
        (.add(request("https://a.example/")), "add get https://a.example/"),
    ])
    func everyKeyHasItsCommandLine(_ command: KeyedCommand, _ line: String) throws {
        #expect(CommandText.line(of: command) == line)
        // It is one of the program's.
        _ = try Program.parse(ShellArguments.split(line))
    }

    @Test(arguments: [
        ("https://a.example/b.iso?x=1&y=2", "'https://a.example/b.iso?x=1&y=2'"), ("夏/a.b", "夏/a.b"), ("", "''"),
        ("it's", "'it'\\''s'"),
    ])
    func quotesForAShell(_ text: String, _ quoted: String) throws {
        #expect(ShellWord.text(text) == quoted)
        #expect(try ShellArguments.split(quoted) == [text])
    }

    /// As shells and `add curl` read it.
    @Test(arguments: [
        ("a\nl: id", "$'a\\012l: id'"), ("it's\u{1b}]\u{7}\\", "$'it\\'s\\033]\\007\\\\'"),
        ("\u{85}夏\u{202e}", "$'\\302\\205夏\\342\\200\\256'"),
    ])
    func whatCannotBeSeenIsEscaped(_ text: String, _ quoted: String) throws {
        #expect(ShellWord.text(text) == quoted)
        #expect(try ShellLine.split("curl -o \(quoted) http://h/") == ["curl", "-o", text, "http://h/"])
    }

    @Test func answersAreNotRepeated() {
        let login = Credential(user: "a", password: "b")
        #expect(CommandText.line(of: .perform(.login(login, .once), ids(1))) == nil)
    }
}

private func request(_ addresses: String) -> AddRequest {
    var request = AddRequest()
    request.addresses = addresses
    return request
}

private func ids(_ numbers: Int...) -> [TransferID] { numbers.map { TransferID(rawValue: $0) } }
