// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

struct InputDecoderTests {
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = InputDecoder()
        return bytes.flatMap { decoder.take(.byte($0)) } + decoder.take(.pause)
    }

    /// Typed, as the compiler takes long for so many literals.
    private static let sequences: [([UInt8], [Key])] = [
        (Array("aé日🎉".utf8), [.character("a"), .character("é"), .character("日"), .character("🎉")]),
        ([0x0d], [.enter]), ([0x0a], [.enter]), ([0x09], [.tab]), ([0x7f], [.backspace]), ([0x03], [.control("c")]),
        ([0x1a], [.control("z")]), ([0x1b], [.escape]), ([0x00], []),
        // With Alt, a command is none.
        ([0x1b, 0x78, 0x78], [.unknown, .character("x")]), (Array("\u{1b}日q".utf8), [.unknown, .character("q")]),
        ([0x1b, 0x0d], [.unknown]), ([0x1b, 0x1b], [.escape, .escape]), ([0x1b, 0x1b, 0x71], [.escape, .unknown]),
        // Ctrl-Up, Shift-F1 and F2 of two kinds, a late cursor report, an unknown SS3, a key of the console, replies:
        // nothing of them is taken for a command.
        (Array("\u{1b}[1;5A".utf8), []), (Array("\u{1b}[24;2Rq".utf8), [.character("q")]),
        (Array("\u{1b}[1;2P\u{1b}[26~q".utf8), [.character("q")]), (Array("\u{1b}[[Ax".utf8), [.character("x")]),
        (Array("\u{1b}Oax".utf8), [.character("x")]),
        (Array("\u{1b}]11;rgb:0/0/0\u{7}q".utf8), [.character("q")]),
        (Array("\u{1b}P1$r\u{1b}\\q".utf8), [.character("q")]),
        // Broken UTF-8 is passed over.
        ([0xe6, 0x97, 0x71], [.character("q")]), ([0xff, 0x71], [.character("q")]), ([0xc2, 0x9b], []),
        ([0xed, 0xa0, 0x80, 0x71], [.character("q")]),
    ]

    /// PuTTY, rxvt, xterm with its cursor keys in both modes, and the keypad: whatever TERM says.
    @Test(arguments: [
        (["OH", "[H", "[1~", "[7~"], .home), (["OF", "[F", "[4~", "[8~"], .end), (["OA", "[A", "[1A"], .up),
        (["OB", "[B"], .down), (["OC", "[C"], .right), (["OD", "[D"], .left), (["[5~"], .pageUp),
        (["[6~"], .pageDown), (["[3~"], .delete), (["[Z"], .backTab), (["OP", "[11~", "[P"], .function(1)),
        (["[24~"], .function(12)), (["Or"], .character("2")), (["Oo"], .character("/")), (["OM"], .enter),
    ] as [([String], Key)])
    func everySpellingIsTheKey(_ spellings: [String], _ key: Key) {
        for spelling in spellings { #expect(keys(Array("\u{1b}\(spelling)".utf8)) == [key], "\(spelling)") }
    }

    /// Over a slow line they come after the first frame, and in pieces.
    @Test func lateRepliesArePassedOn() {
        var decoder = InputDecoder()
        var keys: [Key] = []
        for part in ["\u{1b}[24;3R\u{1b}]11;rgb:ffff/", "ffff/ffff\u{1b}", "\\\u{1b}[?2026;2$", "y\u{1b}[?62;c"] {
            for byte in part.utf8 { keys += decoder.take(.byte(byte)) }
            keys += decoder.take(.pause)
        }
        let expected: [InputDecoder.Reply] = [
            .init(text: "24;3", last: 0x52), .init(text: "11;rgb:ffff/ffff/ffff", last: 7),
            .init(text: "?2026;2$", last: 0x79), .init(text: "?62;", last: 0x63),
        ]
        #expect(keys.isEmpty && decoder.takeReplies() == expected && decoder.takeReplies().isEmpty)
    }

    @Test(arguments: sequences) func decode(_ bytes: [UInt8], _ expected: [Key]) {
        #expect(keys(bytes) == expected)
    }

    @Test(arguments: [
        ("0;5;3M", Key?.some(.mouse(Mouse(button: .left, row: 2, column: 4)))),
        ("0;5;3m", .mouse(Mouse(button: .released, row: 2, column: 4))), ("2;5;3m", nil),
        ("65;5;3m", nil), ("0;5m", nil),
        ("2;1;1M", .mouse(Mouse(button: .right, row: 0, column: 0))),
        ("64;300;2M", .mouse(Mouse(button: .wheelUp, row: 1, column: 299))),
        ("69;1;1M", .mouse(Mouse(button: .wheelDown, row: 0, column: 0))), ("0;0;1M", nil),
        ("32;5;3M", .mouse(Mouse(button: .dragged, row: 2, column: 4))), ("33;1;1M", nil), ("34;1;1M", nil),
        ("35;1;1M", nil), ("96;1;1M", nil), ("32;5;3m", nil),
        ("0;1M", nil), ("", nil), ("99999999999999999999;1;1M", nil),
    ] as [(String, Key?)])
    func mouseEvents(_ bytes: String, _ expected: Key?) {
        var decoder = InputDecoder()
        var keys = decoder.take(.mouseBegin)
        for byte in bytes.utf8 { keys += decoder.take(.byte(byte)) }
        #expect(keys == (expected.map { [$0] } ?? []))
    }

    @Test func anEventThatIsCutShortIsNoCommand() {
        var decoder = InputDecoder()
        var keys = decoder.take(.mouseBegin)
        for byte in "0;1x".utf8 { keys += decoder.take(.byte(byte)) }
        #expect(keys.isEmpty)
        #expect(decoder.take(.byte(0x6a)) == [.character("j")])
        keys = decoder.take(.oldMouseBegin)
        for byte: UInt8 in [32, 37, 35, 0x6b] { keys += decoder.take(.byte(byte)) }
        #expect(keys == [.mouse(Mouse(button: .left, row: 2, column: 4)), .character("k")])
    }

    /// Over a slow line they arrive together: the text is not lost, and the escape does not come behind it.
    @Test func anEscapeBeforeAPasteOrAClickIsAKey() {
        var decoder = InputDecoder()
        var keys = decoder.take(.byte(0x1b)) + decoder.take(.pasteBegin)
        #expect(keys == [.escape])
        keys = decoder.take(.byte(0x71)) + decoder.take(.pasteEnd) + decoder.take(.pause)
        #expect(keys == [.paste("q")])
        keys = decoder.take(.byte(0x1b)) + decoder.take(.mouseBegin)
        #expect(keys == [.escape])
        keys = "0;5;3M".utf8.flatMap { decoder.take(.byte($0)) } + decoder.take(.pause)
        #expect(keys == [.mouse(Mouse(button: .left, row: 2, column: 4))])
        keys = decoder.take(.byte(0x1b)) + decoder.take(.oldMouseBegin)
        #expect(keys == [.escape])
    }

    @Test func pastesAreOneKey() {
        var decoder = InputDecoder()
        var keys = decoder.take(.pasteBegin)
        for byte in "q日\u{1b}[A".utf8 { keys += decoder.take(.byte(byte)) }
        keys += decoder.take(.pause)
        #expect(keys.isEmpty)
        keys = decoder.take(.pasteEnd) + decoder.take(.byte(0x71)) + decoder.take(.pasteEnd)
        #expect(keys == [.paste("q日\u{1b}[A"), .character("q")])
    }

    /// Neither a pause nor its length ends it, and no key within it acts.
    @Test func aPasteIsWhole() {
        var decoder = InputDecoder()
        let line = "http://127.0.0.1/\(String(repeating: "p", count: 50))\n"
        var keys = decoder.take(.pasteBegin)
        for _ in 0..<20000 {
            for byte in line.utf8 { keys += decoder.take(.byte(byte)) }
            keys += decoder.take(.pause) + decoder.take(.key(.enter)) + decoder.take(.mouseBegin)
        }
        #expect(keys.isEmpty)
        #expect(decoder.take(.pasteEnd) == [.paste(String(repeating: line, count: 20000))])
        var burst = PasteBurst()
        let text = String(repeating: line, count: 2000)
        #expect(burst.take(text.unicodeScalars.map { $0 == "\n" ? .enter : .character($0) }, onList: true).isEmpty)
        #expect(burst.end() == [.paste(text)])
    }
}

