// SPDX-License-Identifier: MIT

/// A proxy and how to speak to it. Prints without credentials.
public struct ProxyServer: Sendable, Hashable, CustomStringConvertible {
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        case http, https
        /// SOCKS 4, where the client looks the name up, and 4a, where the proxy does.
        case socks4, socks4a
        /// SOCKS 5 (RFC 1928), where the client looks the name up, and where the proxy does.
        case socks5, socks5h

        public var isSOCKS: Bool { self != .http && self != .https }
        /// curl's.
        var defaultPort: Int { self == .https ? 443 : 1080 }
    }

    public var scheme: Scheme
    /// Lower case, without brackets.
    public var host: String
    public var port: Int
    /// Only for the proxy.
    public var credential: Credential?

    public init(scheme: Scheme = .http, host: String, port: Int, credential: Credential? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.credential = credential
    }

    /// `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT]`, read as curl does: without a scheme it is `http`, `socks` is
    /// `socks4`; without a port 443 for `https` and 1080 for all others; what follows the port is ignored.
    /// - Throws: code `usage`; the message names no credential.
    public init(parsing text: String) throws(TransferError) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else {
            throw TransferError(.proxyCharacter)
        }
        var rest = text[...]
        var scheme = Scheme.http
        if let mark = text.firstRange(of: "://") {
            let name = text[..<mark.lowerBound].lowercased()
            guard let known = name == "socks" ? .socks4 : Scheme(rawValue: name) else {
                throw TransferError(.proxyUnknownScheme, Scheme.allCases.map(\.rawValue))
            }
            scheme = known
            rest = text[mark.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var credential: Credential?
        if let at = rest.lastIndex(of: "@") {
            credential = try Self.credential(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.split(rest)
        self.init(scheme: scheme, host: host, port: port ?? scheme.defaultPort, credential: credential)
    }

    /// Without credentials, as libcurl takes it: `socks5h://[::1]:1080`.
    public var description: String { "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    private static func credential(_ text: Substring) throws(TransferError) -> Credential {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = PercentCoding.decode(parts[0]),
            let password = parts.count > 1 ? PercentCoding.decode(parts[1]) : ""
        else { throw TransferError(.proxyCredential) }
        return Credential(user: user, password: password)
    }

    private static func split(_ text: Substring) throws(TransferError) -> (String, Int?) {
        var host = text
        var tail: Substring = ""
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw TransferError(.proxyOpenBracket)
            }
            host = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            tail = text[colon...]
        }
        let forbidden = text.first == "[" ? "\"<>\\^`{|}[]" : "\"<>\\^`{|}[]%:"
        guard !host.isEmpty, !host.contains(where: forbidden.contains) else {
            throw TransferError(.proxyHost)
        }
        if tail.isEmpty || tail == ":" { return (host.lowercased(), nil) }
        guard tail.first == ":", let port = ContentRange.number(tail.dropFirst()), (1...65_535).contains(port) else {
            throw TransferError(.proxyPort)
        }
        return (host.lowercased(), Int(port))
    }
}
