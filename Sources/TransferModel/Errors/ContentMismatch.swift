// SPDX-License-Identifier: MIT

/// Which bytes are not those that were expected: the value of ``TransferError/Fields/mismatch``.
///
/// ``TransferError/Fields/path`` is the file, or ``TransferError/Fields/host`` the server that has it.
/// ``message(of:)`` is the sentence of the library; a program may make another one of the value.
package struct ContentMismatch: Sendable, Hashable, Codable {
    package var kind: Kind
    /// `sha256` or another name of ``Checksum/Algorithm``; `nil` where sizes are compared.
    package var algorithm: String?
    /// Hexadecimal digits, or bytes where sizes are compared; `nil` where not known.
    package var found: String?
    /// As ``found``.
    package var expected: String?

    package init(_ kind: Kind, algorithm: String? = nil, found: String? = nil, expected: String? = nil) {
        self.kind = kind
        self.algorithm = algorithm
        self.found = found
        self.expected = expected
    }

    package init(_ kind: Kind, expected: Checksum, found: [UInt8]? = nil) {
        self.init(
            kind, algorithm: expected.algorithm.rawValue, found: found.map { Hex.encode($0) }, expected: expected.hex)
    }

    /// The raw value is that of the stored and wire forms.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The server has a file of another size.
        case size
        /// The file that was downloaded, and deleted.
        case download
        /// A download that was written to a stream.
        case stream
        /// A part of the file, from each address.
        case part
        /// A file in the place of a download.
        case existing
        /// The file of an upload, before it was sent.
        case source
        /// The file of an upload, once it was sent.
        case sent
        /// What the server stored of an upload.
        case stored
        /// A kind of a later version.
        case unknown
    }

    /// One line, which begins with the subject, and has no full stop.
    /// - Parameter subject: the file or server.
    /// - Returns: `nil` for a kind of a later version.
    package func message(of subject: String?) -> String? {
        let text = Sentences.english.text(["mismatch.\(kind.rawValue)"]) { name in
            switch name {
            case "algorithm": algorithm ?? "checksum"
            case "found": found ?? "unknown"
            case "expected": expected ?? "unknown"
            default: nil
            }
        }
        guard let text else { return nil }
        return subject.map { "\($0): \(text)" } ?? text
    }
}

extension ContentMismatch.Kind: Codable {
    package init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
}

extension TransferError {
    /// Code `checksumMismatch`.
    /// - Parameters:
    ///   - path: the file, if it is one of this machine.
    ///   - host: else the server that has it.
    package init(
        _ mismatch: ContentMismatch, path: String? = nil, host: String? = nil, variant: Variant? = nil
    ) {
        self.init(
            .checksumMismatch, mismatch.message(of: path ?? host) ?? "",
            fields: Fields(host: host, path: path, variant: variant))
        fields.mismatch = mismatch
    }
}
