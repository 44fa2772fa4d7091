// SPDX-License-Identifier: MIT

import HTTPTypes

/// Header fields as plain text, for layers that carry them without knowing HTTP.
extension TransferOptions {
    /// Adds a field at the end.
    /// - Throws: code `usage` for a name or a value that would break the lines of a head (RFC 9110, section 5).
    public mutating func addHeader(name: String, value: String) throws(TransferError) {
        guard let field = HTTPField.Name(name) else {
            throw TransferError(.headerName)
        }
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }) else {
            throw TransferError(.headerValue, field.rawName)
        }
        headers.append(HTTPField(name: field, value: value))
    }
}
