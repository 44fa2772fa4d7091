// SPDX-License-Identifier: MIT

import TransferModel

/// Names in line-based output.
enum LineText {
    /// For programs: unchanged, including joiners, except for what would end a line or field, control a terminal, or
    /// change the direction of what follows.
    ///
    /// C0 and C1 controls and DEL become `\t`, `\n`, `\r` or `\xHH`, line and paragraph separators and bidi controls
    /// `\uHHHH`. A backslash is not escaped: only `--json` is unambiguous.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: TextLine.isInvisible) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case _ where TextLine.isInvisible(scalar):
                let (digits, most) = (String(scalar.value, radix: 16), scalar.value > 0xff ? 4 : 2)
                escaped += (most == 4 ? "\\u" : "\\x") + String(repeating: "0", count: most - digits.count) + digits
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
}
