// SPDX-License-Identifier: MIT

package import TransferModel

/// The cookies of a Netscape file (``CookieFileFormat``) that requests may carry; nothing is stored.
package struct NetscapeCookies: Sendable {
    private var table = CookieTable()
    /// Numbers, from 1, of lines that are neither a cookie nor a comment. They are ignored, as by curl.
    package let oddLines: [Int]
    /// Whether any line is a cookie, expired or not.
    package let hasCookies: Bool
    private let now: Double

    /// - Parameter now: seconds since 1970; what has expired by then is not sent.
    package init(_ bytes: [UInt8], now: Double) {
        let (cookies, odd) = CookieFileFormat.lines(bytes)
        (oddLines, hasCookies, self.now) = (odd, !cookies.isEmpty, now)
        table.merge(cookies, now: now)
    }

    /// The cookies of a request to `url` (RFC 6265bis, section 5.8): a `Secure` one never over http.
    package func cookies(for url: TransferURL) throws(TransferError) -> [Cookie] {
        var cookies: [Cookie] = []
        for cookie in table.cookies(for: CookieOrigin(url), now: now) {
            cookies.append(try Cookie(name: cookie.name, value: cookie.value))
        }
        return cookies
    }
}
