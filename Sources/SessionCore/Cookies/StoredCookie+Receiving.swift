// SPDX-License-Identifier: MIT

import TransferModel

/// Where a request goes, as cookies see it.
struct CookieOrigin {
    /// Canonical.
    let host: String
    let path: String
    let isSecure: Bool

    init(_ url: TransferURL) {
        host = CookieDomain.canonical(url.host)
        path = url.path
        isSecure = url.isSecure
    }
}

extension StoredCookie {
    /// The maximum lifetime of a cookie, in seconds: 400 days (RFC 6265bis, section 5.5).
    static let maximumAge: Int64 = 400 * 86_400

    /// The cookie to store for a `Set-Cookie` field (RFC 6265bis, section 5.7), before comparison with stored ones. An
    /// expired cookie deletes the stored one of its key.
    /// - Returns: `nil` if the server at `origin` may not set it.
    init?(_ field: SetCookie, from origin: CookieOrigin, suffixes: any PublicSuffixes, now: Double) {
        guard let (domain, hostOnly) = Self.domain(field.domain, from: origin.host, suffixes),
            !field.isSecure || origin.isSecure
        else { return nil }
        let path: String
        switch field.path {
        case .given(let given): path = given
        case .absent, .standard: path = CookiePath.standard(for: origin.path)
        }
        // This prefix requires an explicit path.
        if field.path == .absent, field.name.lowercased().hasPrefix("__host-") { return nil }
        let limit = Int64(now) + Self.maximumAge
        let expires: Int64? =
            switch field.lifetime {
            case .session: nil
            case .age(let seconds): seconds <= 0 ? 0 : min(seconds, Self.maximumAge) + Int64(now)
            case .until(let date): min(date, limit)
            }
        guard
            let cookie = try? StoredCookie(
                name: field.name, value: field.value, domain: domain, hostOnly: hostOnly, path: path,
                secure: field.isSecure,
                httpOnly: field.isHTTPOnly, sameSite: field.sameSite, expires: expires)
        else { return nil }
        self = cookie
        creation = now
        lastAccess = now
    }

    /// The domain that `attribute` may stand for.
    private static func domain(
        _ attribute: String, from host: String, _ suffixes: any PublicSuffixes
    )
        -> (domain: String, hostOnly: Bool)?
    {
        guard attribute.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if attribute.isEmpty { return (host, true) }
        if attribute == host, CookieDomain.isIPAddress(host) { return (host, true) }
        guard CookieDomain.matches(host, attribute) else { return nil }
        guard !suffixes.isPublicSuffix(CookieDomain.withoutRootDot(attribute)) else {
            return attribute == host ? (host, true) : nil
        }
        return (attribute, false)
    }
}
