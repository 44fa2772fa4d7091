// SPDX-License-Identifier: MIT

/// The capabilities of the terminal.
struct Capabilities: Hashable, Sendable {
    enum Text: Sendable { case unicode, withoutAmbiguous, ascii }

    /// How names and messages are shown.
    var text: Text
    /// The glyphs of the interface.
    var glyphs: Glyphs

    static let unicode = Capabilities(text: .unicode, glyphs: .unicode)
    static let ascii = Capabilities(text: .ascii, glyphs: .ascii)

    /// `raw`, sanitized and transliterated for this terminal.
    func shown(_ raw: String) -> String {
        let clean = TextSanitizer.clean(raw)
        switch text {
        case .unicode: return clean
        case .withoutAmbiguous: return Transliteration.withoutAmbiguous(clean)
        case .ascii: return Transliteration.ascii(clean)
        }
    }

    /// The interface's own text, with the glyphs of this terminal.
    func drawn(_ text: String) -> String {
        guard glyphs != .unicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return String(text.map { Glyphs.pairs[$0] ?? $0 })
    }
}

/// Glyphs take one column each.
struct Glyphs: Hashable, Sendable {
    var down: String
    var up: String
    var mark: String
    /// At the left of the selected row.
    var cursor: String
    var ellipsis: String
    var separator: String
    var rule: String
    var failed: String
    var done: String
    /// From empty to full.
    var graph: [String]
    var bar: Bar.Style

    static let unicode = Glyphs(
        down: "↓", up: "↑", mark: "●", cursor: "▌", ellipsis: "…", separator: "·", rule: "─", failed: "✗", done: "✓",
        graph: ["_", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], bar: .unicode)
    static let ascii = Glyphs(
        down: "v", up: "^", mark: "*", cursor: ">", ellipsis: "~", separator: "-", rule: "-", failed: "x", done: "+",
        graph: ["_", "_", ".", ",", "-", "=", "+", "*", "#"], bar: .ascii)

    func arrow(_ isUpload: Bool) -> String { isUpload ? up : down }

    /// The ASCII form of each glyph of the interface.
    static let pairs: [Character: Character] = [
        "▌": ">", "●": "*", "↓": "v", "↑": "^", "▕": "[", "▏": "]", "█": "#", "▒": "=", "▓": "+", "✓": "+", "✗": "x",
        "…": "~", "·": "-", "≤": "<", "▾": "v", "▸": ">", "▴": "^", "–": "-", "─": "-", "│": "|", "┌": "+", "┐": "+",
        "└": "+", "┘": "+", "‹": "<", "›": ">", "←": "<", "→": ">",
    ]
}
