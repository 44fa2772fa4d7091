// SPDX-License-Identifier: MIT

/// Replacements for terminals without full Unicode.
enum Transliteration {
    /// ASCII only: letters lose their marks, symbols become similar ones, everything else one `?` per character.
    static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for scalar in text.unicodeScalars where CellWidth.of(scalar) > 0 {
            result += scalar.isASCII ? String(scalar) : replacement(for: scalar) ?? "?"
        }
        return result
    }

    /// Whether ``ascii(_:)`` makes a `?` of some character.
    static func losesCharacters(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            !scalar.isASCII && scalar != "\u{fffd}" && CellWidth.of(scalar) > 0 && replacement(for: scalar) == nil
        }
    }

    /// Everything except characters of ambiguous width, which would shift the rest of the line.
    static func withoutAmbiguous(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: CellWidth.isAmbiguous) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if CellWidth.isAmbiguous(scalar) {
                result.append(contentsOf: (replacement(for: scalar) ?? "?").unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        let value = scalar.value
        switch value {
        case 0xa0, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: return " "
        case 0xc0...0x17f: return latin[Int(value - 0xc0)]
        // Fullwidth forms are ASCII with an offset.
        case 0xff01...0xff5e: return Unicode.Scalar(value - 0xfee0).map(String.init)
        default: return signs[scalar]
        }
    }

    private static let signs: [Unicode.Scalar: String] = [
        "‘": "'", "’": "'", "“": "\"", "”": "\"", "«": "<<", "»": ">>", "‐": "-", "‑": "-", "‒": "-", "–": "-",
        "—": "-",
        "―": "-", "…": "...", "•": "*", "·": ".", "×": "x", "÷": "/", "±": "+-", "°": "deg", "©": "(c)", "®": "(R)",
        "™": "(TM)", "€": "EUR", "£": "GBP", "¥": "Y", "№": "No", "←": "<-", "→": "->", "↑": "^", "↓": "v", "−": "-",
        "、": ",", "。": ".", "「": "[", "」": "]", "【": "[", "】": "]", "・": ".", "ー": "-", "〜": "~",
    ]

    /// U+00C0 to U+017F.
    private static let latin: [String] = """
        A A A A A A AE C E E E E I I I I D N O O O O O x O U U U U Y Th ss \
        a a a a a a ae c e e e e i i i i d n o o o o o / o u u u u y th y \
        A a A a A a C c C c C c C c D d D d E e E e E e E e E e G g G g G g G g H h H h I i I i I i I i I i IJ ij J j \
        K k k L l L l L l L l L l N n N n N n n N n O o O o O o OE oe R r R r R r S s S s S s S s T t T t T t U u U u \
        U u U u U u U u W w Y y Y Z z Z z Z z s
        """.split(separator: " ").map(String.init)
}
