// SPDX-License-Identifier: MIT

import TransferModel

/// `-b NAME=VALUE` and `-b @FILE`.
enum CookieArguments {
    enum File {
        case pairs([Cookie])
        case netscape(NetscapeCookieFile)
    }

    static func cookie(_ word: String, option: String = "--cookie") throws(TransferError) -> Cookie {
        let (name, value) = try pair(word, option: option)
        return try naming(option) { () throws(TransferError) in try Cookie(name: name, value: value) }
    }

    /// A file whose first significant line has seven tab-separated fields is in Netscape format.
    static func file(_ path: String) throws(TransferError) -> File {
        let lines = try SecretFile.lines(of: path, option: "--cookie").filter { NetscapeCookieFile.saysAnything($0) }
        if let first = lines.first, first.split(separator: "\t", omittingEmptySubsequences: false).count == 7 {
            return .netscape(try NetscapeCookieFile(lines: lines, path: path))
        }
        var cookies: [Cookie] = []
        for line in lines { cookies.append(try cookie(line)) }
        return .pairs(cookies)
    }
}

/// Cookies with their domain, in the Netscape format of cookies.txt, as browsers and curl write it.
struct NetscapeCookieFile {
    private struct Record {
        var domain: String
        var includesSubdomains: Bool
        var path: String
        var isSecure: Bool
        /// Seconds since 1970; 0: session cookie.
        var expires: Double
        var cookie: Cookie
    }

    private var records: [Record] = []

    /// Comments begin with `#`, but `#HttpOnly_` begins a cookie.
    static func saysAnything(_ line: String) -> Bool {
        !line.allSatisfy(\.isWhitespace) && (!line.hasPrefix("#") || line.hasPrefix("#HttpOnly_"))
    }

    init(lines: [String], path: String) throws(TransferError) {
        for line in lines {
            let text = line.hasPrefix("#HttpOnly_") ? line.dropFirst("#HttpOnly_".count) : Substring(line)
            let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 7, let expires = Double(fields[4]) else {
                throw TransferError(
                    .usage, option: "--cookie",
                    "'\(path)': a line does not have the seven fields of the Netscape format")
            }
            let cookie = try naming("--cookie") { () throws(TransferError) in
                try Cookie(name: String(fields[5]), value: String(fields[6]))
            }
            records.append(
                Record(
                    domain: String(fields[0].drop { $0 == "." }).lowercased(), includesSubdomains: fields[1] == "TRUE",
                    path: String(fields[2]), isSecure: fields[3] == "TRUE", expires: expires, cookie: cookie))
        }
    }

    /// Cookies to send to `url` at `now` (RFC 6265, section 5.4).
    func cookies(for url: TransferURL, now: Double) throws(TransferError) -> [Cookie] {
        records.filter { record in
            let isHost =
                url.host == record.domain
                || record.includesSubdomains && url.host.hasSuffix(".\(record.domain)")
            let isPath =
                url.path == record.path
                || url.path.hasPrefix(record.path.endsWithSlash ? record.path : record.path + "/")
            return isHost && isPath && (!record.isSecure || url.isSecure)
                && (record.expires == 0 || record.expires > now)
        }.map(\.cookie)
    }
}
