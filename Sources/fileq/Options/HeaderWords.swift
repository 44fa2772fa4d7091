// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// `-H NAME: VALUE` and `-H @FILE`.
enum HeaderWords {
    /// Fields that the transfer itself sets; another value would break length, resuming or the connection.
    private static let owned: [String: String] = [
        "content-length": "fileq knows the length", "transfer-encoding": "fileq chooses how a body is framed",
        "range": "fileq asks for ranges when it resumes", "if-range": "fileq asks for ranges when it resumes",
        "cookie": "use -b NAME=VALUE, which keeps a cookie with its origin",
        "accept-encoding": "files are moved as they are",
        "connection": "it belongs to the connection", "keep-alive": "it belongs to the connection",
        "proxy-connection": "it belongs to the connection", "te": "it belongs to the connection",
        "trailer": "it belongs to the connection", "upgrade": "it belongs to the connection",
        "expect": "fileq decides when to wait for the server's consent",
    ]

    /// - Throws: code `usage` for what is no header or belongs to fileq.
    static func parse(_ words: [String]) throws(TransferError) -> [HTTPField] {
        var fields: [HTTPField] = []
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
        return fields
    }

    /// `NAME: VALUE`.
    static func field(_ text: String, option: String) throws(TransferError) -> HTTPField {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
            throw TransferError(
                .usage, option: option, "write 'NAME: VALUE', with a name of letters, digits and hyphens")
        }
        if let reason = owned[name.canonicalName] {
            throw TransferError(.usage, option: option, "\(name.rawName) cannot be set: \(reason)")
        }
        let value = String(parts[1].drop { $0 == " " || $0 == "\t" })
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }) else {
            throw TransferError(.usage, option: option, "the value of \(name.rawName) holds a control character")
        }
        return HTTPField(name: name, value: value)
    }
}
