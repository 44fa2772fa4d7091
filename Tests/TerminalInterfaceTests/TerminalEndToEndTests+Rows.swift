// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Testing
import TransferTesting

@testable import TerminalInterface

/// Editing, copying, the log, watching and lines.
extension TerminalEndToEndTests {
    @Test func editingChangesALimitAndKeepsTheTextOfAnError() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("j", "j", "e")
        try await tmux.wait("the form, prefilled") {
            $0.contains("┌ Edit ubuntu-24.04-desktop-amd64.iso ─")
                && $0.contains("Name      ubuntu-24.04-desktop-amd64.iso")
                && $0.contains("nothing is changed yet")
        }
        tmux.keys("Down", "Down")
        tmux.type("夏/")
        try await tmux.wait("what will happen") { $0.contains("moves 2.42G to") }
        tmux.keys("Enter")
        try await tmux.wait("the error below the field, and the text still in it") {
            $0.contains("there is no such folder") && $0.contains("/ダウンロード/夏/")
        }
        tmux.keys("BSpace", "BSpace", "Up", "Up", "Up", "Up", "Up")
        tmux.type("2M")
        try await tmux.wait("what will happen now") { $0.contains("at most 2M/s") && !$0.contains("moves") }
        tmux.keys("Enter")
        try await tmux.wait("the limit") { $0.contains("Changed. U undoes.") && !$0.contains("┌ Edit") }
        tmux.keys("Enter")
        try await tmux.wait("it in the details") { $0.contains("2M/s") || $0.contains("2.00M/s") }
    }

    @Test func copiesThroughTheTerminal() async throws {
        let tmux = try Tmux()
        tmux.run("set-option", "-g", "set-clipboard", "on")
        try await tmux.startProbe("--live 0")
        tmux.keys("j", "y")
        try await tmux.wait("what can be copied") { $0.contains("Copy: [y] address  [p] path") }
        tmux.keys("p")
        try await tmux.wait("the notice") { $0.contains("Copied the path") }
        #expect(await eventually { tmux.run("show-buffer").hasSuffix("/議事録_第三回定例会議.pdf") })
        tmux.keys("O")
        try await tmux.wait("the folder is opened") { $0.contains("Opening /home/user/ダウンロード/") }
    }

    @Test func theLogShowsTheCommandLineOfAKey() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("j", "j", "x", "7")
        try await tmux.wait("the command line") { $0.contains("[7 Log]") && $0.contains("$ fileq cancel 3") }
        tmux.keys("/")
        tmux.type("undo")
        try await tmux.wait("nothing else") { !$0.contains("$ fileq cancel 3") }
        tmux.keys("C-c")
        tmux.keys("2", "U", "7")
        try await tmux.wait("both") { $0.contains("$ fileq cancel 3") && $0.contains("$ fileq undo") }
    }

    @Test func aWatchingScreenChangesNothing() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0 --watch")
        tmux.keys("x")
        try await tmux.wait("the refusal") { $0.contains("This screen only watches") && !$0.contains("cancelled, ") }
        tmux.keys("3")
        try await tmux.wait("another view") { $0.contains("[3 Problems 2]") }
    }

    @Test func linesTakeCommands() async throws {
        let tmux = try Tmux()
        tmux.type("\(Tmux.probe) --live 0 --linear")
        tmux.keys("Enter")
        try await tmux.wait("the totals and the prompt") { $0.contains("9 transfers: ") && $0.contains("\n>") }
        tmux.type("pause 2")
        tmux.keys("Enter")
        try await tmux.wait("a line for the change") { $0.contains("2 議事録_第三回定例会議.pdf: paused") }
        tmux.type("pause 99")
        tmux.keys("Enter")
        try await tmux.wait("the error") { $0.contains("no transfer has the id 99") }
        #expect(!tmux.isFullScreen)
        tmux.type("quit")
        tmux.keys("Enter")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
    }

    @Test func sortsAndGroupsKeepTheirSettings() async throws {
        let tmux = try Tmux(columns: 100, rows: 24)
        try await tmux.startProbe("--live 0")
        tmux.keys("z")
        try await tmux.wait("how to keep it") { $0.contains("group = \"server\" in [interface] keeps it") }
    }
}

