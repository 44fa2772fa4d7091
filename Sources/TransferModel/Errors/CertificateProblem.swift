// SPDX-License-Identifier: MIT

/// Why the system does not trust a server's certificate.
///
/// The stored and wire form is ``text``.
public enum CertificateProblem: Sendable, Hashable, CustomStringConvertible {
    case selfSigned
    /// An authority that signed itself, and that the system does not know.
    case selfSignedAuthority
    case unknownIssuer
    /// The server did not send the certificates between its own and the authority's.
    case incompleteChain
    case expired
    case notYetValid
    case revoked
    /// The certificate is for other names.
    case otherName
    /// The key is not the one that was accepted before.
    case otherKey
    /// In the TLS library's words: one line, without control characters.
    case other(String)

    private static let known: [(problem: CertificateProblem, text: String)] = [
        (.selfSigned, "self-signed certificate"),
        (.selfSignedAuthority, "self-signed certificate in certificate chain"),
        (.unknownIssuer, "unable to get local issuer certificate"),
        (.incompleteChain, "unable to verify the first certificate"),
        (.expired, "certificate has expired"),
        (.notYetValid, "certificate is not yet valid"),
        (.revoked, "certificate revoked"),
        (.otherName, "the certificate is for other names"),
        (.otherKey, "the server's public key is not the pinned one"),
    ]

    /// - Parameter text: as ``text`` has it.
    public init(_ text: String) {
        self = Self.known.first { $0.text == text }?.problem ?? .other(text)
    }

    /// The end of a sentence, in the words of OpenSSL where it has some.
    public var text: String {
        if case .other(let text) = self { text } else { Self.known.first { $0.problem == self }?.text ?? "" }
    }

    public var description: String { text }
}

extension CertificateProblem: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
