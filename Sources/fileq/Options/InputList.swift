// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// `-i FILE`: one entry a line; blank lines and lines that begin with `#` say nothing; `-` is standard input.
enum InputList {
    /// - Throws: code `usage` where it cannot be read, or lists nothing.
    static func read(_ path: String) throws(TransferError) -> [String] {
        let limit = 64 << 20
        let text =
            path == "-"
            ? try TextFile.read(STDIN_FILENO, named: path, option: "--input", limit: limit)
            : try TextFile.read(path, option: "--input", limit: limit)
        let entries = parse(text)
        guard !entries.isEmpty else { throw TransferError(.usage, option: "--input", "'\(path)' lists nothing") }
        return entries
    }

    static func parse(_ text: String) -> [String] {
        // Byte by byte where that says the same: lists may have very many lines.
        text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { bytes in
            let line = Substring(bytes)
            let isPlain = bytes.first.map(isPrinted) == true && bytes.last.map(isPrinted) == true
            let entry = isPlain ? String(line) : String(line.trimmed { $0.isWhitespace })
            return entry.isEmpty || entry.utf8.first == UInt8(ascii: "#") ? nil : entry
        }
    }

    private static func isPrinted(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }
}