/// Unusual windows, input and terminals.
extension TerminalEndToEndTests {
    @Test func oneCellAndBack() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 2")
        for (columns, rows) in [(1, 1), (2, 1), (1, 40), (200, 1)] {
            tmux.run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
            try await tmux.wait("\(columns) by \(rows)") { screen in
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                return lines.count == rows && lines.allSatisfy { CellWidth.of(String($0)) <= columns }
            }
        }
        tmux.run("resize-window", "-x", "80", "-y", "24")
        try await tmux.wait("the list") { $0.contains("q quit") && $0.contains("🎉 party 🎊.mp4") }
    }

    @Test func aResizeStormEndsInTheLastSize() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 2")
        for step in 0..<60 {
            tmux.run("resize-window", "-x", "\(20 + step * 37 % 150)", "-y", "\(3 + step * 11 % 50)")
        }
        tmux.run("resize-window", "-x", "80", "-y", "24")
        try await tmux.wait("the whole list") { screen in
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return lines.count == 24 && lines.last?.contains("q quit") == true && lines[3].contains("▌")
                && screen.contains("🎉 party 🎊.mp4") && lines.allSatisfy { CellWidth.of(String($0)) <= 80 }
        }
        tmux.keys("j")
        try await tmux.wait("keys still act") { $0.contains("2/9") }
    }

    @Test func twoHundredAddressesAreOneQuestion() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        let addresses = (1...200).map { "https://h\($0 % 3).example/\($0 > 198 ? "taken" : "\($0).zip")\n" }
        tmux.run("set-buffer", addresses.joined())
        tmux.run("paste-buffer", "-p")
        try await tmux.wait("all of them in one line") {
            $0.contains(", 199 more") && $0.contains("200 downloads, 3 servers; 2 exist: ask once")
        }
        tmux.keys("Enter")
        try await tmux.wait("one question") { $0.contains("2 files exist already; for all of them:") }
        tmux.keys("k")
        try await tmux.wait("all added") { $0.contains("Added 200 transfers") && $0.contains("/209") }
    }

    @Test func aNameOfFourThousandWideCharacters() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0 --long-name")
        try await tmux.wait("its row, cut in the middle") { screen in
            screen.split(separator: "\n").contains { $0.contains(#/夏+…夏*\.bin/#) && CellWidth.of(String($0)) <= 80 }
        }
        tmux.keys("Enter")
        try await tmux.wait("its details") { $0.contains("夏夏夏夏") && $0.contains("Address") }
        tmux.keys("q", "j")
        try await tmux.wait("the next one") { $0.contains("2/9") }
    }

    /// The service is killed; another one takes its place.
    @Test func aServiceThatDiesUnderTheScreen() async throws {
        let tmux = try Tmux()
        let (socket, pid) = (tmux.folder.path + "/run/socket", tmux.folder.path + "/served")
        func serve() {
            tmux.run("new-window", "-d", "\(Tmux.probe) --live 0 --serve \(socket) --pid-file \(pid)")
        }
        serve()
        #expect(await eventually { FileManager.default.fileExists(atPath: socket) })
        try await tmux.startProbe("--connect \(socket)")
        try await tmux.wait("the list") { $0.contains("🎉 party 🎊.mp4") && $0.contains("1/9") }
        tmux.keys("j", "j", ":")
        tmux.type("pau")
        try await tmux.wait("the typed text") { $0.contains(":pau") }
        let process = try #require(Int32(try String(contentsOfFile: pid, encoding: .utf8).prefix { $0.isNumber }))
        kill(process, SIGKILL)
        tmux.type("s")
        try await tmux.wait("that it is lost") {
            $0.contains("connection to the service lost, reconnecting") && $0.contains(":paus")
        }
        serve()
        try await tmux.wait("the list again, the selection and the text") {
            !$0.contains("reconnecting") && $0.contains(":paus") && $0.contains("▌ ‖ ubuntu")
        }
        tmux.type("e 2")
        tmux.keys("Enter")
        try await tmux.wait("the command's effect") { $0.contains(#/議事録.*paused/#) }
    }

    /// No reply to any of the questions at the start: 50 ms, then without.
    @Test func aTerminalThatAnswersNothing() async throws {
        let terminal = try SilentTerminal()
        let child = try terminal.startProbe("--live", "0")
        defer {
            kill(child.pid, SIGKILL)
            child.reap()
        }
        #expect(await eventually { terminal.text.contains("fileq probe") && terminal.text.contains("quit") })
        // The questions were asked.
        #expect(terminal.text.contains("\u{1b}[c"))
        // Keys act.
        terminal.write("qy")
        #expect(await eventually { child.hasEnded })
    }
}
