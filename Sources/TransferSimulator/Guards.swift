// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What servers ask before they give or take anything: a login for some of their paths, and trust in a key that no
/// authority vouches for.
struct Guards {
    /// A server with a key of its own, and one of its realms.
    struct Space: Hashable {
        var server: String
        var realm: String
    }

    /// The realm of a path, of all servers that have it.
    var realms: [String: String] = [:]
    /// How often the login of a space was replaced.
    var logins: [Space: Int] = [:]
    /// How often the key of a server was replaced.
    var keys: [String: Int] = [:]
    /// By a user, to any server.
    var lastGiven: Credential?
    /// Users that were let in.
    var admitted: Set<String> = []

    func password(of space: Space) -> String {
        "\(Secrets.mark)\(space.server) \(space.realm) \(logins[space] ?? 0)"
    }

    /// The SHA-256 of its public key.
    func key(of host: String) -> [UInt8] {
        Array(host.utf8.prefix(1)) + [UInt8](repeating: UInt8(keys[host] ?? 0), count: 31)
    }

    static func server(_ url: TransferURL) -> String { "\(url.scheme)://\(url.host)" }
}

extension Origin {
    /// - Returns: the refusal of a request without the login that its path needs.
    func refusal(of exchange: Exchange) -> HTTPResponse? {
        let path = uploads.resources[exchange.url.path]?.path ?? exchange.url.path
        guard let realm = guards.realms[path] else { return nil }
        let space = Guards.Space(server: Guards.server(exchange.url), realm: realm)
        if case .basic(let login) = exchange.authentication, login.password == guards.password(of: space) {
            guards.admitted.insert(login.user)
            return nil
        }
        trace.met(.logins)
        return HTTPResponse(
            status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"\(realm)\"", .contentLength: "0"])
    }

    /// - Returns: how an exchange ends whose demand for trust its server does not meet.
    func distrust(_ exchange: Exchange) -> ExchangeFailure? {
        guard exchange.url.isSecure else { return nil }
        let (host, key) = (exchange.url.host, guards.key(of: exchange.url.host))
        switch exchange.trust {
        case .exception(let accepted): return accepted == key ? nil : .init(.transport(.pinMismatch))
        case .capture:
            let certificate = CertificateSummary(
                subject: "CN=\(host)", sha256: key.reversed(), publicKeySHA256: key)
            return .init(.trustUndecided(ServerTrust(host: host, port: exchange.url.port, chain: [certificate])))
        case .system, .ask:
            trace.met(.untrustedServers)
            return .init(
                .transport(.certificateUntrusted), detail: "SSL certificate problem: self-signed certificate",
                certificate: .selfSigned)
        }
    }

    /// Another login is needed from now on.
    func replaceLogin(_ space: Guards.Space) {
        guards.logins[space, default: 0] += 1
        trace.met(.newLogins)
        trace.note(machine.now, "server: \(space.server) \(space.realm) needs another login")
    }

    func replaceKey(of host: String) {
        guards.keys[host, default: 0] += 1
        trace.met(.newKeys)
        trace.note(machine.now, "server: \(host) has another key")
    }
}
