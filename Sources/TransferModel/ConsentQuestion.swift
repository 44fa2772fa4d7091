// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A question that the user must answer before a transfer can resume. Its texts come from the server and prove nothing.
package enum ConsentQuestion: Sendable, Hashable, Codable {
    /// Is this the right server, although the system does not trust its certificate?
    case trust(Trust)
    /// Who is logging in?
    case login(Login)

    package struct Trust: Sendable, Hashable, Codable {
        package var host: String
        package var port: Int
        /// Distinguished names; empty if they cannot be read.
        package var subject: String
        package var issuer: String
        /// Seconds since 1970; `nil` if they cannot be read.
        package var notBefore: Int64?
        package var notAfter: Int64?
        /// SHA-256 of the whole certificate in DER.
        package var certificateSHA256: [UInt8]
        /// SHA-256 of its SubjectPublicKeyInfo; what is trusted in the end.
        package var publicKeySHA256: [UInt8]
        /// Why the system refused it.
        package var failure: CertificateProblem

        /// `nil` where the certificate's key cannot be read, so that nothing could be trusted.
        package init?(_ trust: ServerTrust) {
            guard let leaf = trust.chain.first, let key = leaf.publicKeySHA256, let failure = trust.failure else {
                return nil
            }
            (host, port, self.failure) = (trust.host, trust.port, failure)
            (subject, issuer, notBefore, notAfter) = (leaf.subject, leaf.issuer, leaf.notBefore, leaf.notAfter)
            (certificateSHA256, publicKeySHA256) = (leaf.sha256, key)
        }

        /// The key as pins have it: `sha256//BASE64`.
        package var publicKeyPin: String { "sha256//" + Data(publicKeySHA256).base64EncodedString() }
    }

    package struct Login: Sendable, Hashable, Codable {
        package var host: String
        package var port: Int
        /// The URL scheme of the server, or of the proxy itself.
        package var scheme: String
        package var isProxy: Bool
        /// The realm that the server names; `nil` if it names none.
        package var realm: String?
        /// `basic`, `digest`, `ntlm`.
        package var method: String
        /// Whether an earlier login was sent and not accepted.
        package var hasFailed: Bool

        package init(
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
    package static func authority(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The subject of the answer. Questions with the same subject get the same answer.
    package enum Subject: Sendable, Hashable {
        case key(host: String, port: Int, publicKeySHA256: [UInt8])
        case login(Login)
    }

    package var subject: Subject {
        switch self {
        case .trust(let trust): return .key(host: trust.host, port: trust.port, publicKeySHA256: trust.publicKeySHA256)
        case .login(var login):
            login.hasFailed = false
            return .login(login)
        }
    }
}

/// For how long an answer holds.
package enum ConsentPersistence: String, Sendable, Hashable, Codable, CaseIterable {
    /// As long as the queue lives.
    case once
    /// For later runs too.
    case always
}
