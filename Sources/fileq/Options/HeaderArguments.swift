// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// `-H NAME: VALUE` and `-H @FILE`.
enum HeaderArguments {
    /// Fields that the transfer sets itself; another value would break framing, resuming or the connection.
    private static let owned: [String: String] = [
        "content-length": "fileq sets the length", "transfer-encoding": "fileq chooses the framing of the request body",
        "range": "fileq requests ranges when it resumes", "if-range": "fileq requests ranges when it resumes",
        "cookie": "use -b NAME=VALUE, which keeps a cookie with its origin",
        "accept-encoding": "fileq transfers files unchanged",
        "connection": "fileq sets it for each connection", "keep-alive": "fileq sets it for each connection",
        "proxy-connection": "fileq sets it for each connection", "te": "fileq sets it for each connection",
        "trailer": "fileq sets it for each connection", "upgrade": "fileq sets it for each connection",
        "expect": "fileq decides when to wait for 100 Continue",
    ]

    /// Fields with one value (RFC 9110), in lower case.
    private static let single: Set<String> = [
        "authorization", "content-location", "content-type", "date", "from", "host", "if-modified-since",
        "if-unmodified-since", "max-forwards", "origin", "proxy-authorization", "referer", "user-agent",
    ]

    /// A field that is repeated is sent as often. Of one that has one value, the last counts.
    static func merged(_ fields: [HTTPField]) -> [HTTPField] {
        var later: Set<String> = []
        return fields.reversed().filter { field in
            let name = field.name.canonicalName
            return !single.contains(name) || later.insert(name).inserted
        }.reversed()
    }

    /// - Parameter tokenFile: its first line is sent as a bearer token (RFC 6750), unless `words` have `Authorization`.
    /// - Throws: code `usage` for an invalid header, or one that fileq sets.
    static func parse(_ words: [String], tokenFile: String? = nil) throws(TransferError) -> [HTTPField] {
        var fields: [HTTPField] = []
        if let tokenFile {
            let token = try SecretFile.firstLine(of: tokenFile, option: "--token-file")
            fields.append(try field("Authorization: Bearer \(token)", option: "--token-file"))
        }
        for word in words {
            guard word.hasPrefix("@") else {
                fields.append(try field(word, option: "--header"))
                continue
            }
            let path = String(word.dropFirst())
            for line in try SecretFile.lines(of: path, option: "--header") where !line.isEmpty {
                fields.append(try field(line, option: "--header"))
            }
        }
        return merged(fields)
    }

    /// `NAME: VALUE`.
    static func field(_ text: String, option: String) throws(TransferError) -> HTTPField {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            throw TransferError(
                .usage, option: option, "use 'NAME: VALUE', with a name of letters, digits and hyphens")
        }
        if let reason = owned[name.canonicalName] {
            throw TransferError(.usage, option: option, "\(name.rawName) cannot be set: \(reason)")
        }
        let value = String(parts[1].drop { $0 == " " || $0 == "\t" })
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }) else {
            throw TransferError(.usage, option: option, "the value of \(name.rawName) contains a control character")
        }
        return HTTPField(name: name, value: value)
    }
}
