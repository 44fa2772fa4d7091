// SPDX-License-Identifier: MIT

/// Text of another program, cleaned for one line of a message.
public enum TextLine {
    /// The first line with something in it, without control characters, at most 200 characters.
    public static func first(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) } ?? ""
        let clean = line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return String(String.UnicodeScalarView(clean)).prefix(200).description
    }
}
