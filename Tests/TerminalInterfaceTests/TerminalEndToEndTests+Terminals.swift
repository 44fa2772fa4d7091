// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Testing
import TransferTesting

@testable import TerminalInterface

/// What the program writes for terminals that can do more than tmux shows.
extension TerminalEndToEndTests {
    /// Whole frames, in colours for its background.
    @Test func aTerminalThatRepliesGetsWholeFramesInItsColours() async throws {
        let terminal = try SilentTerminal()
        // The replies are there before the questions: a slow machine may need more than 50 ms for one.
        terminal.write("\u{1b}[1;2R\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?2026;2$y\u{1b}[?62c")
        let child = try terminal.startProbe("--live", "0")
        defer {
            kill(child.pid, SIGKILL)
            child.reap()
        }
        #expect(
            await eventually {
                terminal.text.split(separator: "\u{1b}[?2026h").dropFirst().contains { rest in
                    let parts = rest.split(separator: "\u{1b}[?2026l", omittingEmptySubsequences: false)
                    return parts.count == 2 && parts[0].contains("fileq probe")
                }
            })
        #expect(await eventually { terminal.text.contains("48;5;249m") })
        #expect(!terminal.text.contains("48;5;239m"))
        terminal.write("qy")
        #expect(await eventually { child.hasEnded })
    }

    /// Over a slow line they come after the first frame. Neither they nor keys that no action has end the screen.
    @Test func lateRepliesAreUsedAndAreNoKeys() async throws {
        let terminal = try SilentTerminal()
        let child = try terminal.startProbe("--live", "0")
        defer {
            kill(child.pid, SIGKILL)
            child.reap()
        }
        #expect(await eventually { terminal.text.contains("48;5;239m") })
        // A cursor report that is Shift-F3, Shift-F1, Ctrl-F5.
        for key in ["\u{1b}[1;2R", "\u{1b}[1;2P", "\u{1b}[15;5~"] { terminal.write(key) }
        for part in ["]11;rgb:ffff/ffff", "/ffff", "\\", "[?2026;2$y", "[?62;c"] {
            terminal.write(part == "/ffff" ? part : "\u{1b}" + part)
        }
        #expect(await eventually { terminal.text.contains("48;5;249m") })
        terminal.write("j")
        #expect(await eventually { terminal.text.contains("\u{1b}[?2026h") })
        terminal.write("qy")
        #expect(await eventually { child.hasEnded })
    }

    /// Its output is stopped, as by a window that nothing reads.
    @Test func aSignalEndsItWhereTheTerminalTakesNothing() async throws {
        let terminal = try SilentTerminal()
        let child = try terminal.startProbe("--live", "0")
        #expect(await eventually { terminal.text.contains("fileq probe") })
        #expect(tcflow(terminal.device.number, TCOOFF) == 0)
        kill(child.pid, SIGTERM)
        let hasEnded = await eventually { child.hasEnded }
        if !hasEnded { kill(child.pid, SIGKILL) }
        let status = child.reap()
        #expect(hasEnded && status == .killed(signal: SIGTERM))
    }

    /// The size of another terminal is exported, the locale of another machine not installed, and there is no
    /// alternate screen.
    @Test func theTerminalCountsBeforeTheEnvironment() async throws {
        let tmux = try Tmux()
        tmux.type("env TERM=vt100 COLUMNS=40 LINES=10 LC_ALL=xx_XX.UTF-8 \(Tmux.probe)")
        tmux.keys("Enter")
        try await tmux.wait("the whole window") {
            $0.contains("議事録_第三回定例会議.pdf") && tmux.lines.dropFirst(23).first?.contains("q quit") == true
        }
        tmux.keys("q", "y")
        try await tmux.wait("no rest of the hints") { screen in
            screen.split(separator: "\n").contains { $0 == "probe ended: quit" }
        }
    }

    /// Ghostty forgets the progress in the task bar.
    @Test func progressIsRepeatedUntilTheEnd() async throws {
        let terminal = try SilentTerminal()
        let child = try terminal.startProbe("--live", "0", environment: ["TERM_PROGRAM=ghostty"])
        defer {
            kill(child.pid, SIGKILL)
            child.reap()
        }
        func reports() -> [Substring] { terminal.text.split(separator: "\u{1b}]9;4;").dropFirst().map { $0.prefix(3) } }
        #expect(await eventually { reports().count > 1 })
        #expect(reports().count > 1 && reports()[0] == reports()[1] && reports()[0] != "0;0")
        terminal.write("qy")
        #expect(await eventually { child.hasEnded && reports().last == "0;0" })
    }
}

