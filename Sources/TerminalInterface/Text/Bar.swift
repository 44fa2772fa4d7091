// SPDX-License-Identifier: MIT

/// A progress bar as text: a line, so that those of many rows do not join into an area.
package enum Bar {
    package enum Style: Sendable { case unicode, narrow, ascii }

    /// From left to right; together exactly as wide as asked.
    package struct Parts: Hashable {
        /// Of an upload, what the server has confirmed.
        package var done = ""
        /// Sent, but not confirmed.
        package var sent = ""
        package var rest = ""

        var text: String { done + sent + rest }
    }

    /// Exactly `width` columns; `nil` (size unknown) is drawn dotted.
    package static func draw(fraction: Double?, width: Int, style: Style) -> String {
        guard width > 0 else { return "" }
        guard let fraction else { return String(repeating: style == .unicode ? "·" : ".", count: width) }
        return parts(fraction: fraction, width: width, style: style).text
    }

    /// With ``Style/unicode`` a column has three steps: a light line, half a heavy one, and a heavy one. Where the
    /// colours of the parts differ, each is seen. Only 1 is drawn full, and only 0 empty.
    /// - Parameter sent: of an upload, 0…1.
    package static func parts(fraction: Double, sent: Double? = nil, width: Int, style: Style) -> Parts {
        guard width > 0 else { return Parts() }
        let glyphs: (whole: String, steps: [String], sent: String, rest: String) =
            switch style {
            case .unicode: ("━", ["", "─", "╸"], "╌", "─")
            case .narrow: ("#", [""], "~", "-")
            case .ascii: ("=", [""], "~", "-")
            }
        let most = width * glyphs.steps.count
        let part = fraction.isFinite ? min(1, max(0, fraction)) : 0
        var step = Int(part * Double(most))
        if part > 0, step == 0, glyphs.steps.count > 1 { step = 1 }
        if part < 1, step == most { step -= 1 }
        let (whole, rest) = step.quotientAndRemainder(dividingBy: glyphs.steps.count)
        var parts = Parts(done: String(repeating: glyphs.whole, count: whole) + glyphs.steps[rest])
        var used = whole + (rest > 0 ? 1 : 0)
        if let sent, sent.isFinite {
            let end = Int((min(1, max(0, sent)) * Double(width)).rounded())
            parts.sent = String(repeating: glyphs.sent, count: max(0, end - used))
            used = max(used, end)
        }
        parts.rest = String(repeating: glyphs.rest, count: width - used)
        return parts
    }
}
