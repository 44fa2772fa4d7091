// SPDX-License-Identifier: MIT

@testable import TerminalInterface

extension FuzzTarget {
    /// To the terminal and from it.
    static let screens = [FuzzTarget("screen", screen), FuzzTarget("keys", keys)]

    private static func screen(_ bytes: Bytes) throws {
        let text = TextSanitizer.clean(bytes.text)
        try promise(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) },
            "a control character reaches the terminal")
        try promise(
            !text.unicodeScalars.contains {
                (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value)
            },
            "a character that turns the line around reaches the terminal")
        try promise(TextSanitizer.clean(text) == text, "not stable: \(text.debugDescription)")
        let columns = CellWidth.of(text)
        try promise(columns >= 0, "a width of \(columns)")
        for width in bytes.count < 64 ? [0, 1, 2, 3, 7, 40] : [1, 2, 40] {
            for fitted in [
                CellText.fit(text, width: width), CellText.fit(text, width: width, ellipsis: .middle, mark: "..."),
                CellText.name(text, width: width),
            ] {
                try promise(
                    CellWidth.of(fitted) == width, "\(CellWidth.of(fitted)) columns in place of \(width)")
            }
            for line in CellText.wrap(text, width: width) {
                try promise(CellWidth.of(line) <= width, "a line of \(CellWidth.of(line)) columns in \(width)")
            }
        }
        let ascii = Transliteration.ascii(text)
        try promise(ascii.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "not ASCII: \(ascii.debugDescription)")
    }

    private static func keys(_ bytes: Bytes) throws {
        var (decoder, burst) = (InputDecoder(), PasteBurst())
        var keys: [Key] = []
        for byte in bytes {
            let input: InputDecoder.Input =
                switch byte {
                case 0xfe: .pause
                case 0xfd: .pasteBegin
                case 0xfc: .pasteEnd
                case 0xfb: .mouseBegin
                case 0xfa: .oldMouseBegin
                default: .byte(byte)
                }
            keys += burst.take(decoder.take(input))
        }
        keys += decoder.take(.pasteEnd) + burst.end()
        try promise(keys.count <= bytes.count + 2, "\(keys.count) keys of \(bytes.count) bytes")
        for key in keys {
            switch key {
            case .character(let scalar):
                try promise(
                    scalar.value >= 0x20 && !(0x7f..<0xa0).contains(scalar.value), "a control character as a key")
            case .mouse(let mouse):
                try promise(mouse.row >= 0 && mouse.column >= 0, "a click at \(mouse.row), \(mouse.column)")
            default: break
            }
        }
    }
}