struct PasteBurstTests {
    private func keys(_ text: String) -> [Key] {
        text.unicodeScalars.map { $0 == "\n" ? .enter : .character($0) }
    }

    @Test(arguments: [
        ["http://a.example/x"], ["https://a.example/1\nhttps://a.example/2\n"], ["h", "ttp://a.example/x"],
        ["htt", "p://a", ".example/", "x\n"],
        ["http"], ["https://a.example/?q=p&x=d\nxdPq"],
    ])
    func detectsAnUnbracketedPaste(_ reads: [String]) {
        var burst = PasteBurst()
        for read in reads {
            let passed = burst.take(keys(read))
            #expect(passed.isEmpty)
            #expect(burst.isCollecting)
        }
        let (paste, rest) = (burst.end(), burst.end())
        #expect(paste == [.paste(reads.joined())])
        #expect(!burst.isCollecting && rest.isEmpty)
    }

    @Test(arguments: ["j", "p", "thttp://", "xh", " ", "\nh"]) func otherKeysStayKeys(_ text: String) {
        var burst = PasteBurst()
        let passed = burst.take(keys(text)) + burst.end()
        #expect(passed == keys(text))
    }

    /// On the list, where each letter would be a command.
    @Test(arguments: [
        ["curl 'https://a.example/x' -H 'A: b'"], ["curl -O a.example/x", " -o y\nxdPq"],
        ["-o name https://a.example/x"],
        ["fileq add https://a.example/x\n"], ["  wget http://a.example/x"], ["x.example/disk.iso\nx.example/2.iso\n"],
        ["the quick brown fox"],
        // Their first letters are keys of forms and prompts.
        ["see the disk images at a.example/disk.iso"], ["all of www.a.example that anyone needs"],
        ["some words first,\nexcept the second line\nx"],
        ["/home/user/first.iso\nsecond line, not a prompt\n"], ["yesterday's list: ftp://a.example/x, 2 more"],
    ])
    func detectsTextOnTheList(_ reads: [String]) {
        var burst = PasteBurst()
        for read in reads {
            let passed = burst.take(keys(read), onList: true)
            #expect(passed.isEmpty && burst.isCollecting)
        }
        #expect(burst.end() == [.paste(reads.joined())])
    }

