// SPDX-License-Identifier: MIT

/// The scope of a credential: a server or proxy, a method, and a realm (RFC 9110, section 11.5).
public struct ProtectionSpace: Sendable, Hashable, Codable {
    /// How the peer authenticates.
    public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
        case basic, digest, bearer, ntlm, negotiate
        /// The server presents its certificate, which must be evaluated.
        case serverTrust = "server-trust"
        case clientCertificate = "client-certificate"

        /// The scheme's name on the wire, if any (RFC 7616, 7617, 6750, 4559).
        init?(scheme: String) {
            guard let method = Self(rawValue: scheme), ![.serverTrust, .clientCertificate].contains(method) else {
                return nil
            }
            self = method
        }

        /// Whether it applies to a connection, and so to the session, rather than to each task.
        public var isSessionWide: Bool {
            switch self {
            case .serverTrust, .clientCertificate, .ntlm, .negotiate: true
            case .basic, .digest, .bearer: false
            }
        }
    }

    public var host: String
    public var port: Int
    /// `http`, `https`; for a proxy its own scheme.
    public var scheme: String
    public var isProxy: Bool
    /// The realm; `nil` for methods without one.
    public var realm: String?
    public var method: Method

    public init(host: String, port: Int, scheme: String, isProxy: Bool = false, realm: String? = nil, method: Method) {
        self.host = host
        self.port = port
        self.scheme = scheme
        self.isProxy = isProxy
        self.realm = realm
        self.method = method
    }

    /// The server or proxy, whatever the realm.
    struct Server: Sendable, Hashable {
        var scheme: String
        var host: String
        var port: Int
    }

    var server: Server { Server(scheme: scheme, host: host, port: port) }
}
