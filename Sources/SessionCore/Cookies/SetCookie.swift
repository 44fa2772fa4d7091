// SPDX-License-Identifier: MIT

import TransferModel

/// One `Set-Cookie` field, parsed but not checked (RFC 6265bis, section 5.6). Pure.
struct SetCookie: Equatable {
    enum Lifetime: Equatable {
        /// Not stated: until the end of the session.
        case session
        /// Seconds from now; 0 and less: over already.
        case age(Int64)
        /// Seconds since 1970.
        case until(Int64)
    }

    enum Path: Equatable {
        /// Not stated.
        case absent
        /// Said, but no absolute path: that of the URL holds.
        case standard
        case given(String)
    }

    /// The longest accepted `Set-Cookie` value; longer ones are ignored.
    static let maximumBytes = 65_536
    /// An attribute whose value is longer is passed over.
    static let maximumAttributeBytes = 1024

    var name = ""
    var value = ""
    /// Lower case, without the leading dot; empty if not stated.
    var domain = ""
    var path = Path.absent
    var lifetime = Lifetime.session
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: StoredCookie.SameSite?

    /// `nil` for a control character, a name and value that are both empty or together too large, and a line beyond
    /// ``maximumBytes``.
    init?(parsing line: String) {
        guard line.utf8.count <= Self.maximumBytes, !line.utf8.contains(where: \.isForbiddenInCookies) else {
            return nil
        }
        var parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst() else { return nil }
        if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
            name = Self.trimmed(pair[..<equals])
            value = Self.trimmed(pair[pair.index(after: equals)...])
        } else {
            value = Self.trimmed(pair)
        }
        guard (1...StoredCookie.maximumBytes).contains(name.utf8.count + value.utf8.count) else { return nil }
        // Max-Age goes before Expires, in whatever order they come.
        var age: Int64?
        for part in parts { read(part, age: &age) }
        if let age { lifetime = .age(age) }
    }

    private mutating func read(_ attribute: Substring.UTF8View, age: inout Int64?) {
        let parts = attribute.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.count <= Self.maximumAttributeBytes else { return }
        let value = parts.count > 1 ? Self.trimmed(parts[1]) : ""
        guard value.utf8.count <= Self.maximumAttributeBytes else { return }
        switch Self.trimmed(first).lowercased() {
        case "expires": if let date = CookieDate.parse(value[...]) { lifetime = .until(date) }
        case "max-age": if let seconds = Self.age(value) { age = seconds }
        case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        case "path": path = value.beginsWithSlash ? .given(value) : .standard
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = StoredCookie.SameSite(rawValue: value.lowercased())
        default: break
        }
    }

    /// Digits, with or without a minus. A number too large to hold is as large as can be.
    private static func age(_ value: String) -> Int64? {
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return value.hasPrefix("-") ? 0 : Int64(digits) ?? .max
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}

extension UInt8 {
    /// Control characters but the tab.
    var isForbiddenInCookies: Bool { self < 0x20 && self != 0x09 || self == 0x7f }
}