    /// Held down, typed ahead, or the text of a prompt that the first key opens.
    @Test(arguments: [
        "jjjjjjjjjjjj", "          ", "jjjkkkGGgnN  ", "jjj x jjj d", "xxxxxxxxxx", "/linux iso state:failed\n",
        ":add get https://a.example/x\n", "ahttps://a.example/x", "l500k 4 slots\n", "curl", "p.x d",
        "ahttps://files.example.org/pool/of/the/disk.iso", "ualice\nsecret\n",
        ":add get https://a.example/x\n:add get https://a.example/2\n", "jjjj\njjjj\njjjjjjjjjjjjjjjjjjjjjjjjj\n",
        "/home/user/first.iso\n/srv/data/second.iso\n", ":resume 11 12 13 14 15 16 17 18\njjjjjjjjjj",
    ])
    func repeatedAndPromptedKeysStayKeys(_ text: String) {
        var burst = PasteBurst()
        #expect(burst.take(keys(text), onList: true) + burst.end() == keys(text))
        let special = keys("the quick brown fox") + [.down]
        #expect(burst.take(special, onList: true) == special)
    }

    @Test func releasesHeldBackLetters() {
        var burst = PasteBurst()
        var passed = [burst.take(keys("ht"))]
        #expect(burst.isCollecting)
        passed += [burst.take(keys("x")), burst.take(keys("h") + [.down]), burst.take(keys("http://a") + [.escape])]
        #expect(passed == [[], keys("htx"), [.character("h"), .down], [.paste("http://a"), .escape]])
        #expect(!burst.isCollecting)
    }
}

struct ServiceWatchTests {
    @Test func probesThenReportsSilence() {
        var watch = ServiceWatch(now: 100)
        #expect(watch.nextCheck(at: 100.25, isActive: true) == 0.75)
        // One question at a time.
        let asks = [100.9, 101, 101.5].map { watch.asks(at: $0, isActive: true) }
        #expect(asks == [false, true, false])
        #expect(watch.silence(at: 101.9) == nil)
        #expect(watch.nextCheck(at: 101.5, isActive: true) == 0.5)
        #expect(watch.silence(at: 102) == 2)
        #expect(watch.nextCheck(at: 102.25, isActive: true) == 0.75)
        #expect(watch.silence(at: 112.5) == 12)
        watch.messageReceived(at: 113)
        #expect(watch.silence(at: 113.5) == nil)
    }

    @Test func doesNotProbeWhenIdle() {
        var watch = ServiceWatch(now: 0)
        #expect(watch.nextCheck(at: 50, isActive: false) == nil)
        var asks = [watch.asks(at: 50, isActive: false)]
        watch.wanted()
        asks.append(watch.asks(at: 50, isActive: false))
        #expect(asks == [false, true])
        watch.messageReceived(at: 50.1)
        #expect(watch.nextCheck(at: 60, isActive: false) == nil)
    }
}

struct LineEditorTests {
    @Test(arguments: [
        ("abc", [Key.left, .backspace], "ac"), ("abc", [.home, .delete], "bc"),
        ("abc", [.control("a"), .right, .control("k")], "a"),
        ("one two", [.control("w")], "one "), ("one two  ", [.control("w")], "one "),
        ("abc", [.left, .control("u")], "c"),
        ("日本", [.backspace], "日"), ("か\u{3099}", [.backspace], ""), ("", [.backspace, .delete, .left, .right], ""),
        ("か", [.character("\u{3099}")], "が"), ("a", [.paste(" b\tc\nd\u{1b}\n")], "a b c d"),
        ("ab", [.left, .end, .character("c")], "abc"),
        ("ab", [.home, .character("x"), .control("e"), .character("y")], "xaby"),
        ("ab", [.control("b"), .control("f"), .control("h")], "a"),
        ("ab", [.home, .control("d")], "b"),
    ])
    func edit(_ text: String, _ keys: [Key], _ expected: String) {
        var editor = LineEditor(text)
        let edits = keys.map { editor.press($0) }
        #expect(!edits.contains(false))
        #expect(editor.text == expected)
    }

