// SPDX-License-Identifier: MIT

/// Why the system does not trust a server's certificate: the end of a sentence, in the words of OpenSSL where it has
/// some. Others are those of the TLS library: one line, without control characters.
public struct CertificateProblem: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ text: String) { rawValue = text }

    public var text: String { rawValue }
    public var description: String { rawValue }

    public static let selfSigned = Self("self-signed certificate")
    /// An authority that signed itself, and that the system does not know.
    public static let selfSignedAuthority = Self("self-signed certificate in certificate chain")
    public static let unknownIssuer = Self("unable to get local issuer certificate")
    /// The server did not send the certificates between its own and the authority's.
    public static let incompleteChain = Self("unable to verify the first certificate")
    public static let expired = Self("certificate has expired")
    public static let notYetValid = Self("certificate is not yet valid")
    public static let revoked = Self("certificate revoked")
    /// The certificate is for other names.
    public static let otherName = Self("the certificate is for other names")
    /// The key is not the one that was accepted before.
    public static let otherKey = Self("the server's public key is not the pinned one")
}