/// What the mouse does beside selecting.
extension TerminalEndToEndTests {
    /// From 1, as terminals report it; the button 2 is the right one, 65 the wheel.
    private func press(_ button: Int, _ column: Int, _ row: Int, in tmux: Tmux) {
        tmux.type("\u{1b}[<\(button);\(column);\(row)M")
    }

    private func release(_ column: Int, _ row: Int, in tmux: Tmux) { tmux.type("\u{1b}[<0;\(column);\(row)m") }

    @Test func theMouseScrollsSortsAndClicksHints() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        press(65, 20, 10, in: tmux)
        try await tmux.wait("the wheel's selection") { $0.contains("4/9") }
        let heading = try #require(column(of: "SIZE", line: 3, in: tmux))
        for arrow in ["▾", "▴"] {
            press(0, heading + 1, 3, in: tmux)
            release(heading + 1, 3, in: tmux)
            try await tmux.wait("the order") { $0.contains("SIZE\(arrow)") }
        }
        press(2, 20, 4, in: tmux)
        try await tmux.wait("the keys of the row") { $0.contains("│ Enter details") }
        tmux.keys("Escape")
        try await tmux.wait("the list") { !$0.contains("│ Enter details") && $0.contains("? help") }
        let hint = try #require(column(of: "? help", line: 24, in: tmux))
        press(0, hint, 24, in: tmux)
        release(hint, 24, in: tmux)
        try await tmux.wait("help") { $0.contains("Start and stop") }
    }

    @Test func theMouseDragsTheEdgeOfAColumn() async throws {
        let tmux = try Tmux(columns: 120, rows: 24)
        try await tmux.startProbe("--live 0")
        // The blank before the next heading.
        let server = try #require(column(of: "SERVER", line: 3, in: tmux))
        press(0, server - 1, 3, in: tmux)
        tmux.type("\u{1b}[<32;\(server - 7);3M")
        release(server - 7, 3, in: tmux)
        try await tmux.wait("how to keep it") { $0.contains("list-columns = \"id,name:") }
        #expect(column(of: "SERVER", line: 3, in: tmux) == server - 6)
    }

    /// From 1. All before it has to be as wide as it is long.
    private func column(of text: String, line: Int, in tmux: Tmux) -> Int? {
        let shown = tmux.lines[line - 1]
        return shown.range(of: text).map { CellWidth.of(String(shown[..<$0.lowerBound])) + 1 }
    }
}

/// What a selected transfer shows.
extension TerminalEndToEndTests {
    @Test func detailsStandBelowTheListOrBesideIt() async throws {
        let tmux = try Tmux(columns: 160, rows: 30)
        try await tmux.startProbe("--live 0")
        try await tmux.wait("them below") { screen in
            screen.split(separator: "\n").contains { $0.hasPrefix("─ 1 夏休み") && $0.contains("[Info]") }
        }
        tmux.keys("i")
        try await tmux.wait("them beside the row") { screen in
            screen.split(separator: "\n").contains { $0.hasPrefix("▌") && $0.contains("│ State") }
        }
    }

    @Test func anUploadShowsWhatIsConfirmedAndSent() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("j", "Enter", "]", "]", "]")
        try await tmux.wait("the map and its legend") {
            $0.contains("[Pieces]") && $0.contains("▒▒▒") && $0.contains("confirmed 0%") && $0.contains("sent 20%")
                && $0.contains("not sent 1.83M")
        }
    }

    @Test func anAttemptIsCountedDownTo() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0 --retry")
        func row(_ screen: String) -> Substring? {
            screen.split(separator: "\n").first { $0.contains("音楽ライブラリ") }
        }
        let first = try await tmux.wait("time and cause") {
            row($0)?.contains(#/try .*9:5\d · connection/#) == true
        }
        try await tmux.wait("less time") { row($0)?.contains(#/try .*9:5\d · /#) == true && row($0) != row(first) }
    }

    @Test func filtersAreThoseOfTheCommandLine() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("/")
        tmux.type("state:failed")
        tmux.keys("Enter")
        try await tmux.wait("the failed one") {
            $0.contains("1/1") && $0.contains("résumé") && !$0.contains("ubuntu")
        }
        tmux.keys("Escape")
        try await tmux.wait("all") { $0.contains("ubuntu") }
        tmux.keys("/")
        tmux.type("kind:upload pdf")
        tmux.keys("Enter")
        try await tmux.wait("the PDF that is sent") {
            $0.contains("1/1") && $0.contains("議事録") && !$0.contains("ubuntu")
        }
    }
}
