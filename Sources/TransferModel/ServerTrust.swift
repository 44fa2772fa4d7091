// SPDX-License-Identifier: MIT

/// The identity that a server claims, to decide whether to trust it.
public struct ServerTrust: Sendable, Hashable, Codable {
    /// The host and port of the URL, not of a proxy.
    public var host: String
    public var port: Int
    /// As the server sent it: its own certificate first. Never empty, at most ``maximumChain`` long.
    public var chain: [CertificateSummary]
    /// Why the system's check refused the chain; `nil` where it accepted it.
    public var failure: CertificateProblem?

    /// The most certificates of a chain that are kept.
    public static let maximumChain = 10

    public init(host: String, port: Int, chain: [CertificateSummary], failure: CertificateProblem? = nil) {
        self.host = host
        self.port = port
        self.chain = chain
        self.failure = failure
    }
}

/// The parts of a certificate (RFC 5280) that a person or a pin compares. Its texts come from the certificate: they fit
/// one line of a terminal and prove nothing on their own.
public struct CertificateSummary: Sendable, Hashable, Codable {
    /// Distinguished names, such as `CN=example.org, O=Example`; empty if they cannot be read.
    public var subject: String
    public var issuer: String
    /// Seconds since 1970; `nil` if they cannot be read.
    public var notBefore: Int64?
    public var notAfter: Int64?
    /// SHA-256 of the whole certificate in DER.
    public var sha256: [UInt8]
    /// SHA-256 of its SubjectPublicKeyInfo, as `sha256//` pins have it; `nil` where it cannot be read.
    public var publicKeySHA256: [UInt8]?
    /// The DNS names and IP addresses it is for.
    public var alternativeNames: [String]

    public init(
        subject: String = "", issuer: String = "", notBefore: Int64? = nil, notAfter: Int64? = nil, sha256: [UInt8],
        publicKeySHA256: [UInt8]? = nil, alternativeNames: [String] = []
    ) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.sha256 = sha256
        self.publicKeySHA256 = publicKeySHA256
        self.alternativeNames = alternativeNames
    }
}
