// SPDX-License-Identifier: MIT

/// A progress bar as text.
package enum Bar {
    package enum Style: Sendable { case unicode, ascii }

    /// Exactly `width` columns, with end caps from four columns on. Drawn in eighths of a column with
    /// ``Style/unicode``. Only 1 is drawn full, and only 0 empty. `nil` (size unknown) is drawn dotted.
    package static func draw(fraction: Double?, width: Int, style: Style) -> String {
        guard width > 0 else { return "" }
        let hasCaps = width >= 4
        let inner = hasCaps ? width - 2 : width
        let caps =
            switch style {
            case .unicode: (left: "▕", right: "▏")
            case .ascii: (left: "[", right: "]")
            }
        let middle =
            fraction.map { filled($0, inner, style) } ?? String(repeating: style == .ascii ? "." : "·", count: inner)
        return hasCaps ? caps.left + middle + caps.right : middle
    }

    /// A bar of two parts, in whole columns: confirmed, then sent, of another glyph.
    static func draw(confirmed: Double, sent: Double, width: Int, style: Style) -> String {
        let inner = width - 2
        guard inner > 1, sent > confirmed, sent.isFinite else {
            return draw(fraction: confirmed, width: width, style: style)
        }
        let steps = (max(0, confirmed) * Double(inner)).rounded(.down)
        let whole = draw(fraction: steps / Double(inner), width: width, style: style)
        var columns = Array(whole)
        let end = 1 + min(inner, Int((min(1, sent) * Double(inner)).rounded()))
        let glyph: Character = style == .unicode ? "▒" : "="
        for index in 1..<max(1, end) where columns[index] == " " { columns[index] = glyph }
        return String(columns)
    }

    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    private static func filled(_ fraction: Double, _ width: Int, _ style: Style) -> String {
        let steps = width * (style == .unicode ? 8 : 1)
        let part = fraction.isFinite ? min(1, max(0, fraction)) : 0
        var step = Int(part * Double(steps))
        if style == .unicode, part > 0, step == 0 { step = 1 }
        if part < 1, step == steps { step -= 1 }
        let whole = style == .unicode ? step / 8 : step
        let text =
            String(repeating: style == .unicode ? "█" : "#", count: whole)
            + (style == .unicode ? eighths[step % 8] : "")
        return text + CellText.spaces(width - text.unicodeScalars.count)
    }
}
