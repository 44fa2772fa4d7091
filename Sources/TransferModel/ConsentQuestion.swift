// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A question that the user must answer before a transfer can resume. Its texts come from the server and prove nothing.
public enum ConsentQuestion: Sendable, Hashable, Codable {
    /// Is this the right server, although the system does not trust its certificate?
    case trust(Trust)
    /// Who is logging in?
    case login(Login)

    public struct Trust: Sendable, Hashable, Codable {
        public var host: String
        public var port: Int
        /// Distinguished names; empty if they cannot be read.
        public var subject: String
        public var issuer: String
        /// Seconds since 1970; `nil` if they cannot be read.
        public var notBefore: Int64?
        public var notAfter: Int64?
        /// SHA-256 of the whole certificate in DER.
        public var certificateSHA256: [UInt8]
        /// SHA-256 of its SubjectPublicKeyInfo; what is trusted in the end.
        public var publicKeySHA256: [UInt8]
        /// Why the system refused it.
        public var failure: CertificateProblem

        /// `nil` where the certificate's key cannot be read, so that nothing could be trusted.
        public init?(_ trust: ServerTrust) {
            guard let leaf = trust.chain.first, let key = leaf.publicKeySHA256, let failure = trust.failure else {
                return nil
            }
            (host, port, self.failure) = (trust.host, trust.port, failure)
            (subject, issuer, notBefore, notAfter) = (leaf.subject, leaf.issuer, leaf.notBefore, leaf.notAfter)
            (certificateSHA256, publicKeySHA256) = (leaf.sha256, key)
        }

        /// The key as pins have it: `sha256//BASE64`.
        public var publicKeyPin: String { "sha256//" + Data(publicKeySHA256).base64EncodedString() }
    }

    public struct Login: Sendable, Hashable, Codable {
        public var host: String
        public var port: Int
        /// The URL scheme of the server, or of the proxy itself.
        public var scheme: String
        public var isProxy: Bool
        /// The realm that the server names; `nil` if it names none.
        public var realm: String?
        /// `basic`, `digest`, `ntlm`.
        public var method: String
        /// Whether an earlier login was sent and not accepted.
        public var hasFailed: Bool

        public init(
            host: String, port: Int, scheme: String, isProxy: Bool = false, realm: String? = nil, method: String,
            hasFailed: Bool = false
        ) {
            (self.host, self.port, self.scheme, self.isProxy) = (host, port, scheme, isProxy)
            (self.realm, self.method, self.hasFailed) = (realm, method, hasFailed)
        }

        /// Whether everyone on the network path can read the password.
        package var sendsPasswordInClearText: Bool { method == "basic" && scheme == "http" }
    }

    /// `HOST:PORT`, an IPv6 address in brackets.
    public static func authority(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The subject of the answer. Questions with the same subject get the same answer.
    public enum Subject: Sendable, Hashable {
        case key(host: String, port: Int, publicKeySHA256: [UInt8])
        case login(Login)
    }

    public var subject: Subject {
        switch self {
        case .trust(let trust): return .key(host: trust.host, port: trust.port, publicKeySHA256: trust.publicKeySHA256)
        case .login(var login):
            login.hasFailed = false
            return .login(login)
        }
    }
}

/// For how long an answer holds.
public enum ConsentPersistence: String, Sendable, Hashable, Codable, CaseIterable {
    /// As long as the queue lives.
    case once
    /// For later runs too.
    case always
}
