// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// The request body of `-d` and related options (curl(1), `--data`, `--json`).
struct CurlData: Equatable {
    private var bytes: [UInt8]?
    private(set) var isJSON = false
    /// `-G`: append to the query instead.
    var isQuery = false

    /// Whether any data was given.
    var holdsAny: Bool { bytes != nil }

    /// The request body; `nil` if there is none.
    var body: [UInt8]? { isQuery ? nil : bytes }

    /// - Parameter option: the long name.
    /// - Throws: code `usage` for an unreadable file, and for too much data.
    mutating func add(_ value: String, _ option: String) throws(TransferError) {
        let piece: [UInt8]
        switch option {
        case "data-raw": piece = Array(value.utf8)
        case "data-urlencode": piece = try Self.encoded(value, option)
        case "data-binary", "json": piece = try Self.content(value, option)
        default:
            let content = try Self.content(value, option)
            // Line ends of a file are removed.
            piece =
                value.hasPrefix("@")
                ? content.filter { $0 != 0 && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } : content
        }
        if option == "json" { isJSON = true }
        bytes = bytes.map { $0 + (option == "json" ? [] : [UInt8(ascii: "&")]) + piece } ?? piece
        guard bytes?.count ?? 0 <= Download.maximumBodyBytes else {
            throw CurlLine.refusal(
                "--\(option)",
                "more than \(Download.maximumBodyBytes >> 10) KiB of data cannot be enqueued; "
                    + "use 'fileq add put -X POST FILE URL' to upload a file")
        }
    }

    /// `address` with the data in its query, for `-G`.
    func query(on address: String) -> String {
        guard isQuery, let bytes else { return address }
        let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let sign = parts[0].contains("?") ? "&" : "?"
        return "\(parts[0])\(sign)\(String(decoding: bytes, as: UTF8.self))" + (parts.count > 1 ? "#\(parts[1])" : "")
    }

    /// `TEXT`, or the content of `@FILE`.
    private static func content(_ value: String, _ option: String) throws(TransferError) -> [UInt8] {
        guard value.hasPrefix("@") else { return Array(value.utf8) }
        return try file(String(value.dropFirst()), option)
    }

    /// `CONTENT`, `=CONTENT`, `NAME=CONTENT`, `@FILE`, `NAME@FILE`: percent-encodes the content.
    private static func encoded(_ value: String, _ option: String) throws(TransferError) -> [UInt8] {
        guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return Array(escaped(Array(value.utf8)).utf8)
        }
        let (name, rest) = (value[..<sign], String(value[value.index(after: sign)...]))
        let content = value[sign] == "@" ? try file(rest, option) : Array(rest.utf8)
        return Array((name.isEmpty ? "" : "\(name)=").utf8) + Array(escaped(content).utf8)
    }

    private static func file(_ path: String, _ option: String) throws(TransferError) -> [UInt8] {
        guard path != "-" else { throw CurlLine.refusal("--\(option) @-", "pass a file name, or the data") }
        guard FileStatus(path)?.isRegular == true, let data = FileManager.default.contents(atPath: path) else {
            throw TransferError(.usage, "curl's --\(option): '\(path)' cannot be read")
        }
        return [UInt8](data)
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(Character(scalar))
                    || "-._~".contains(Character(scalar)))
            text += isPlain ? String(Character(scalar)) : "%" + Hex.encode([byte]).uppercased()
        }
        return text
    }
}
