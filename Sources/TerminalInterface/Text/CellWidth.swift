// SPDX-License-Identifier: MIT

/// How many columns text takes on a terminal: `wcwidth` without C and without a locale.
///
/// Nothing but this table lays text out here, so that what is measured is what is drawn. It counts code points, as
/// terminals do, not grapheme clusters.
package enum CellWidth {
    /// Columns of `text` once ``TextSanitizer`` has cleaned it: controls count as the one sign that replaces them,
    /// what is stripped counts nothing.
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

    /// 0 for marks that join the character before them, 2 for East Asian wide and fullwidth characters and emoji, 1
    /// for all others.
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
