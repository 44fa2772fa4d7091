// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

struct WindowTitleTests {
    @Test(arguments: [
        ("xterm-256color", true), ("tmux-256color", true), ("foot", true), ("linux", false), ("vt100", false),
        ("dumb", false), ("", false),
    ])
    func terminalsThatHaveOne(_ type: String, _ has: Bool) {
        #expect((WindowTitle("fileq", environment: ["TERM": type]) != nil) == has)
    }

    @Test func saysWhatMovesAndWhatHasFailed() throws {
        var title = try #require(WindowTitle("fileq\u{7} demo", environment: ["TERM": "xterm"]))
        func text(_ transfers: Transfer...) -> String? {
            var tally = Tally()
            for transfer in transfers { tally.add(transfer) }
            return title.report(tally)
        }
        let running = Samples.transfer(1, .running, bytes: 1, total: 2)
        #expect(text() == "\u{1b}]2;fileq\u{fffd} demo\u{7}" && text() == nil)
        #expect(text(running) == "\u{1b}]2;fileq\u{fffd} demo: 1 active, 50%\u{7}")
        #expect(text(running, Samples.transfer(2, .failed))?.hasSuffix(": 1 active, 50%, 1 failed\u{7}") == true)
        #expect(text(Samples.transfer(2, .failed))?.hasSuffix(": 1 failed\u{7}") == true)
        title.forget()
        #expect(text(Samples.transfer(2, .failed)) != nil)
    }
}
