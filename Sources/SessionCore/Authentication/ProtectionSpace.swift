// SPDX-License-Identifier: MIT

/// What one credential opens: a server or a proxy, a way of logging in, and a realm (RFC 9110, section 11.5).
public struct ProtectionSpace: Sendable, Hashable, Codable {
    /// How the other end wants it proved.
    public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
        case basic, digest, bearer, ntlm, negotiate
        /// The server shows its certificate, and somebody must say whether it is the right one.
        case serverTrust = "server-trust"
        case clientCertificate = "client-certificate"

        /// The scheme's name on the wire, where it has one (RFC 7616, 7617, 6750, 4559).
        init?(scheme: String) {
            guard let method = Self(rawValue: scheme), ![.serverTrust, .clientCertificate].contains(method) else {
                return nil
            }
            self = method
        }

        /// Whether it is asked once for a connection, and so of the session, rather than of each task.
        public var isSessionWide: Bool {
            switch self {
            case .serverTrust, .clientCertificate, .ntlm, .negotiate: true
            case .basic, .digest, .bearer: false
            }
        }
    }

    public var host: String
    public var port: Int
    /// `http`, `https`; of a proxy its own scheme.
    public var scheme: String
    public var isProxy: Bool
    /// What the other end calls it; `nil` for methods without one.
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

    /// Who it is that asks, whatever for.
    struct Server: Sendable, Hashable {
        var scheme: String
        var host: String
        var port: Int
    }

    var server: Server { Server(scheme: scheme, host: host, port: port) }
}
