// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Stage {
    /// Before anything reads it.
    fileprivate func configure(_ text: String) throws {
        let path = aside("state/config.toml")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }
}

/// What only the program has: configuration, curl lines, lines for dumb terminals, screens for scripts.
extension Integration.ServiceInterfaceTests {
    @Test func mistakesOfTheConfigurationAreShownAtOnce() async throws {
        try await Stage.withService { stage in
            try stage.configure("theme = \"solarised\"\n[interface.keys]\npause = \"x\"\n")
            let terminal = try Terminal(stage)
            #expect(await becomesTrue { terminal.shows("config.toml:1: theme: 'solarised' is no theme") })
            // What is typed before that is dropped.
            #expect(await becomesTrue { terminal.shows("Nothing in the queue") })
            terminal.type("q")
            let outcome = await terminal.program.end()
            #expect(outcome.exit == 0, "\(outcome)")
            // All of them, where there is no log to read.
            let printed = try await stage.fileq("screen", "--once")
            #expect(printed.complaints.contains("config.toml:1: theme: "), "\(printed)")
            #expect(printed.complaints.contains("config.toml:3: x is the key of 'cancel'"), "\(printed)")
        }
    }

    @Test func aPastedCurlLineIsAdded() async throws {
        try await Stage.withService { stage in
            let server = try stage.replying("200 OK", body: "content")
            let terminal = try Terminal(stage)
            #expect(await becomesTrue { terminal.shows("Nothing in the queue") })
            terminal.type("\u{1b}[200~curl '\(server.url("/c.bin"))' -H 'Cookie: a=b' --compressed\u{1b}[201~")
            #expect(await becomesTrue { terminal.shows("1 download: c.bin") })
            terminal.type("\r")
            // The form is open until the service has replied.
            #expect(await becomesTrue { terminal.shows("Added") })
            #expect(await becomesTrue { server.requests.contains { $0.contains("Cookie: a=b") } })
            let end = try await stage.fileq("wait", "--all")
            #expect(end.exit == 0 && stage.text("c.bin") == "content", "\(end)")
            terminal.type("q")
            let outcome = await terminal.program.end()
            #expect(outcome.exit == 0, "\(outcome)")
        }
    }

    @Test func aDumbTerminalGetsLines() async throws {
        try await Stage.withService { stage in
            let added = try await stage.fileq("add", "get", "--paused", "http://127.0.0.1:1/new.iso")
            #expect(added.exit == 0, "\(added)")
            let terminal = try Terminal(stage, type: "dumb")
            #expect(await becomesTrue { terminal.shows("1 transfer: 1 paused") })
            terminal.type("why 1\n")
            #expect(await becomesTrue { terminal.shows("1 new.iso: paused. resume 1") })
            terminal.type("quit\n")
            let outcome = await terminal.program.end()
            #expect(outcome.exit == 0 && !outcome.text.contains("\u{1b}"), "\(outcome)")
        }
    }

    @Test func aScreenIsPrintedInItsSizeWithViewsOfItsOwn() async throws {
        try await Stage.withService { stage in
            try stage.configure("[interface.views]\nisos = \"name:*.iso\"\n")
            let added = try await stage.fileq(
                "add", "get", "--paused", "http://127.0.0.1:1/new.iso", "http://127.0.0.1:1/b.txt")
            #expect(added.exit == 0, "\(added)")
            let words = ["screen", "--once", "--columns", "90", "--rows", "20", "--keys", "8"]
            let screen = try await stage.fileq(words)
            let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count == 20 && lines.allSatisfy { $0.count <= 90 }, "\(screen)")
            #expect(screen.text.contains("[8 isos 1]") && screen.text.contains("new.iso"), "\(screen)")
            #expect(!screen.text.contains("b.txt"), "\(screen)")
            let picture = try await stage.fileq(words + ["--svg"])
            #expect(picture.exit == 0 && picture.text.hasPrefix("<svg "), "\(picture)")
            #expect(picture.text.contains("new.iso"), "\(picture)")
        }
    }
}
