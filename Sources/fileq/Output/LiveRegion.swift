// SPDX-License-Identifier: MIT

import TerminalInterface

/// The lines at the bottom of a terminal that are drawn again and again, as the text that does it. Pure.
///
/// The cursor rests at the beginning of the last line, where the `^C` that a terminal echoes cannot break the line.
/// Lines that are to stay are written where the region begins and push it down, so that they scroll away like any
/// output.
struct LiveRegion {
    /// Written before the first frame, and after the last one on every way out of the program.
    static let begin = "\u{1b}[?25l"
    static let restore = "\u{1b}[?25h\u{1b}[?7h"

    /// Widths of the lines on the screen.
    private var drawn: [Int] = []

    /// - Parameters:
    ///   - permanent: lines of any width, already free of control characters, that are to stay.
    ///   - live: lines narrower than the window.
    ///   - columns: the width of the window now; after a change of width terminals have broken the old lines anew.
    mutating func frame(permanent: [String], live: [String], columns: Int) -> String {
        var text = "\r"
        let height = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        if height > 1 { text += "\u{1b}[\(height - 1)A" }
        for line in permanent { text += "\u{1b}[2K\(line)\r\n" }
        // Without automatic line breaks a character that is wider here than it should be costs the end of its line, no
        // more.
        text += "\u{1b}[?7l"
        for (index, line) in live.enumerated() {
            text += "\u{1b}[2K\(line)" + (index < live.count - 1 ? "\r\n" : "")
        }
        text += live.isEmpty ? "\u{1b}[J" : "\u{1b}[J\r"
        text += "\u{1b}[?7h"
        drawn = live.map(CellWidth.of)
        return text
    }

    /// After others have written to the terminal: what was drawn is no longer ours.
    mutating func forget() {
        drawn = []
    }
}
