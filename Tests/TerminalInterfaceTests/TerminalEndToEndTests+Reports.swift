// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

@testable import TerminalInterface

/// What the terminal reports beside keys.
extension TerminalEndToEndTests {
    /// Sends bytes as the terminal does, at once: an escape that comes alone is a key.
    private func report(_ text: String, to tmux: Tmux) {
        tmux.run(["send-keys", "-H"] + text.utf8.map { String($0, radix: 16) })
    }

    @Test func anEndIsNotifiedWithoutTheFocus() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 1 --ask --notify osc-9")
        let written = tmux.folder.appending(path: "written")
        tmux.run("pipe-pane", "cat > \(written.path)")
        func hasWritten(_ text: String) -> Bool {
            (try? Data(contentsOf: written)).map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
        }
        report("\u{1b}[O", to: tmux)
        tmux.keys("j", "j", "T", "n")
        try await tmux.wait("the failure") { $0.contains(#/✗ ubuntu/#) }
        #expect(await eventually { hasWritten("\u{1b}]9;fileq: ubuntu-24.04-desktop-amd64.iso failed") })
        tmux.keys("q", "y")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
        #expect(await eventually { hasWritten("\u{1b}[?1004l") && hasWritten("\u{1b}[?2031l") })
    }

    @Test func theTitleSaysWhatMovesAndIsRestored() async throws {
        let tmux = try Tmux()
        let before = tmux.format("#{pane_title}")
        try await tmux.startProbe("--live 0", environment: "TERM=tmux-256color")
        #expect(await eventually { tmux.format("#{pane_title}").hasPrefix("fileq probe: 2 active, ") })
        tmux.keys("C-z")
        try await tmux.wait("the shell's word") { $0.contains("Stopped") }
        #expect(await eventually { tmux.format("#{pane_title}") == before })
        tmux.type("fg")
        tmux.keys("Enter")
        #expect(await eventually { tmux.format("#{pane_title}").hasPrefix("fileq probe: 2 active, ") })
        tmux.keys("q", "y")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
        #expect(await eventually { tmux.format("#{pane_title}") == before })
    }

    @Test func coloursFollowTheTerminal() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0", environment: "TERM=tmux-256color")
        func ground(_ colour: Int) -> Bool { tmux.run("capture-pane", "-p", "-e").contains("48;5;\(colour)") }
        report("\u{1b}[?997;2n", to: tmux)
        #expect(await eventually { ground(249) })
        report("\u{1b}[?997;1n", to: tmux)
        #expect(await eventually { ground(239) && !ground(249) })
        tmux.keys("j")
        try await tmux.wait("keys act") { $0.contains("2/9") }
    }
}
