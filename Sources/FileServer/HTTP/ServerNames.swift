// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The names accepted in `Host`. A page of another site can have its name resolve to the address of this server (DNS
/// rebinding); the browser then sends that name as `Host`, and treats the server as part of that site.
struct ServerNames: Sendable {
    private let given: Set<String>
    /// If other machines can connect, every name is accepted unless names were given.
    private let isChecked: Bool

    init(_ configuration: FileServerConfiguration) {
        given = Set(
            configuration.names.map { name in
                let name = name.lowercased()
                return name.hasSuffix(".") ? String(name.dropLast()) : name
            })
        isChecked = configuration.isLoopback || !given.isEmpty
    }

    func accepts(_ host: RequestHost) -> Bool {
        !isChecked || RequestHost.isAddress(host.name) || RequestHost.isLocalName(host.name)
            || given.contains(host.name)
    }

    /// Whether `origin` (`SCHEME://HOST[:PORT]`) is the site of the request's `host`.
    /// - Parameter isEncrypted: the server has TLS of its own. Without, the schemes may differ: a reverse proxy may
    ///   terminate TLS.
    static func isSameSite(origin: String, host: RequestHost, isEncrypted: Bool) -> Bool {
        let defaults = isEncrypted ? ["https://": 443] : ["http://": 80, "https://": 443]
        for (scheme, port) in defaults where origin.lowercased().hasPrefix(scheme) {
            guard let other = RequestHost(origin.dropFirst(scheme.count)) else { return false }
            return other.name == host.name && (other.port ?? port) == (host.port ?? port)
        }
        return false
    }
}

extension HTTPField.Name {
    /// The first `Host` is the request's authority; only a second one is among the fields.
    static let secondHost = HTTPField.Name("Host")!
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
}
