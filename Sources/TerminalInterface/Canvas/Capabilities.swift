// SPDX-License-Identifier: MIT

/// What the terminal at hand can show.
struct Capabilities: Hashable, Sendable {
    enum Text: Sendable { case unicode, withoutAmbiguous, ascii }

    /// How names and messages are shown.
    var text: Text
    /// The signs the interface itself draws with.
    var glyphs: Glyphs

    static let unicode = Capabilities(text: .unicode, glyphs: .unicode)
    static let ascii = Capabilities(text: .ascii, glyphs: .ascii)

    /// `raw`, safe and drawable here.
    func shown(_ raw: String) -> String {
        let clean = TextSanitizer.clean(raw)
        switch text {
        case .unicode: return clean
        case .withoutAmbiguous: return Transliteration.withoutAmbiguous(clean)
        case .ascii: return Transliteration.ascii(clean)
        }
    }
}

/// The interface's own signs; each takes one column, except `ellipsis`, which may take more.
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
