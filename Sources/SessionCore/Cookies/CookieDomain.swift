// SPDX-License-Identifier: MIT

import Foundation

/// Hosts and domains as cookies compare them (RFC 6265bis, sections 5.1.2 and 5.1.3). Pure.
enum CookieDomain {
    /// Lower case, and in ASCII by IDNA (UTS 46). A name that IDNA rejects is unchanged.
    static func canonical(_ host: String) -> String {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host.lowercased() }
        // Foundation does IDNA for the host of a URL.
        guard let ascii = URLComponents(string: "http://\(host)/")?.encodedHost, !ascii.utf8.contains(UInt8(ascii: "%"))
        else {
            return host.lowercased()
        }
        return ascii.lowercased()
    }

    /// `host` is `domain`, or a subdomain of it. Both canonical. An address has no subdomains.
    static func matches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        let (host8, domain8) = (host.utf8, domain.utf8)
        guard !domain.isEmpty, host8.count > domain8.count, host8.suffix(domain8.count).elementsEqual(domain8),
            host8.dropLast(domain8.count).last == UInt8(ascii: ".")
        else { return false }
        return !isIPAddress(host)
    }

    /// `host` and every name above it: `a.b.c`, `b.c`, `c`.
    static func suffixes(of host: String) -> [String] {
        var suffixes = [host]
        var rest = host.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { suffixes.append(String(decoding: rest, as: UTF8.self)) }
        }
        return suffixes
    }

    /// Every form that the resolver takes for an address: with colons, or with a number last, as `127.1` and
    /// `0x7f000001`.
    static func isIPAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        let name = withoutRootDot(host)
        let last = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] } ?? name[...]
        if !last.isEmpty, last.utf8.allSatisfy(\.isDigit) { return true }
        return last.hasPrefix("0x") && last.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// `example.org.` is written with the root of the DNS; lists of names are not.
    static func withoutRootDot(_ domain: String) -> String {
        domain.hasSuffix(".") ? String(domain.dropLast()) : domain
    }
}

/// Paths as cookies compare them (RFC 6265bis, section 5.1.4). Pure.
enum CookiePath {
    /// The folder of a URL's path, without a trailing `/`.
    static func standard(for path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            last != path.utf8.startIndex
        else { return "/" }
        return String(path[..<last])
    }

    /// `path` is `folder`, or in it.
    static func matches(_ path: String, _ folder: String) -> Bool {
        let (path8, folder8) = (path.utf8, folder.utf8)
        guard path8.starts(with: folder8) else { return false }
        return path8.count == folder8.count || folder8.last == UInt8(ascii: "/")
            || path8.dropFirst(folder8.count).first == UInt8(ascii: "/")
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
