// SPDX-License-Identifier: MIT

/// Netscape's `cookies.txt` as curl reads and writes it: one line per cookie, seven fields separated by tabs. Pure.
///
/// The domain, with a leading dot if it includes subdomains, `TRUE` in that case, path, `TRUE` for https only, seconds
/// since 1970 or 0 for a session, name, value. `#HttpOnly_` precedes the domain of such a cookie; other `#` start
/// comments.
enum CookieFileFormat {
    private static let httpOnlyPrefix = "#HttpOnly_"
    private static let header =
        "# Netscape HTTP Cookie File\n"
        + "# Written by fileq: other comments, and lines that are no cookie, are not kept.\n\n"

    /// Lines that are no cookie are passed over.
    static func parse(_ bytes: [UInt8]) -> [StoredCookie] { lines(bytes).cookies }

    /// A byte-order mark is ignored.
    /// - Returns: also the numbers, from 1, of lines that are neither a cookie nor a comment.
    static func lines(_ bytes: [UInt8]) -> (cookies: [StoredCookie], odd: [Int]) {
        var (cookies, odd): ([StoredCookie], [Int]) = ([], [])
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if let found = String(validating: line, as: UTF8.self).flatMap(cookie) {
                cookies.append(found)
            } else if line.first != UInt8(ascii: "#"), line.contains(where: { $0 > UInt8(ascii: " ") }) {
                odd.append(index + 1)
            }
        }
        return (cookies, odd)
    }

    static func print(_ cookies: [StoredCookie]) -> [UInt8] {
        var bytes = Array(header.utf8)
        for cookie in cookies where canHold(cookie) { bytes.append(contentsOf: line(cookie).utf8) }
        return bytes
    }

    /// A tab would part a field; readers pass over an empty one, and take the value for the name. A line that begins
    /// with `#` is a comment.
    static func canHold(_ cookie: StoredCookie) -> Bool {
        !cookie.name.isEmpty && cookie.domain.utf8.first != UInt8(ascii: "#")
            && ![cookie.name, cookie.value, cookie.domain, cookie.path].contains {
                $0.utf8.contains(UInt8(ascii: "\t"))
            }
    }

    private static func line(_ cookie: StoredCookie) -> String {
        let domain = (cookie.httpOnly ? httpOnlyPrefix : "") + (cookie.hostOnly ? "" : ".") + cookie.domain
        let fields = [
            domain, word(!cookie.hostOnly), cookie.path, word(cookie.secure), String(cookie.expires ?? 0), cookie.name,
            cookie.value,
        ]
        return fields.joined(separator: "\t") + "\n"
    }

    /// By bytes: a domain may begin with a combining mark, which changes the character before it.
    private static func cookie(_ line: String) -> StoredCookie? {
        let isHTTPOnly = line.utf8.starts(with: httpOnlyPrefix.utf8)
        guard isHTTPOnly || line.utf8.first != UInt8(ascii: "#") else { return nil }
        let text = line.utf8.dropFirst(isHTTPOnly ? httpOnlyPrefix.utf8.count : 0)
        var fields = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(Substring.init)
        // An empty value may have lost its tab to an editor.
        if fields.count == 6 { fields.append("") }
        // Some write seconds with decimals.
        guard fields.count == 7, let isWide = truth(fields[1]), let isSecure = truth(fields[3]),
            let seconds = Double(fields[4]), seconds.isFinite, seconds >= 0
        else { return nil }
        let domain = Substring(fields[0].utf8.drop { $0 == UInt8(ascii: ".") })
        return try? StoredCookie(
            name: String(fields[5]), value: String(fields[6]), domain: String(domain), hostOnly: !isWide,
            path: String(fields[2]), secure: isSecure, httpOnly: isHTTPOnly,
            expires: seconds == 0 ? nil : max(1, Int64(min(seconds, 1e15))))
    }

    private static func word(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    private static func truth(_ word: Substring) -> Bool? {
        switch word.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }
}
