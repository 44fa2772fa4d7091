// SPDX-License-Identifier: MIT

import Platform

/// A QR code for a terminal: two modules in a cell, with the light margin that readers need.
enum QRCodeText {
    private static let margin = 2

    /// - Parameter wantsColours: dark on light whatever the terminal's colours are; else for a dark terminal.
    static func lines(_ code: QRCode, wantsColours: Bool) -> [String] {
        let span = -margin..<code.width + margin
        return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
            let cells = span.map { column -> Character in
                // A half that is drawn is light.
                switch (code.isDark(column, row), code.isDark(column, row + 1) || row + 1 >= span.upperBound) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return wantsColours ? "\u{1B}[97;40m\(String(cells))\u{1B}[0m" : String(cells)
        }
    }

    /// Writes it to standard error if that is a terminal that can show it.
    /// - Returns: `false` without a library that makes it.
    static func show(_ text: String) -> Bool {
        let traits = TerminalTraits.ofStandardError()
        guard traits.canDraw, traits.isUnicode else { return true }
        guard let code = QRCode(text) else { return false }
        let (columns, rows) = TerminalTraits.windowSize()
        let lines = lines(code, wantsColours: traits.wantsColours)
        guard code.width + 2 * margin <= columns, lines.count < rows else { return true }
        StandardError.write(lines)
        return true
    }
}
