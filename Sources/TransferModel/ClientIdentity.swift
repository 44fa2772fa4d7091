// SPDX-License-Identifier: MIT

/// The certificate that a client shows to a server which asks for one, and where its key is. Prints without the
/// passphrase.
public struct ClientIdentity: Sendable, Hashable, Codable, CustomStringConvertible {
    public enum Format: String, Sendable, Hashable, Codable {
        /// The client's certificate first, then those up to its authority.
        case pem
        /// Certificate and key in one file. libcurl with GnuTLS cannot read it.
        case pkcs12
    }

    /// Path of the certificate file.
    public var certificate: String
    public var format: Format
    /// Path of the private key in PEM; `nil`: it is in the certificate file.
    public var key: String?
    /// Of the key or of the PKCS #12 file.
    public var passphrase: Secret?

    /// - Parameter format: `nil`: PKCS #12 where the path ends in `.p12` or `.pfx`, else PEM.
    public init(certificate: String, key: String? = nil, passphrase: Secret? = nil, format: Format? = nil) {
        let name = certificate.lowercased()
        self.certificate = certificate
        self.format = format ?? (name.hasSuffix(".p12") || name.hasSuffix(".pfx") ? .pkcs12 : .pem)
        self.key = key
        self.passphrase = passphrase
    }

    public var description: String { certificate }
}

/// `format` is omitted if the certificate's file name implies it.
extension ClientIdentity {
    private enum CodingKeys: CodingKey { case certificate, key, passphrase, format }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            certificate: try container.decode(String.self, forKey: .certificate),
            key: try container.decodeIfPresent(String.self, forKey: .key),
            passphrase: try container.decodeIfPresent(Secret.self, forKey: .passphrase),
            format: try container.decodeIfPresent(Format.self, forKey: .format))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(certificate, forKey: .certificate)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(passphrase, forKey: .passphrase)
        if format != ClientIdentity(certificate: certificate).format { try container.encode(format, forKey: .format) }
    }
}
