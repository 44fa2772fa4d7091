// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// `-i FILE`: one entry per line; blank lines and lines that begin with `#` are ignored; `-` is standard input.
enum InputList {
    /// - Throws: code `usage` if it is unreadable or empty.
    static func read(_ path: String) throws(TransferError) -> [String] {
        let limit = 64 << 20
        let text =
            path == "-"
            ? try TextFile.read(STDIN_FILENO, named: path, option: "--input", limit: limit)
            : try TextFile.read(path, option: "--input", limit: limit)
        let entries = parse(text)
        guard !entries.isEmpty else { throw TransferError(.usage, option: "--input", "'\(path)' is empty") }
        return entries
    }

    static func parse(_ text: String) -> [String] {
        // On bytes for speed: lists may be very long.
        text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { bytes in
            let line = Substring(bytes)
            let isPlain = bytes.first.map(isPrinted) == true && bytes.last.map(isPrinted) == true
            let entry = isPlain ? String(line) : String(line.trimmed { $0.isWhitespace })
            return entry.isEmpty || entry.utf8.first == UInt8(ascii: "#") ? nil : entry
        }
    }

    private static func isPrinted(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }
}
