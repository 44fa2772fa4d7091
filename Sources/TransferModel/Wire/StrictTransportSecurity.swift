// SPDX-License-Identifier: MIT

/// `Strict-Transport-Security` (RFC 6797, section 6.1): how long a host requires https.
package struct StrictTransportSecurity: Sendable, Hashable {
    /// Seconds; 0 takes it back. What does not fit is the largest number that does.
    package var maxAge: Int64
    package var includesSubdomains: Bool

    package init(maxAge: Int64, includesSubdomains: Bool = false) {
        self.maxAge = maxAge
        self.includesSubdomains = includesSubdomains
    }

    /// Directives that are not known are ignored.
    /// - Returns: `nil` for all that breaks the grammar, a directive that stands twice, one without `max-age`, and for
    ///   more than 4096 bytes: such a field is to be ignored as a whole.
    package init?(parsing text: String) {
        guard text.utf8.count <= 4096 else { return nil }
        var rest = Array(text.utf8)[...]
        var found: [String: String?] = [:]
        while true {
            rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: ";") }
            if rest.isEmpty { break }
            let name = String(decoding: rest.prefix(while: \.isTokenByte), as: UTF8.self).lowercased()
            rest = rest.dropFirst(name.utf8.count).drop(while: Self.isBlank)
            var value: String?
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: Self.isBlank)
                value = Self.value(&rest)
                guard value != nil else { return nil }
                rest = rest.drop(while: Self.isBlank)
            }
            guard !name.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";"),
                found.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        guard let age = found["max-age"] ?? nil,
            age.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            !age.isEmpty
        else { return nil }
        maxAge = Int64(age) ?? .max
        switch found["includesubdomains"] {
        case .some(.some): return nil
        case .some(.none): includesSubdomains = true
        case .none: includesSubdomains = false
        }
    }

    /// A token or a quoted string.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            let word = rest.prefix(while: \.isTokenByte)
            rest = rest[word.endIndex...]
            return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
        }
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                if rest.isEmpty { return nil }
                continue
            }
            guard let escaped = rest.popFirst(), !rest.isEmpty else { return nil }
            value.append(escaped)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
