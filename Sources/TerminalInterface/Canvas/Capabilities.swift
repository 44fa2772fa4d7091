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
}

/// Glyphs take one column each, except `ellipsis`.
struct Glyphs: Hashable, Sendable {
    var down: String
    var up: String
    var mark: String
    var cursor: String
    var ellipsis: String
    var separator: String
    var rule: String
    var bar: Bar.Style

    static let unicode = Glyphs(
        down: "↓", up: "↑", mark: "●", cursor: "›", ellipsis: "…", separator: "·", rule: "─",
        bar: .unicode)
    static let ascii = Glyphs(
        down: "v", up: "^", mark: "*", cursor: ">", ellipsis: "~", separator: "-", rule: "-",
        bar: .ascii)

    func arrow(_ isUpload: Bool) -> String { isUpload ? up : down }
}
