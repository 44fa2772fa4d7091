// SPDX-License-Identifier: MIT

import TerminalInterface

/// Names in line-based output.
enum LineText {
    /// For programs: unchanged, including joiners and bidi marks, except for what would end a line or field, or control
    /// a terminal.
    ///
    /// C0 and C1 controls and DEL become `\t`, `\n`, `\r` or `\xHH`, the line and paragraph separators `\u2028` and
    /// `\u2029`. A backslash is not escaped: only `--json` is unambiguous.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\u{2028}", "\u{2029}": escaped += "\\u" + String(scalar.value, radix: 16)
            case _ where isControl(scalar):
                escaped += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A name that need not be UTF-8: bytes that are not become `\xHH`.
    static func escaped(bytes: [UInt8]) -> String {
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = (1...4).first { $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
            } else {
                text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
        default: false
        }
    }
}
