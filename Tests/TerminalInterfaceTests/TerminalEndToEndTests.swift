// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

@testable import TerminalInterface

/// The interface in a real terminal: keys in, screen out, and what is left behind.
@Suite(.serialized, .enabled(if: Tmux.isAvailable, "tmux is not installed"))
struct TerminalEndToEndTests {
    @Test func namesOfAllWidthsAreAligned() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        let screen = try await tmux.wait("the last name") { $0.contains("🎉 party 🎊.mp4") }
        let rows = screen.split(separator: "\n").dropFirst(3).prefix(9).filter { $0.contains("──") }
        #expect(rows.count == 3)
        let bars = rows.map { row in CellWidth.of(String(row.prefix { !"━╸─╌".contains($0) })) }
        #expect(Set(bars) == [50])
        #expect(
            screen.contains("議事録_第三回定例会議.pdf") && screen.contains("ﾊﾝｶｸｶﾅのﾌｧｲﾙ名.csv")
                && screen.contains("evil\u{fffd}[2Jgpj.exe"))
    }

    @Test func keysMovePauseCancelRetryAndReorder() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 1")
        tmux.keys("j", "Down")
        try await tmux.wait("the third selected") { $0.contains("▌ ‖ ubuntu") && $0.contains("3/9") }
        tmux.keys("p")
        try await tmux.wait("the third running") { $0.contains("running, r retries") }
        tmux.keys("p")
        try await tmux.wait("the third paused") { $0.contains(#/ubuntu.*paused/#) }
        tmux.keys("x")
        try await tmux.wait("the third cancelled") { $0.contains(#/ubuntu.*cancelled/#) }
        tmux.keys("r")
        try await tmux.wait("the third queued again") { $0.contains(#/ubuntu.*queued/#) }
        tmux.keys("K", "K")
        try await tmux.wait("the third on top, still selected") {
            $0.contains("1/9") && $0.split(separator: "\n")[3].contains("▌ · ubuntu")
        }
        tmux.keys("Enter")
        try await tmux.wait("its details") { $0.contains("Address") && $0.contains("https://files.example.org/pool/2") }
        tmux.keys("q", "?")
        try await tmux.wait("help") { $0.contains("Start and stop") }
        tmux.keys("q")
        try await tmux.wait("the list again") { $0.contains("▌ · ubuntu") }
    }

    @Test func otherKeysAct() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--keys pause=F5,help=F12,mark=Ctrl-X,cancel=")
        try await tmux.wait("the hints") { $0.contains("F5 pause") && $0.contains("F12 help") }
        tmux.keys("p")
        try await tmux.wait("no such key") { $0.contains("Unknown key; F12 shows all keys") }
        tmux.keys("j", "Down", "F5")
        try await tmux.wait("the third running") { $0.contains("running, r retries") }
        tmux.keys("C-x")
        try await tmux.wait("a mark") { $0.contains("●1") }
        tmux.keys("F12")
        try await tmux.wait("help") { $0.contains("Start and stop") }
    }

    @Test func aWrongKeyMapIsReportedAtOnce() async throws {
        let tmux = try Tmux()
        tmux.type("\(Tmux.probe) --keys pause=x")
        tmux.keys("Enter")
        try await tmux.wait("the mistake") { $0.contains("x is the key of 'cancel'; set other keys") }
        tmux.keys("?")
        try await tmux.wait("help") { $0.contains("Start and stop") }
    }

    @Test func groupsFoldAndAct() async throws {
        let tmux = try Tmux(columns: 100, rows: 24)
        try await tmux.startProbe("--live 0")
        tmux.keys("j", "z")
        try await tmux.wait("a group, with the same one selected") {
            $0.contains("by server") && $0.contains("▾ files.example.org") && $0.contains("2/9")
        }
        tmux.keys("Left")
        try await tmux.wait("the group alone") { $0.contains("▸ files.example.org") && !$0.contains("議事録") }
        tmux.keys("p")
        try await tmux.wait("all of it paused") { $0.contains("Paused 5; 1 was paused already. U undoes.") }
        // The next key takes its reply away.
        tmux.keys("U")
        try await tmux.wait("the reply") { $0.contains("Undone: ") }
        tmux.keys("Enter")
        try await tmux.wait("the group unfolded") { $0.contains("▾ files.example.org") }
        tmux.keys("z", "z")
        try await tmux.wait("places") { $0.contains("files.example.org/pool/") && $0.contains("/upload/") }
        tmux.keys("z", "z")
        try await tmux.wait("the list") { $0.contains("Not grouped") && $0.contains("NAME") }
    }

    @Test func columnsAndGraphsChangeByKeys() async throws {
        let tmux = try Tmux(columns: 120, rows: 40)
        try await tmux.startProbe("--live 0")
        try await tmux.wait("the graph of the first one") { $0.contains(" 1 min ") && $0.contains("peak ") }
        tmux.keys("w")
        try await tmux.wait("a longer one") { $0.contains(" 5 min ") }
        tmux.keys("c", "Right", "Right")
        try await tmux.wait("the columns") { $0.contains("‹server›") && $0.contains("(folder)") }
        tmux.keys("Space")
        try await tmux.wait("without servers") { $0.contains("‹(server)›") && !$0.contains("SERVER") }
        tmux.keys("Enter")
        try await tmux.wait("how to keep them") { $0.contains("list-columns = \"id,name,size,") }
    }

    @Test func viewsAndOrdersKeepTheSelection() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("3")
        try await tmux.wait("the problems") { $0.contains("[3 Problems 2]") && $0.contains("1/2") }
        tmux.keys("j", "2")
        try await tmux.wait("all, with the same one selected") { $0.contains("[2 All 9]") && $0.contains("7/9") }
        tmux.keys("s")
        try await tmux.wait("the columns to sort by") { $0.contains("si[z]e") }
        tmux.keys("z")
        try await tmux.wait("the arrow in the heading") { $0.contains("SIZE▾") }
        tmux.keys("J")
        try await tmux.wait("why the order is fixed") { $0.contains("Sorted by size: ") }
        tmux.keys("BTab", "BTab")
        try await tmux.wait("the last view") { $0.contains("7 Log]") }
        tmux.keys("F1")
        try await tmux.wait("help") { $0.contains("Start and stop") }
    }

    @Test func questionsAreAskedAndAnswered() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 1 --ask")
        tmux.keys("j", "j", "T")
        try await tmux.wait("the certificate") {
            $0.contains(#/subject: +CN=files.example.org/#) && $0.contains(#/public key: +sha256\/\/AQEB/#)
                && $0.contains("Trust it?")
        }
        tmux.keys("a")
        try await tmux.wait("the answer") { $0.contains(#/ubuntu.*queued · trust always/#) }
        tmux.keys("j", "u")
        try await tmux.wait("the name's prompt") { $0.contains("User:") && $0.contains("asks for a login (staff)") }
        tmux.type("alice")
        tmux.keys("Enter")
        tmux.type("geheim")
        try await tmux.wait("dots") { $0.contains("Password of alice: ●●●●●●") && !$0.contains("geheim") }
        tmux.keys("Enter")
        try await tmux.wait("the question whether to keep it") { $0.contains("Save the password") }
        tmux.keys("n", "Enter")
        try await tmux.wait("what was answered") { $0.contains("alice, 6 letters, once") }
    }

    @Test func barsMove() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 2")
        let first = try await tmux.wait("a running upload") { $0.contains(#/議事録.*\/s/#) }
        try await tmux.wait("another bar") { screen in
            screen.split(separator: "\n").first { $0.contains("議事録") }
                != first.split(separator: "\n").first { $0.contains("議事録") }
        }
    }

    @Test func typingAndPastingAnAddress() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        tmux.keys("a")
        try await tmux.wait("the form") { $0.contains("┌ Add ─") && $0.contains("Save in   ~/Downloads/") }
        tmux.type("ftp://x/ファイル")
        try await tmux.wait("what was typed") { $0.contains("Address   ftp://x/ファイル") }
        tmux.keys("Enter")
        try await tmux.wait("the error below the field, and the text still in it") {
            $0.contains("unknown scheme 'ftp'") && $0.contains("Address   ftp://x/ファイル")
        }
        tmux.keys("Escape")
        try await tmux.wait("the form closed") { !$0.contains("┌ Add ─") }
        tmux.run("set-buffer", "https://例え.jp/資料.pdf\n")
        tmux.run("paste-buffer", "-p")
        try await tmux.wait("the pasted address, and what will happen") {
            $0.contains("Address   https://例え.jp/資料.pdf") && $0.contains("1 download, 1 server")
        }
        tmux.keys("Enter")
        try await tmux.wait("a tenth transfer") {
            $0.contains("1/10") && $0.contains("資料.pdf") && !$0.contains("┌ Add ─")
        }
    }

    @Test func theFormsFieldsAreFilledByKeys() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("a")
        tmux.type("https://example.org/later.iso")
        // Files, folder and existing files are passed over.
        tmux.keys("Down", "Down", "Down", "Down")
        tmux.type("23:30")
        try await tmux.wait("the time behind its choice") { $0.contains("now ‹at…› paused 23:30") }
        tmux.keys("Left", "Right", "Right", "Down", "Right")
        try await tmux.wait("the last choices") { $0.contains("now at… ‹paused›") && $0.contains("low normal ‹high›") }
        tmux.keys("Enter")
        try await tmux.wait("it, paused") { $0.contains(#/later\.iso.*paused/#) && $0.contains("1/10") }
    }

    @Test func existingFilesAreAskedAboutOnce() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.run("set-buffer", "https://a.example/taken\nhttps://b.example/taken\nhttps://b.example/new\n")
        tmux.run("paste-buffer", "-p")
        try await tmux.wait("what will happen") { $0.contains("3 downloads, 2 servers; 2 exist: ask once") }
        tmux.keys("Enter")
        try await tmux.wait("one question") {
            $0.contains("2 files exist already; for all of them:") && $0.contains("k keep both  s skip")
        }
        tmux.keys("s")
        try await tmux.wait("all of them") { $0.contains("1/12") && $0.contains("Added 3 transfers") }
    }

    @Test func aHungFolderStopsNeitherTheFormNorTheScreen() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("a")
        tmux.type("https://example.org/a.iso")
        tmux.keys("Down", "Down", "C-u")
        tmux.type("/hung")
        tmux.keys("Enter")
        try await tmux.wait("that it waits") { $0.contains("which files exist? Enter adds without that") }
        tmux.keys("Enter")
        try await tmux.wait("a tenth transfer") { $0.contains("1/10") && $0.contains("a.iso") }
        tmux.keys("j")
        try await tmux.wait("that keys work") { $0.contains("2/10") }
    }

    @Test func pickingThreeFilesMakesThreeUploads() async throws {
        let tmux = try Tmux()
        let folder = tmux.folder.appending(path: "写真")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "2025年春"), withIntermediateDirectories: true)
        for name in ["2025年春/桜.jpg", "京都駅.jpg", "奈良.jpg", ".hidden", "notes.txt"] {
            try Data(repeating: 1, count: 2048).write(to: folder.appending(path: name))
        }
        try await tmux.startProbe("--live 0 --folder '\(folder.path)'")
        tmux.keys("a")
        tmux.type("https://example.org/inbox/")
        tmux.keys("Down", "Enter")
        try await tmux.wait("the folder") {
            $0.contains("2025年春/") && $0.contains("京都駅.jpg") && $0.contains("2.00K") && !$0.contains(".hidden")
        }
        tmux.keys(".")
        try await tmux.wait("hidden files") { $0.contains(".hidden") }
        tmux.keys(".", "Enter")
        try await tmux.wait("the folder inside") { $0.contains("桜.jpg") && !$0.contains("notes.txt") }
        tmux.keys("Space")
        try await tmux.wait("a mark") { $0.contains("1 marked, 2.00K") }
        tmux.keys("Left")
        try await tmux.wait("the folder again") { $0.contains("notes.txt") }
        tmux.keys("/")
        tmux.type("jpg")
        tmux.keys("Enter", "Space", "Space")
        try await tmux.wait("three marks") { $0.contains("3 marked, 6.00K") && !$0.contains("notes.txt") }
        tmux.keys("Enter")
        try await tmux.wait("the files, and what will happen") {
            $0.contains("桜.jpg, 2 more") && $0.contains("3 uploads")
        }
        tmux.keys("Enter")
        try await tmux.wait("three uploads") {
            $0.contains("1/12") && $0.contains("· 桜.jpg") && $0.contains("· 京都駅.jpg") && $0.contains("· 奈良.jpg")
        }
    }

    @Test func tabsShowAttemptsAndPieces() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 2")
        tmux.keys("Enter")
        try await tmux.wait("the tabs") { $0.contains("[Info]  Attempts  Log  Pieces") }
        tmux.keys("]", "]", "]")
        try await tmux.wait("the map") { $0.contains("[Pieces]") && $0.contains("on disk") && $0.contains("moving: 1") }
        tmux.keys("[", "[")
        try await tmux.wait("the attempts") { $0.contains("[Attempts]") && $0.contains("records no attempts") }
        tmux.keys("Escape")
        try await tmux.wait("the list") { !$0.contains("[Attempts]") }
        tmux.keys("]")
        try await tmux.wait("the refusal") { $0.contains("No details are shown; Enter shows them") }
    }

    @Test func anUnbracketedPasteRunsNoKeys() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        tmux.run("set-buffer", "http://127.0.0.1:47101/x\nhttp://127.0.0.1:47101/pdxP\n")
        tmux.run("paste-buffer")
        try await tmux.wait("the pasted addresses") {
            $0.contains("http://127.0.0.1:47101/x, 1 more") && $0.contains("2 downloads, 1 server")
        }
        tmux.keys("Escape")
        let screen = try await tmux.wait("the list, untouched") { !$0.contains("┌ Add ─") && $0.contains("1/9") }
        #expect(screen.contains(#/▌ ↓ 夏休み.*\/s/#))
        // Nor does it add anything in the form.
        tmux.keys("a")
        try await tmux.wait("the form") { $0.contains("┌ Add ─") }
        tmux.run("set-buffer", "http://127.0.0.1:47101/y\nhttp://127.0.0.1:47101/z\n")
        tmux.run("paste-buffer")
        try await tmux.wait("both addresses") {
            $0.contains("http://127.0.0.1:47101/y, 1 more") && $0.contains("2 downloads, 1 server")
        }
    }

    @Test func reportsASilentService() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0 --silent")
        try await tmux.wait("the report", within: 60) { $0.contains("the service has not replied for") }
        tmux.keys("j")
        try await tmux.wait("that keys work") { $0.contains("2/9") }
    }

    @Test func cancelsSeveralAndUndoesThat() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.keys("C-a", "x")
        try await tmux.wait("the effect, and how to undo it") {
            $0.contains("7 cancelled") && $0.contains("Cancelled 6 transfers. U undoes.")
        }
        tmux.keys("U")
        try await tmux.wait("all as before") { !$0.contains("7 cancelled") && $0.contains("Undone: cancelling 6") }
        tmux.keys("X")
        try await tmux.wait("a question before bytes are lost") { $0.contains("and delete") && $0.contains("y/N") }
        tmux.keys("Enter", "7")
        try await tmux.wait("the log with the command lines") {
            $0.contains("$ fileq cancel 1,2,3,4,5,8") && $0.contains("$ fileq undo") && !$0.contains("--delete")
        }
    }

    @Test func clicksSelectAndShowViews() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        // The fifth row, column 20, as a terminal reports it: `ESC [ < 0 ; 20 ; 6 M`.
        func click(_ column: Int, _ row: Int) {
            for suffix in ["M", "m"] { tmux.type("\u{1b}[<0;\(column);\(row)\(suffix)") }
        }
        click(20, 6)
        try await tmux.wait("the third selected") { $0.contains("3/9") }
        click(20, 6)
        try await tmux.wait("its details") { $0.contains("https://files.example.org/pool/2") }
        tmux.keys("Escape")
        try await tmux.wait("the list again") { $0.contains("3/9") && $0.contains("NAME") }
        click(3, 2)
        try await tmux.wait("the view") { $0.contains("[1 Now") }
        #expect(tmux.format("#{mouse_sgr_flag}") == "1" && tmux.format("#{mouse_button_flag}") == "1")
        tmux.keys("q", "y")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
        #expect(tmux.format("#{mouse_any_flag}") == "0")
    }

    @Test func runsCommandLines() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--live 0")
        tmux.type(":")
        try await tmux.wait("the command line") { $0.contains("Tab completes") }
        tmux.type("pa")
        tmux.keys("Tab")
        tmux.type("99")
        tmux.keys("Enter")
        try await tmux.wait("the error beside the text") {
            $0.contains(":pause 99") && $0.contains("no transfer has the id 99")
        }
        tmux.keys("BSpace", "BSpace", "2", "Enter")
        try await tmux.wait("its effect") { $0.contains("Done: pause 2") && $0.contains(#/議事録.*paused/#) }
        tmux.type(":")
        tmux.keys("Up")
        try await tmux.wait("the earlier line") { $0.contains(":pause 2") }
        tmux.keys("Escape")
        try await tmux.wait("the list") { $0.contains("q quit") }
    }

    @Test func followsTheWindowsSize() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        for (columns, rows) in [(50, 12), (30, 8), (12, 3), (120, 30), (80, 24)] {
            tmux.run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
            let list = ScreenLayout(columns: columns, rows: rows).list
            let screen = try await tmux.wait("\(columns) by \(rows)") { screen in
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                return lines.count == rows && lines[list.lowerBound].hasPrefix("▌")
                    && lines[rows - 1].contains("q quit")
                    && lines.allSatisfy { CellWidth.of(String($0)) <= columns }
            }
            if columns == 50 { #expect(screen.contains(#/議事録.*%.*\/s/#)) }
            if columns == 80 { #expect(screen.contains(#/議事録_第三回定例会議.pdf +2.29M .*%.*\/s/#)) }
        }
    }

    @Test func quitAsksOnceAndRestoresTheTerminal() async throws {
        let tmux = try Tmux()
        let before = try await modes(of: tmux)
        try await tmux.startProbe()
        tmux.keys("q")
        try await tmux.wait("the question") {
            $0.contains("3 transfers are running; quit and keep them for the next run? y/n")
        }
        tmux.keys("n")
        try await tmux.wait("the hints again") { $0.contains("q quit") }
        tmux.keys("C-c", "y")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
        try await expectRestored(tmux, before)
    }

    @Test(arguments: ["TERM", "HUP", "INT"])
    func fatalSignalsRestoreTheTerminal(_ signal: String) async throws {
        let tmux = try Tmux()
        let before = try await modes(of: tmux)
        try await tmux.startProbe()
        try send(signal, to: tmux)
        try await tmux.wait("the end") { $0.contains("probe ended: signal") }
        try await expectRestored(tmux, before)
    }

    @Test(arguments: ["SEGV", "ABRT", "BUS", "ILL", "TRAP", "FPE", "QUIT"])
    func crashesRestoreTheTerminal(_ signal: String) async throws {
        let tmux = try Tmux()
        let before = try await modes(of: tmux)
        tmux.type("ulimit -c 0; export SWIFT_BACKTRACE=enable=no")
        tmux.keys("Enter")
        try await tmux.startProbe()
        try send(signal, to: tmux)
        try await tmux.wait("the shell again", until: { _ in !tmux.isFullScreen })
        try await expectRestored(tmux, before)
    }

    @Test func showsTheErrorOfACrashAfterwards() async throws {
        let tmux = try Tmux(columns: 120, rows: 60)
        let before = try await modes(of: tmux)
        tmux.type("ulimit -c 0; export SWIFT_BACKTRACE=enable=no")
        tmux.keys("Enter")
        try await tmux.startProbe()
        tmux.keys("a")
        tmux.type("crash")
        tmux.keys("Enter")
        try await tmux.wait("what happened") { $0.contains("asked to crash") && !tmux.isFullScreen }
        try await expectRestored(tmux, before)
    }

    @Test func preservesOutputOfTheShell() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        tmux.keys("C-z")
        try await tmux.wait("the shell's word") { $0.contains("Stopped") && !tmux.isFullScreen }
        tmux.type("fg")
        tmux.keys("Enter")
        try await tmux.wait("the interface again") { $0.contains("q quit") && tmux.isFullScreen }
        tmux.keys("q", "y")
        try await tmux.wait("the end, below the shell's word") { screen in
            guard let stopped = screen.range(of: "Stopped"), let ended = screen.range(of: "probe ended: quit") else {
                return false
            }
            return stopped.lowerBound < ended.lowerBound
        }
    }

    @Test func stopsAndContinues() async throws {
        let tmux = try Tmux()
        let before = try await modes(of: tmux)
        try await tmux.startProbe()
        for _ in 0..<2 {
            tmux.keys("C-z")
            try await tmux.wait("the shell's word") { $0.contains("Stopped") && !tmux.isFullScreen }
            try await expectRestored(tmux, before)
            tmux.run("resize-window", "-x", "70", "-y", "20")
            tmux.type("clear; fg")
            tmux.keys("Enter")
            try await tmux.wait("the interface again") {
                $0.contains("1/9") && $0.contains("q quit") && tmux.isFullScreen
            }
            tmux.keys("G")
            try await tmux.wait("that keys work") { $0.contains("9/9") }
            tmux.keys("g")
            try await tmux.wait("that keys work") { $0.contains("1/9") }
        }
        // Stopped from outside, without a chance to tidy up; the shell takes the terminal and gives it back.
        try send("STOP", to: tmux)
        try await tmux.wait("the shell's word") { $0.contains("Stopped") }
        tmux.type("fg")
        tmux.keys("Enter")
        try await tmux.wait("the interface again") {
            $0.contains("1/9") && !$0.contains("Stopped") && tmux.isFullScreen
        }
        tmux.keys("G")
        try await tmux.wait("that keys work") { $0.contains("9/9") }
        tmux.keys("q", "y")
        try await tmux.wait("the end") { $0.contains("probe ended: quit") }
        try await expectRestored(tmux, before)
    }

    @Test func buffersStandardErrorUntilExit() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe("--say --live 2")
        let first = try await tmux.wait("a bar") { $0.contains("──") }
        // The live ones are drawn from 100 ms on, the line is written at 300 ms: by the time a rate has changed much,
        // it was.
        try await tmux.wait("a moved bar") { $0 != first && $0.contains("4:0") }
        #expect(!tmux.lines.joined().contains("said meanwhile"))
        tmux.keys("q", "y")
        try await tmux.wait("what was said") { $0.contains("said meanwhile") && $0.contains("probe ended: quit") }
    }

    @Test func usesASCIIWithoutUnicodeLocale() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe(environment: "env LC_ALL=C")
        let screen = try await tmux.wait("the list") { $0.contains("naive facade resume.docx") }
        #expect(screen.utf8.allSatisfy { $0 < 0x80 })
        #expect(screen.contains("===="))
    }

    @Test func supportsUnknownTerminals() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe(environment: "env TERM=no-such-terminal")
        tmux.keys("j")
        try await tmux.wait("the second selected") { $0.contains("2/9") }
    }

    @Test func rejectsDumbTerminals() async throws {
        let tmux = try Tmux()
        tmux.type("env TERM=dumb \(Tmux.probe)")
        tmux.keys("Enter")
        try await tmux.wait("the refusal") { $0.contains("TERM=dumb") && $0.contains("probe: ") }
        tmux.type("clear; \(Tmux.probe) </dev/null; echo status $?")
        tmux.keys("Enter")
        try await tmux.wait("the refusal") { $0.contains("are not a terminal") && $0.contains("status 1") }
    }

    @Test func exitsWhenTheTerminalCloses() async throws {
        let tmux = try Tmux()
        try await tmux.startProbe()
        let process = try #require(tmux.probeProcess)
        tmux.run("kill-server")
        let deadline = ContinuousClock.now + .seconds(15)
        while isAlive(process), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(!isAlive(process))
    }

    private func isAlive(_ process: Int32) -> Bool {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")) else { return false }
        return !String(decoding: data, as: UTF8.self).contains(") Z ")
    }

    private func send(_ signal: String, to tmux: Tmux) throws {
        let process = try #require(tmux.probeProcess)
        try ChildProcess.run(["/bin/kill", "-s", signal, "\(process)"])
    }

    /// The terminal's settings as the shell's children see them.
    private func modes(of tmux: Tmux) async throws -> String {
        let file = tmux.folder.appending(path: "modes-\(UUID().uuidString)")
        tmux.type("stty -g > \(file.path); echo said-''so")
        tmux.keys("Enter")
        try await tmux.wait("an echo") { $0.contains("said-so") }
        tmux.type("clear")
        tmux.keys("Enter")
        try await tmux.wait("an empty screen") { !$0.contains("said-so") }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    private func expectRestored(_ tmux: Tmux, _ before: String) async throws {
        #expect(!tmux.isFullScreen)
        #expect(tmux.format("#{cursor_flag}#{keypad_flag}#{keypad_cursor_flag}#{mouse_any_flag}") == "1000")
        let after = try await modes(of: tmux)
        #expect(after == before)
    }
}
