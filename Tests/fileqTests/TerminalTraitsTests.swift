// SPDX-License-Identifier: MIT

import Testing

@testable import fileq

@Suite struct TerminalTraitsTests {
    @Test(
        arguments: [
            (["TERM": "xterm", "LANG": "ja_JP.UTF-8"], true, true, true, true),
            (["TERM": "xterm", "LC_ALL": "C", "LANG": "ja_JP.UTF-8"], true, true, false, true),
            (["TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "de_DE.utf8@euro"], true, true, true, true),
            (["TERM": "dumb", "LANG": "C.UTF-8"], true, false, true, false),
            (["LANG": "C.UTF-8"], true, false, true, false),
            (["TERM": "xterm", "LANG": "C.UTF-8"], false, false, true, false),
            // Without a locale, and in one that is not installed.
            (["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, true, true, false),
            (["TERM": "xterm", "CLICOLOR": "0", "LC_CTYPE": "UTF-8"], true, true, true, false),
            (["TERM": "xterm", "LC_ALL": "xx_XX.UTF-8"], true, true, true, true),
            (["TERM": "xterm", "LANG": "de_DE.ISO-8859-1"], true, true, false, true),
            // Its description has no colours.
            (["TERM": "vt100", "LANG": "C.UTF-8"], true, true, true, false),
        ] as [([String: String], Bool, Bool, Bool, Bool)])
    func detectsTerminalsFromTheEnvironment(
        environment: [String: String], isTerminal: Bool, draws: Bool, isUnicode: Bool, colours: Bool
    ) {
        let traits = TerminalTraits(isTerminal: isTerminal) { environment[$0] }
        #expect(traits.canDraw == draws)
        #expect(traits.isUnicode == isUnicode)
        #expect(traits.wantsColours == colours)
    }
}
