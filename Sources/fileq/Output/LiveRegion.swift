// SPDX-License-Identifier: MIT

import TerminalInterface

/// The lines at the bottom of a terminal that are redrawn, as the escape sequences that draw them. No I/O.
///
/// The cursor stays at the start of the last line, where an echoed `^C` does not break the line. Permanent lines are
/// written at the start of the region and push it down, so that they scroll away like other output.
struct LiveRegion {
    /// Written after the last frame on every exit path. The cursor is never hidden: SIGKILL leaves no time to show it.
    static let restore = "\u{1b}[?7h"

    /// Widths of the lines on the screen.
    private var drawn: [Int] = []

    /// - Parameters:
    ///   - permanent: lines of any width without control characters, which scroll away.
    ///   - live: lines narrower than the window.
    ///   - columns: the current window width; after a change, terminals have rewrapped old lines.
    mutating func frame(permanent: [String], live: [String], columns: Int) -> String {
        var text = "\r"
        let height = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        if height > 1 { text += "\u{1b}[\(height - 1)A" }
        for line in permanent { text += "\u{1b}[2K\(line)\r\n" }
        // Without automatic wrapping, a character that is wider than expected costs at most the end of its line.
        text += "\u{1b}[?7l"
        for (index, line) in live.enumerated() {
            text += "\u{1b}[2K\(line)" + (index < live.count - 1 ? "\r\n" : "")
        }
        text += live.isEmpty ? "\u{1b}[J" : "\u{1b}[J\r"
        text += "\u{1b}[?7h"
        drawn = live.map(Self.width)
        return text
    }

    /// Columns of a line with sequences for colours (`ESC [ … m`).
    static func width(_ line: String) -> Int {
        let parts = line.split(separator: "\u{1b}", omittingEmptySubsequences: false)
        return parts.enumerated().reduce(0) { columns, part in
            let text = part.offset == 0 ? part.element : part.element.drop { $0 != "m" }.dropFirst()
            return columns + CellWidth.of(String(text))
        }
    }

    /// After others have written to the terminal: the drawn region is lost.
    mutating func forget() {
        drawn = []
    }
}
