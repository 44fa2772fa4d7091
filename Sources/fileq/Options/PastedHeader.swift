// SPDX-License-Identifier: MIT

import TransferModel

/// A header as copied from a browser, and how fileq treats it.
enum PastedHeader: Equatable {
    /// `NAME: VALUE`, sent unchanged.
    case field(String)
    /// NAME=VALUE pairs, each a cookie.
    case cookies([String])
    /// A field of the connection, of resuming, or of a cache that fileq does not have: its name.
    case owned(String)

    /// Conditions from the browser's cache; a download ignores them.
    private static let owned: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since", "if-none-match",
        "if-range",
        "if-unmodified-since", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Throws: code `usage` for a partial range, and for a header without a name.
    init(_ text: String, option: String) throws(TransferError) {
        // curl sends a header without a value for `NAME;`, and suppresses its own for `NAME:`.
        if !text.contains(":"), text.hasSuffix(";") {
            self = .field(text.dropLast() + ":")
            return
        }
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw TransferError(.usage, option: option, "use 'NAME: VALUE'")
        }
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmed { $0 == " " || $0 == "\t" }
        switch name {
        case "cookie": self = .cookies(Self.pairs(value))
        case "range":
            guard value.lowercased().filter({ $0 != " " }) == "bytes=0-" else {
                throw TransferError(
                    .usage, option: option, "Range is not supported: fileq downloads complete files")
            }
            self = .owned(name)
        case _ where value.isEmpty || Self.owned.contains(name): self = .owned(name)
        default: self = .field(text)
        }
    }

    /// `a=1; b=2`
    static func pairs(_ value: String) -> [String] {
        value.split(separator: ";").map { $0.trimmed { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty }
    }
}
