// SPDX-License-Identifier: MIT

/// The `Cookie` field of a request (RFC 6265, section 5.4): `NAME=VALUE; NAME=VALUE`.
package enum CookieHeader {
    /// All cookies of one request together; what common servers accept without being configured.
    package static let maximumBytes = 8192

    /// - Throws: code `usage` where the field would exceed ``maximumBytes``.
    package static func print(_ cookies: [Cookie]) throws(TransferError) -> String {
        let text = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        guard text.utf8.count <= maximumBytes else {
            throw TransferError(.cookies, text.utf8.count, maximumBytes)
        }
        return text
    }

    /// The pairs in order, as a server reads them: no `=` makes a cookie without a name, which is ignored, and
    /// quotes around a value are taken off.
    package static func parse(_ text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: ";").compactMap { pair in
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            let name = pair[..<equals].withoutBlanks
            var value = pair[pair.index(after: equals)...].withoutBlanks
            if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            return name.isEmpty ? nil : (name, value)
        }
    }
}
