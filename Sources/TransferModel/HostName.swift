// SPDX-License-Identifier: MIT

/// Host names outside ASCII: their wire form, and whether one looks like another.
package enum HostName {
    /// In ASCII, `xn--` before what is encoded (RFC 5890, section 2.3.2.1): for messages and comparisons.
    ///
    /// Capitals become small; the other mappings of UTS #46 (width, composition) are the transport's.
    /// - Returns: `nil` for what cannot be encoded.
    package static func ascii(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        // The full stops of East Asia part labels too (RFC 3490, section 3.1).
        let labels = host.lowercased().unicodeScalars.split(omittingEmptySubsequences: false) {
            ".\u{3002}\u{ff0e}\u{ff61}".unicodeScalars.contains($0)
        }
        var encoded: [String] = []
        for label in labels {
            if label.allSatisfy(\.isASCII) {
                encoded.append(String(String.UnicodeScalarView(label)))
            } else {
                guard let code = punycode(Array(label)) else { return nil }
                encoded.append("xn--" + code)
            }
        }
        return encoded.joined(separator: ".")
    }

    /// What to show beside a name in which letters of several scripts stand in one label, such as a Cyrillic а in a
    /// Latin word.
    /// - Returns: the name in ASCII; `nil` where every label is of one script, or of scripts that are written together
    ///   (UTS #39, section 5.2: Han with kana, Hangul or Bopomofo, each with Latin).
    package static func warning(_ host: String) -> String? {
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let isMixed = host.unicodeScalars.split(whereSeparator: {
            ".\u{3002}\u{ff0e}\u{ff61}".unicodeScalars.contains($0)
        })
        .contains { label in
            let scripts = Set(label.compactMap(Script.of))
            return scripts.count > 1 && !Script.together.contains { scripts.isSubset(of: $0) }
        }
        return isMixed ? ascii(host) : nil
    }

    /// RFC 3492, section 6.3.
    private static func punycode(_ label: [Unicode.Scalar]) -> String? {
        let base: UInt32 = 36
        let basic = label.filter(\.isASCII)
        var output = String(String.UnicodeScalarView(basic))
        if !basic.isEmpty { output += "-" }
        var (n, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        var handled = UInt32(basic.count)
        while handled < label.count {
            guard let next = label.map(\.value).filter({ $0 >= n }).min() else { return nil }
            let (step, overflow) = (next - n).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflows) = delta.addingReportingOverflow(step)
            guard !overflow, !overflows, sum < 1 << 30 else { return nil }
            (delta, n) = (sum, next)
            for scalar in label {
                if scalar.value < n { delta += 1 }
                guard scalar.value == n else { continue }
                var (q, k) = (delta, base)
                while true {
                    let threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias
                    if q < threshold { break }
                    output.unicodeScalars.append(digit(threshold + (q - threshold) % (base - threshold)))
                    q = (q - threshold) / (base - threshold)
                    k += base
                }
                output.unicodeScalars.append(digit(q))
                bias = adapted(delta, points: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return output
    }

    private static func digit(_ value: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(value < 26 ? value + 97 : value - 26 + 48))
    }

    /// RFC 3492, section 6.1.
    private static func adapted(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / points
        var k: UInt32 = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}

/// The scripts that names are mixed of, by the blocks of Unicode that hold their letters.
private enum Script: Hashable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, thai, georgian, hangul, kana, bopomofo, han,
        other

    static let together: [Set<Script>] = [[.latin, .han, .kana], [.latin, .han, .hangul], [.latin, .han, .bopomofo]]

    /// `nil` for what belongs to every script: digits, hyphens, marks that combine.
    static func of(_ scalar: Unicode.Scalar) -> Script? {
        guard scalar.properties.isAlphabetic else { return nil }
        return switch scalar.value {
        case 0x30fc: nil
        case 0x41...0x24f, 0x1e00...0x1eff, 0x2c60...0x2c7f, 0xa720...0xa7ff, 0xab30...0xab6f, 0xff21...0xff5a,
            0x250...0x2af:
            .latin
        case 0x370...0x3ff, 0x1f00...0x1fff: .greek
        case 0x400...0x52f, 0x1c80...0x1c8f, 0x2de0...0x2dff, 0xa640...0xa69f: .cyrillic
        case 0x530...0x58f: .armenian
        case 0x590...0x5ff: .hebrew
        case 0x600...0x6ff, 0x750...0x77f, 0x8a0...0x8ff: .arabic
        case 0x900...0x97f: .devanagari
        case 0xe00...0xe7f: .thai
        case 0x10a0...0x10ff, 0x1c90...0x1cbf, 0x2d00...0x2d2f: .georgian
        case 0x1100...0x11ff, 0x3130...0x318f, 0xa960...0xa97f, 0xac00...0xd7ff: .hangul
        case 0x3040...0x30ff, 0x31f0...0x31ff, 0xff66...0xff9f: .kana
        case 0x3100...0x312f, 0x31a0...0x31bf: .bopomofo
        case 0x3005...0x3007, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: .han
        default: .other
        }
    }
}
