// SPDX-License-Identifier: MIT

package import HTTPTypes

/// `Content-Disposition` (RFC 6266): how a server proposes to name what it sends.
package struct ContentDisposition: Sendable, Hashable, CustomStringConvertible {
    /// `attachment`, `inline`, lower case.
    package var type: String
    /// Decoded, but as the server chose it: pass it through ``SafeFileName`` before it becomes a path.
    package var fileName: String?

    package init(type: String = "attachment", fileName: String? = nil) {
        self.type = type
        self.fileName = fileName
    }

    /// Parses the field as browsers do: `filename*` (RFC 8187) before `filename`; in the latter also raw UTF-8 and, if
    /// all is ASCII, the encoded words of RFC 2047. `%20` there is not an escape. Without a type it is an `attachment`;
    /// `nil` without a name, too.
    package init?(parsing text: some StringProtocol) { self.init(bytes: text.utf8) }

    /// As ``init(parsing:)`` for the bytes of a field, which may be in the charset of the server's file system: bytes
    /// that are not UTF-8 are decoded as Japanese if valid, else as ISO-8859-1 (``LegacyText``).
    package init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var scanner = ParameterScanner(bytes: bytes, isUTF8: String(validating: bytes, as: UTF8.self) != nil)
        self.init(scanning: &scanner)
    }

    private init?(scanning scanner: inout ParameterScanner) {
        guard let type = scanner.token() else { return nil }
        let isTyped = !type.contains("=")
        self.init(type: isTyped ? type.lowercased() : "attachment")
        if !isTyped { scanner.position = 0 }
        var plain: [UInt8]?
        var extended: String?
        while let (name, value) = scanner.parameter() {
            switch name.lowercased() {
            case "filename": plain = plain ?? value
            case "filename*": extended = extended ?? Self.decodeExtended(String(decoding: value, as: UTF8.self))
            default: continue
            }
        }
        fileName = extended ?? plain.map(Self.decodePlain)
        if !isTyped, fileName == nil { return nil }
    }

    /// Both forms where the name needs it: `filename` for old readers, `filename*` for all others.
    package var description: String {
        guard let fileName else { return type }
        // What looks like an encoded word would be decoded.
        let isPlain =
            fileName.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && !"\"\\%".utf8.contains($0) }
            && !fileName.contains("=?")
        if isPlain { return "\(type); filename=\"\(fileName)\"" }
        let fallback = String(
            String.UnicodeScalarView(
                fileName.unicodeScalars.map { scalar in
                    scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7f
                        && !"\"\\%".unicodeScalars.contains(scalar)
                        ? scalar : "_"
                }))
        return "\(type); filename=\"\(fallback)\"; filename*=UTF-8''\(PercentCoding.encode(fileName))"
    }

    /// RFC 8187: `CHARSET'LANGUAGE'PCT`. UTF-8 and the charsets that names are met in.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0].lowercased() == "utf-8" { return PercentCoding.decode(parts[2]) }
        return PercentCoding.decodeBytes(parts[2]).flatMap { LegacyText.decode($0, charset: String(parts[0])) }
    }

    private static func decodePlain(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return LegacyText.guess(bytes) }
        return text.utf8.allSatisfy { $0 < 0x80 } ? EncodedWords.decode(text) : text
    }
}

/// Reads `TOKEN *( ; NAME = VALUE )` with quoted strings, forgiving what can be forgiven.
private struct ParameterScanner {
    let bytes: [UInt8]
    let isUTF8: Bool
    var position = 0

    init(bytes: [UInt8], isUTF8: Bool) {
        self.bytes = bytes
        self.isUTF8 = isUTF8
    }

    /// Up to `;`, trimmed; `nil` if empty.
    mutating func token() -> String? {
        let text = take { $0 != UInt8(ascii: ";") }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The next `NAME=VALUE`; pieces without `=` are ignored.
    mutating func parameter() -> (String, [UInt8])? {
        while position < bytes.count {
            skip { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 }
            let name = String(decoding: take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            skip { $0 == 0x20 || $0 == 0x09 }
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return (name, quoted()) }
            return (name, take { $0 != UInt8(ascii: ";") })
        }
        return nil
    }

    private mutating func quoted() -> [UInt8] {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            // In Shift_JIS a backslash can be the second half of a character: it quotes nothing then.
            if !isUTF8, (0x81...0x9F).contains(bytes[position]), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "\\")
            {
                text += bytes[position...(position + 1)]
                position += 2
                continue
            }
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        skip { $0 != UInt8(ascii: ";") }
        return text
    }

    private mutating func skip(while matches: (UInt8) -> Bool) {
        while position < bytes.count, matches(bytes[position]) { position += 1 }
    }

    private mutating func take(while matches: (UInt8) -> Bool) -> [UInt8] {
        skip { $0 == 0x20 || $0 == 0x09 }
        let start = position
        skip(while: matches)
        var end = position
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return Array(bytes[start..<end])
    }
}

extension HTTPFields {
    /// The name that a server proposes for what it sends, as one component of a path that is safe to create.
    package var proposedFileName: String? {
        guard let field = first(where: { $0.name == .contentDisposition }),
            let proposed = field.withUnsafeBytesOfValue({ ContentDisposition(bytes: $0) })?.fileName
        else { return nil }
        return SafeFileName.sanitize(proposed, allowsHidden: false)
    }
}
