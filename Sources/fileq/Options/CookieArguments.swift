// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// `-b NAME=VALUE` and `-b @FILE`.
enum CookieArguments {
    enum File {
        case pairs([Cookie])
        case netscape(NetscapeCookies)
    }

    static func cookie(_ word: String, option: String = "--cookie") throws(TransferError) -> Cookie {
        let (name, value) = try pair(word, option: option)
        return try naming(option) { () throws(TransferError) in try Cookie(name: name, value: value) }
    }

    /// A file with any line in Netscape format, or with the head of such a file, is one; its other lines are skipped
    /// with a warning. Any other file has a line of `NAME=VALUE` for each cookie.
    /// - Parameter now: seconds since 1970.
    static func file(_ path: String, now: Double) throws(TransferError) -> File {
        let lines = try SecretFile.lines(of: path, option: "--cookie")
        let found = NetscapeCookies(Array(lines.joined(separator: "\n").utf8), now: now)
        if found.hasCookies || lines.contains(where: { $0.hasSuffix("HTTP Cookie File") }) {
            if let first = found.oddLines.first {
                let others = found.oddLines.count == 1 ? "" : " and \(found.oddLines.count - 1) more"
                StandardError.say("--cookie: '\(path)', line \(first)\(others): not a cookie, skipped")
            }
            return .netscape(found)
        }
        var cookies: [Cookie] = []
        for line in lines where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            cookies.append(try cookie(line))
        }
        return .pairs(cookies)
    }
}
