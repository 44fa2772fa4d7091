// SPDX-License-Identifier: MIT

/// `Content-Disposition` (RFC 6266): how a server proposes to name what it sends.
public struct ContentDisposition: Sendable, Hashable, CustomStringConvertible {
    /// `attachment`, `inline`, lower case.
    public var type: String
    /// Decoded, but as the server chose it: pass it through ``SafeFileName`` before it becomes a path.
    public var fileName: String?

    public init(type: String = "attachment", fileName: String? = nil) {
        self.type = type
        self.fileName = fileName
    }

    /// Reads the field as browsers do: `filename*` before `filename`; in the latter also raw UTF-8 and, where the whole
    /// decodes, percent-encoded UTF-8. `nil` where there is no disposition type.
    public init?(parsing text: some StringProtocol) {
        var scanner = ParameterScanner(bytes: Array(text.utf8))
        self.init(scanning: &scanner)
    }

    /// As ``init(parsing:)`` for a field whose bytes may be ISO-8859-1: bytes that are not UTF-8 are read as that.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self) {
            self.init(parsing: text)
        } else {
            self.init(parsing: Self.latin1(bytes))
        }
    }

    private init?(scanning scanner: inout ParameterScanner) {
        guard let type = scanner.token(), !type.contains("=") else { return nil }
        self.init(type: type.lowercased())
        var plain: String?
        var extended: String?
        while let (name, value) = scanner.parameter() {
            switch name.lowercased() {
            case "filename": plain = plain ?? value
            case "filename*": extended = extended ?? Self.decodeExtended(value)
            default: continue
            }
        }
        fileName = extended ?? plain.map { $0.contains("%") ? PercentCoding.decode($0) ?? $0 : $0 }
    }

    /// Both forms where the name needs it: `filename` for old readers, `filename*` for all others.
    public var description: String {
        guard let fileName else { return type }
        let isPlain = fileName.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && !"\"\\%".utf8.contains($0) }
        if isPlain { return "\(type); filename=\"\(fileName)\"" }
        let fallback = String(String.UnicodeScalarView(fileName.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7f && !"\"\\%".unicodeScalars.contains(scalar)
                ? scalar : "_"
        }))
        return "\(type); filename=\"\(fallback)\"; filename*=UTF-8''\(PercentCoding.encode(fileName))"
    }

    /// RFC 8187: `CHARSET'LANGUAGE'PCT`; UTF-8 and ISO-8859-1.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return PercentCoding.decode(parts[2])
        case "iso-8859-1": return PercentCoding.decodeBytes(parts[2]).map(latin1)
        default: return nil
        }
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// Reads `TOKEN *( ; NAME = VALUE )` with quoted strings, forgiving what can be forgiven.
private struct ParameterScanner {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Up to `;`, trimmed; `nil` where that is empty.
    mutating func token() -> String? {
        let text = take { $0 != UInt8(ascii: ";") }
        return text.isEmpty ? nil : text
    }

    /// The next `NAME=VALUE`; pieces without `=` are passed over.
    mutating func parameter() -> (String, String)? {
        while position < bytes.count {
            skip { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 }
            let name = take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            skip { $0 == 0x20 || $0 == 0x09 }
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return (name, quoted()) }
            return (name, take { $0 != UInt8(ascii: ";") })
        }
        return nil
    }

    private mutating func quoted() -> String {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            text.append(bytes[position])
            position += 1
        }
        position += 1
        skip { $0 != UInt8(ascii: ";") }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func skip(while matches: (UInt8) -> Bool) {
        while position < bytes.count, matches(bytes[position]) { position += 1 }
    }

    private mutating func take(while matches: (UInt8) -> Bool) -> String {
        skip { $0 == 0x20 || $0 == 0x09 }
        let start = position
        skip(while: matches)
        var end = position
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
