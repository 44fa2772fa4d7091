// SPDX-License-Identifier: MIT

/// Text of another program, cleaned for one line of a message.
package enum TextLine {
    /// The first line with something in it, without control characters, at most 200 characters.
    package static func first(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
        let clean = line.unicodeScalars.filter { !isControl($0) }
        return String(String.UnicodeScalarView(clean)).prefix(200).description
    }

    /// Also what changes the direction of text (the Unicode property Bidi_Control).
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        isControl(scalar) || scalar.properties.isBidiControl
    }

    /// Whether a terminal or another program may interpret it: C0, DEL, C1, line and paragraph separator.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
        default: false
        }
    }

    /// - Parameter replacement: of each control character.
    package static func replacingControls(in text: String, by replacement: Unicode.Scalar) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? replacement : $0 }))
    }
}
