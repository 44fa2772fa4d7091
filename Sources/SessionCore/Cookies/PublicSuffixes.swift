// SPDX-License-Identifier: MIT

/// Domains under which anybody can register names: `com`, `co.uk`, `github.io` (https://publicsuffix.org). No cookie is
/// for all of one.
public protocol PublicSuffixes: Sendable {
    /// Called from any thread.
    /// - Parameter domain: lower case, in ASCII (`xn--…`), without a dot at either end; never an IP address.
    /// - Returns: true for every name of a single label that no list knows, `localhost` among them.
    func isPublicSuffix(_ domain: String) -> Bool
}

extension PublicSuffixes {
    /// The longest public suffix of `host` and one label more: what one owner has. `host` itself where it is an IP
    /// address or a public suffix.
    func site(of host: String) -> String {
        guard !CookieDomain.isIPAddress(host) else { return host }
        var site = host
        for suffix in CookieDomain.suffixes(of: host) {
            if isPublicSuffix(CookieDomain.withoutRootDot(suffix)) { return site }
            site = suffix
        }
        return site
    }
}
