// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// `-i FILE`: one entry a line; blank lines and lines that begin with `#` say nothing; `-` is standard input.
enum InputList {
    /// - Throws: code `usage` where it cannot be read, or lists nothing.
    static func read(_ path: String) throws(TransferError) -> [String] {
        let limit = 64 << 20
        let text = path == "-"
            ? try TextFile.read(STDIN_FILENO, named: path, option: "--input", limit: limit)
            : try TextFile.read(path, option: "--input", limit: limit)
        let entries = parse(text)
        guard !entries.isEmpty else { throw TransferError(.usage, "--input: '\(path)' lists nothing") }
        return entries
    }

    static func parse(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline)
            .map { $0.trimmed { $0.isWhitespace } }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
