// SPDX-License-Identifier: MIT

/// The encoded words of RFC 2047, `=?CHARSET?B|Q?TEXT?=`, which some servers put into `filename`.
enum EncodedWords {
    /// Decodes all of them; white space between two is dropped (section 6.2). Malformed ones, and those of an unknown
    /// charset, are unchanged.
    static func decode(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var result = ""
        var rest = text[...]
        // Bytes of neighbours with one charset belong together: a character may be split between two words.
        var pending: (charset: String, bytes: [UInt8], source: Substring)?
        func flush() {
            guard let word = pending else { return }
            result += LegacyText.decode(word.bytes, charset: word.charset) ?? String(word.source)
            pending = nil
        }
        while !rest.isEmpty {
            if let word = Word(prefixOf: rest) {
                if let before = pending, before.charset == word.charset {
                    pending = (word.charset, before.bytes + word.bytes, text[before.source.startIndex..<word.end])
                } else {
                    flush()
                    pending = (word.charset, word.bytes, rest[..<word.end])
                }
                rest = rest[word.end...]
                let next = rest.drop { $0 == " " || $0 == "\t" }
                if next.startIndex != rest.startIndex, Word(prefixOf: next) != nil { rest = next }
            } else {
                flush()
                result.append(rest.removeFirst())
            }
        }
        flush()
        return result
    }

    private struct Word {
        let charset: String
        let bytes: [UInt8]
        let end: Substring.Index

        init?(prefixOf text: Substring) {
            guard text.hasPrefix("=?") else { return nil }
            let parts = text.dropFirst(2).split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[1].count == 1, parts[3].hasPrefix("="), !parts[0].isEmpty else { return nil }
            // RFC 2231 lets a language follow the charset.
            charset = parts[0].prefix { $0 != "*" }.lowercased()
            let decoded =
                switch parts[1].lowercased() {
                case "b": Self.base64(parts[2])
                case "q": Self.quoted(parts[2])
                default: nil as [UInt8]?
                }
            guard let decoded else { return nil }
            bytes = decoded
            end = parts[3].index(after: parts[3].startIndex)
        }

        private static func quoted(_ text: Substring) -> [UInt8]? {
            var bytes: [UInt8] = []
            var iterator = text.utf8.makeIterator()
            while let byte = iterator.next() {
                switch byte {
                case UInt8(ascii: "_"): bytes.append(0x20)
                case UInt8(ascii: "="):
                    guard let high = iterator.next().flatMap(Hex.value(of:)),
                        let low = iterator.next().flatMap(Hex.value(of:))
                    else { return nil }
                    bytes.append(high << 4 | low)
                case 0x20: return nil
                default: bytes.append(byte)
                }
            }
            return bytes
        }

        private static func base64(_ text: Substring) -> [UInt8]? {
            var (bytes, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
            var digits = text.utf8[...]
            while digits.last == UInt8(ascii: "=") { digits.removeLast() }
            for digit in digits {
                let value: UInt8
                switch digit {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - 65
                case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - 71
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit + 4
                case UInt8(ascii: "+"): value = 62
                case UInt8(ascii: "/"): value = 63
                default: return nil
                }
                buffer = buffer << 6 | UInt32(value)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                    buffer &= (1 << UInt32(bits)) - 1
                }
            }
            return bits >= 6 ? nil : bytes
        }
    }
}
