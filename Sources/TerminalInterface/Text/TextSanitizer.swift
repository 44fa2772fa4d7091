// SPDX-License-Identifier: MIT

import TransferModel

/// Makes text from networks and file names safe for a terminal, with a width that all terminals agree on.
package enum TextSanitizer {
    /// Controls (C0, DEL, C1, line and paragraph separator) become U+FFFD. Removed: joiners and other zero-width format
    /// characters, variation selectors, emoji skin tones, bidi marks, embeddings, overrides and isolates, tags.
    /// Terminals interpret nothing in the result.
    package static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch fate(of: scalar) {
            case .keep: cleaned.append(scalar)
            case .replace: cleaned.append("\u{fffd}")
            case .strip: break
            }
        }
        return String(cleaned)
    }

    enum Fate: Equatable { case keep, replace, strip }

    static func fate(of scalar: Unicode.Scalar) -> Fate {
        switch scalar.value {
        case 0x20..<0x7f: .keep
        case _ where TextLine.isControl(scalar): .replace
        case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180f, 0x3164, 0xfeff, 0xffa0: .strip
        case 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfff0...0xfffb: .strip
        // Variation selectors and skin tones change the width only in some terminals.
        case 0xfe00...0xfe0f, 0xe0000...0xe0fff, 0x1f3fb...0x1f3ff: .strip
        default: .keep
        }
    }
}
