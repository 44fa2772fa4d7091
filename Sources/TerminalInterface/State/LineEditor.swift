// SPDX-License-Identifier: MIT

/// A line of text with a cursor between two characters.
struct LineEditor: Hashable, Sendable {
    private(set) var before: String
    private(set) var after = ""
    /// Whether the text may have several lines, which only a paste brings; otherwise line breaks become spaces.
    private var hasLines = false

    init(_ text: String = "", hasLines: Bool = false) {
        before = text
        self.hasLines = hasLines
    }

    var text: String { before + after }

    /// With another text, and the cursor at its end.
    func replaced(by text: String) -> LineEditor { LineEditor(text, hasLines: hasLines) }

    /// - Returns: whether the key was handled.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let scalar): before.unicodeScalars.append(scalar)
        case .paste(let text): insert(pasted: text)
        case .backspace, .control("h"): if !before.isEmpty { before.removeLast() }
        case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
        case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ("", text)
        case .end, .control("e"): (before, after) = (text, "")
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .control("w"): deleteWord()
        default: return false
        }
        return true
    }

    /// Tabs become spaces, and so do line breaks unless lines are kept.
    private mutating func insert(pasted: String) {
        // A terminal may send CR, or both.
        let flat = Self.withoutCarriageReturns(pasted).compactMap { scalar -> Unicode.Scalar? in
            switch scalar {
            case "\n": hasLines ? scalar : " "
            case "\t": " "
            default: scalar.value >= 0x20 && scalar.value != 0x7f ? scalar : nil
            }
        }
        var text = String(String.UnicodeScalarView(flat))
        while text.last == " " || text.last == "\n" { text.removeLast() }
        before += text
    }

    private static func withoutCarriageReturns(_ text: String) -> [Unicode.Scalar] {
        var previous: Unicode.Scalar = " "
        return text.unicodeScalars.compactMap { scalar in
            defer { previous = scalar }
            if scalar == "\n", previous == "\r" { return nil }
            return scalar == "\r" ? "\n" : scalar
        }
    }

    private mutating func deleteWord() {
        while let last = before.last, last.isWhitespace { before.removeLast() }
        while let last = before.last, !last.isWhitespace { before.removeLast() }
    }
}
