// SPDX-License-Identifier: MIT

import TransferModel

/// A header as browsers and other programs write it, and what fileq makes of it.
enum PastedHeader: Equatable {
    /// `NAME: VALUE`, sent as it is.
    case field(String)
    /// Pairs of NAME=VALUE, each a cookie of its own.
    case cookies([String])
    /// It belongs to the connection, to resuming, or to a cache that fileq does not share: the name.
    case owned(String)

    /// What a browser says of itself and of what it has already; a download asks anew.
    private static let owned: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since", "if-none-match",
        "if-range",
        "if-unmodified-since", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Throws: code `usage` for a range that is not the whole file, and for what has no name.
    init(_ text: String, option: String) throws(TransferError) {
        // curl sends a header without a value for 'NAME;', and leaves its own one out for 'NAME:'.
        if !text.contains(":"), text.hasSuffix(";") {
            self = .field(text.dropLast() + ":")
            return
        }
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw TransferError(.usage, option: option, "write 'NAME: VALUE'")
        }
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmed { $0 == " " || $0 == "\t" }
        switch name {
        case "cookie": self = .cookies(Self.pairs(value))
        case "range":
            guard value.lowercased().filter({ $0 != " " }) == "bytes=0-" else {
                throw TransferError(
                    .usage, option: option, "a part of a file (Range) cannot be asked for: fileq downloads whole files")
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
