// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface

/// The properties of standard error.
struct TerminalTraits: Sendable, Equatable {
    /// A terminal that supports cursor movement.
    var canDraw: Bool
    /// As ``TerminalText`` says.
    var isUnicode: Bool
    var wantsColours: Bool
    /// Whether words stand for glyphs.
    var usesWords = false

    var glyphs: TerminalGlyphs {
        usesWords ? .words(isUnicode: isUnicode) : isUnicode ? .unicode : .ascii
    }

    init(isTerminal: Bool, environment: (String) -> String?) {
        let kind = environment("TERM") ?? ""
        canDraw = isTerminal && !kind.isEmpty && kind != "dumb"
        isUnicode = TerminalText.isUnicode(environment) ?? true
        let relevant = ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"]
        wantsColours =
            canDraw && ColourPolicy.colours(ofType: kind) != 0
            && ColourPolicy.wantsColours(
                Dictionary(relevant.compactMap { name in environment(name).map { (name, $0) } }) { first, _ in first })
    }

    static func ofStandardError() -> TerminalTraits {
        TerminalTraits(isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessEnvironment.value)
    }

    /// Columns and rows of the window; 80 × 24 if unknown.
    static func windowSize() -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
