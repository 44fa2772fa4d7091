// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

@Suite struct NotifierTests {
    @Test(
        arguments: [
            (["TERM_PROGRAM": "iTerm.app"], .osc9), (["TERM_PROGRAM": "WezTerm"], .osc9),
            (["TERM": "xterm-ghostty"], .osc9),
            (["TERM": "xterm-kitty"], .osc99), (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .osc99),
            (["TERM": "foot"], .osc777), (["TERM": "foot-extra"], .osc777),
            (["TERM": "rxvt-unicode-256color"], .osc777),
            (["TERM": "xterm-256color"], nil), (["TERM": "linux"], nil), (["ConEmuANSI": "ON"], nil), ([:], nil),
            (["TERM_PROGRAM": "ghostty", "TMUX": "/tmp/tmux"], nil), (["TERM": "screen", "KITTY_WINDOW_ID": "1"], nil),
        ] as [([String: String], NoticeChannel.Form?)])
    func terminalsThatTakeNotifications(_ environment: [String: String], _ form: NoticeChannel.Form?) {
        for way in [NotifySettings.Way.auto, .terminal] {
            #expect(NoticeChannel.chosen(way, environment)?.form == form)
        }
        #expect(NoticeChannel.chosen(.desktop, environment) == nil)
        #expect(NoticeChannel.chosen(.osc777, environment)?.form == .osc777)
    }

    @Test(
        arguments: [
            (.osc9, "a.iso failed", "404", "\u{1b}]9;fileq: a.iso failed: 404\u{1b}\\"),
            (.osc9, "3 failed", "", "\u{1b}]9;fileq: 3 failed\u{1b}\\"),
            (
                .osc99, "a.iso failed", "404",
                "\u{1b}]99;i=fileq:d=0;a.iso failed\u{1b}\\\u{1b}]99;i=fileq:p=body;404\u{1b}\\"
            ),
            (.osc99, "3 failed", "", "\u{1b}]99;i=fileq;3 failed\u{1b}\\"),
            (.osc777, "a;b.iso failed", "x; y", "\u{1b}]777;notify;a,b.iso failed;x; y\u{1b}\\"),
            // Nothing in a name ends the sequence.
            (
                .osc777, "a\u{7}\u{1b}\\\u{9c}\u{202e}", "\n",
                "\u{1b}]777;notify;a\u{fffd}\u{fffd}\\\u{fffd};\u{fffd}\u{1b}\\"
            ),
        ] as [(NoticeChannel.Form, String, String, String)])
    func sequences(_ form: NoticeChannel.Form, _ title: String, _ body: String, _ sequence: String) {
        #expect(NoticeChannel(form: form).sequence(EndNotice(title: title, body: body)) == sequence)
    }

    @Test func tmuxHandsItThrough() throws {
        let channel = try #require(NoticeChannel.chosen(.osc9, ["TMUX": "x"]))
        #expect(
            channel.sequence(EndNotice(title: "a", body: ""))
                == "\u{1b}Ptmux;\u{1b}\u{1b}]9;fileq: a\u{1b}\u{1b}\\\u{1b}\\")
    }

    private func notifier(_ when: NotifySettings.When, _ environment: [String: String]) -> Notifier? {
        var settings = NotifySettings()
        settings.when = when
        return Notifier(settings, environment: environment) { $0.error?.message }
    }

    private var failure: QueueUpdate {
        .events([TransferEvent(time: 0, name: .failed, transfer: Samples.transfer(1, .failed))])
    }

    @Test(
        arguments: [
            (.unfocused, true, false), (.unfocused, false, true), (.always, true, true), (.always, false, true),
        ] as [(NotifySettings.When, Bool, Bool)])
    func reportsWithoutTheFocus(_ when: NotifySettings.When, _ hasFocus: Bool, _ reports: Bool) throws {
        var notifier = try #require(self.notifier(when, ["TERM": "foot"]))
        notifier.hasFocus = hasFocus
        notifier.receive(failure, at: 10)
        #expect(notifier.report(at: 10.5, isIdle: false) == nil)
        #expect((notifier.report(at: 11, isIdle: false) != nil) == reports)
        // What was seen is not reported later.
        notifier.hasFocus = false
        #expect(notifier.dueIn(12, isIdle: false) == nil && notifier.report(at: 12, isIdle: false) == nil)
        #expect(notifier.attends)
    }

    @Test func theServiceNotifiesWhereTheTerminalCannot() throws {
        var notifier = try #require(self.notifier(.unfocused, ["TERM": "xterm"]))
        #expect(notifier.needsFocus && notifier.attends)
        notifier.hasFocus = false
        #expect(!notifier.attends)
        notifier.receive(failure, at: 10)
        #expect(notifier.dueIn(10, isIdle: false) == nil)
        #expect(self.notifier(.always, ["TERM": "xterm"])?.attends == false)
        #expect(self.notifier(.never, ["TERM": "foot"]) == nil)
    }
}
