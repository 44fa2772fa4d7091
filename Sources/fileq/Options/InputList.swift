// SPDX-License-Identifier: MIT

import TransferModel

/// `put -i FILE`: one file name per line; empty lines and lines that begin with `#` are ignored; `-` is standard input.
enum InputList {
    /// - Throws: code `usage` if it is unreadable, or if a name in it is not UTF-8.
    static func read(_ path: String) throws(TransferError) -> [String] {
        let list = try TextFile.readList(path, option: "--input", limit: 64 << 20)
        // A name that is not there ends the command as well.
        if let line = damagedName(in: list) {
            throw TransferError(
                .usage, option: "--input",
                "'\(path)', line \(line): not UTF-8; convert the list with iconv, and rename the file if its own name "
                    + "is not UTF-8")
        }
        return parse(list.text)
    }

    /// The number of its line; those of comments do not count.
    private static func damagedName(in list: ListText) -> Int? {
        guard !list.damaged.isEmpty else { return nil }
        let lines = ListText.lines(of: list.text.utf8)
        return list.damaged.sorted().first { lines[$0 - 1].first != UInt8(ascii: "#") }
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
