// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// `put -i FILE`: one file name per line; empty lines and lines that begin with `#` are ignored; `-` is standard input.
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

    /// Spaces at either end belong to a name: only the end of the line, LF or CRLF, is removed.
    static func parse(_ text: String) -> [String] {
        // On bytes for speed: lists may be very long.
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { bytes in
            let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            return line.isEmpty || line.first == UInt8(ascii: "#") ? nil : String(Substring(line))
        }
    }
}
