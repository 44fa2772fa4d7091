// SPDX-License-Identifier: MIT

/// The width of text on a terminal: `wcwidth` without C and locale.
///
/// All layout uses this table, so that measuring and drawing agree. It counts code points, as terminals do, not
/// grapheme clusters.
package enum CellWidth {
    /// Columns of `text` after ``TextSanitizer``: a control counts as its replacement, stripped characters count 0.
    package static func of(_ text: String) -> Int {
        var columns = 0
        for scalar in text.unicodeScalars {
            switch TextSanitizer.fate(of: scalar) {
            case .keep: columns += of(scalar)
            case .replace: columns += 1
            case .strip: break
            }
        }
        return columns
    }

    /// 0 for combining marks, 2 for East Asian wide and fullwidth characters and emoji, else 1.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        if contains(wideRanges, value) { return 2 }
        return contains(zeroRanges, value) ? 0 : 1
    }

    /// Whether terminals disagree about the width: one column, or two with East Asian legacy settings.
    static func isAmbiguous(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xa1 && contains(ambiguousRanges, scalar.value)
    }

    private static func contains(_ pairs: [UInt32], _ value: UInt32) -> Bool {
        var (low, high) = (0, pairs.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if value < pairs[2 * middle] {
                high = middle
            } else if value > pairs[2 * middle + 1] {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }
}
