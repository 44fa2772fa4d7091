// SPDX-License-Identifier: MIT

/// A line of text with a cursor between two characters.
struct LineEditor: Hashable, Sendable {
    private(set) var before: String
    private(set) var after = ""

    init(_ text: String = "") { before = text }

    var text: String { before + after }

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

    /// Line breaks and tabs become spaces.
    private mutating func insert(pasted: String) {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" || $0 == "\t" }
        let flat = pasted.unicodeScalars.map { isSpace($0) ? " " : $0 }.filter { $0.value >= 0x20 && $0.value != 0x7f }
        var text = String(String.UnicodeScalarView(flat))
        while text.last == " " { text.removeLast() }
        before += text
    }

    private mutating func deleteWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }
}