    /// Terminals send line feeds, carriage returns, or both.
    @Test(arguments: ["a b\nc\td\n\n", "a b\rc\td\r", "a b\r\nc\td\r\n"])
    func linesOfAPasteStay(_ pasted: String) {
        var editor = LineEditor("", hasLines: true)
        let isEdit = editor.press(.paste(pasted))
        #expect(isEdit && editor.text == "a b\nc d")
        var flat = LineEditor()
        _ = flat.press(.paste(pasted))
        #expect(flat.text == "a b c d")
    }

    @Test(arguments: [Key.up, .down, .enter, .escape, .tab, .pageUp, .control("z")])
    func ignoresOthers(_ key: Key) {
        var editor = LineEditor("abc")
        let edits = editor.press(key)
        #expect(!edits && editor.text == "abc")
    }
}

struct EnvironmentTests {
    @Test(
        arguments: [
            ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true),
            (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
            (["CLICOLOR": "0"], false), (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true),
            (["CLICOLOR": "0", "CLICOLOR_FORCE": "0"], false),
            (["CLICOLOR": "1"], true),
        ] as [([String: String], Bool)])
    func colours(_ environment: [String: String], _ wants: Bool) {
        #expect(ColourPolicy.wantsColours(environment) == wants)
    }

    @Test func taskbarReportsOnlyWhereItIsUnderstood() {
        #expect(TaskbarProgress(environment: ["TERM_PROGRAM": "Apple_Terminal"]) == nil)
        #expect(TaskbarProgress(environment: ["TERM_PROGRAM": "WezTerm", "TMUX": "x"]) == nil)
        var taskbar = TaskbarProgress(environment: ["WT_SESSION": "x"])
        var tally = Tally()
        var reports = [taskbar?.report(tally, at: 0)]
        tally.add(Samples.transfer(1, .running, bytes: 1, total: 2))
        reports += [taskbar?.report(tally, at: 0), taskbar?.report(tally, at: 60)]
        tally.add(Samples.transfer(2, .failed))
        reports += [taskbar?.report(tally, at: 60), taskbar?.report(Tally(), at: 60)]
        #expect(reports == [nil, "\u{1b}]9;4;1;50\u{7}", nil, "\u{1b}]9;4;2;50\u{7}", TaskbarProgress.cleared])
    }

    @Test(arguments: [
        (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.6"], true),
        (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.10"], true),
        (["TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.14"], false),
        (["TERM_PROGRAM": "iTerm.app"], false), (["VTE_VERSION": "8203"], true), (["VTE_VERSION": "7802"], false),
        // Inherited from a terminal around them, or before them.
        (["VTE_VERSION": "8203", "STY": "1.x"], false), (["WT_SESSION": "x", "INSIDE_EMACS": "28"], false),
        (["VTE_VERSION": "8203", "KITTY_WINDOW_ID": "1"], false),
    ])
    func terminalsThatShowProgress(_ environment: [String: String], _ shows: Bool) {
        #expect((TaskbarProgress(environment: environment) != nil) == shows)
    }

    /// It forgets a report after 15 s.
    @Test func progressIsRepeatedForGhostty() throws {
        var taskbar = try #require(TaskbarProgress(environment: ["TERM_PROGRAM": "ghostty"]))
        var tally = Tally()
        tally.add(Samples.transfer(1, .running, bytes: 1, total: 2))
        #expect(taskbar.repeatsIn(0) == nil)
        #expect(taskbar.report(tally, at: 0) != nil && taskbar.repeatsIn(1) == 4)
        #expect(taskbar.report(tally, at: 4.9) == nil && taskbar.report(tally, at: 5) != nil)
        #expect(taskbar.report(Tally(), at: 6) == TaskbarProgress.cleared && taskbar.repeatsIn(6) == nil)
    }

    @Test func questionBeforeQuitting() {
        let ask = TerminalProgram.askWhileActive
        #expect(ask(Samples.queued(3).snapshot) == nil)
        #expect(
            ask(Samples.state([Samples.transfer(1, .running)]).snapshot)?.hasPrefix("1 transfer is running") == true)
        #expect(ask(Samples.mixed.snapshot)?.hasPrefix("6 transfers are running") == true)
    }
}
