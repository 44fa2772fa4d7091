// SPDX-License-Identifier: MIT

/// The capabilities of the terminal.
struct Capabilities: Hashable, Sendable {
    enum Text: Sendable { case unicode, withoutAmbiguous, ascii }

    /// How names and messages are shown.
    var text: Text
    /// The glyphs of the interface.
    var glyphs: Glyphs

    static let unicode = Capabilities(text: .unicode, glyphs: .unicode)
    /// Characters of ambiguous width take two columns.
    static let narrow = Capabilities(text: .withoutAmbiguous, glyphs: .narrow)
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
        guard glyphs.bar != .unicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { glyphs[$0] }.joined()
    }
}

/// Glyphs take one column each.
struct Glyphs: Hashable, Sendable {
    /// What is drawn for glyphs of ``unicode``, where it differs.
    private let pairs: [Character: String]
    /// From empty to full.
    let graph: [String]
    let bar: Bar.Style

    subscript(glyph: Character) -> String { pairs[glyph] ?? String(glyph) }

    var down: String { self["↓"] }
    var up: String { self["↑"] }
    var mark: String { self["●"] }
    /// At the left of the selected row.
    var cursor: String { self["▌"] }
    var ellipsis: String { self["…"] }
    var separator: String { self["·"] }
    var rule: String { self["─"] }

    static let unicode = Glyphs(
        pairs: [:], graph: ["_", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], bar: .unicode)
    /// Where characters of ambiguous width take two columns: others that never do.
    static let narrow = Glyphs(
        pairs: asciiPairs.merging(["●": "▪", "↓": "￬", "↑": "￪", "·": "∙", "▾": "▾", "▸": "▸", "▴": "▴"]) { $1 },
        graph: ascii.graph, bar: .narrow)
    static let ascii = Glyphs(
        pairs: asciiPairs, graph: ["_", "_", ".", ",", "-", "=", "+", "*", "#"], bar: .ascii)

    private static let asciiPairs: [Character: String] = [
        "▌": ">", "●": "*", "↓": "v", "↑": "^", "▕": "[", "▏": "]", "█": "#", "▒": "=", "▓": "+", "✓": "+", "✗": "x",
        "…": "~", "·": "-", "≤": "<", "≥": ">", "▾": "v", "▸": ">", "▴": "^", "–": "-", "─": "-", "│": "|", "┌": "+",
        "┐": "+",
        "└": "+", "┘": "+", "‹": "<", "›": ">", "←": "<", "→": ">", "↻": "@", "◷": "%", "‖": "\"", "━": "=", "╸": "=",
        "╌": "~",
    ]
}
