// SPDX-License-Identifier: MIT

import TransferModel

/// Splits a line into arguments as a shell does, without expansions.
enum ShellArguments {
    /// Spaces separate arguments; quotes of both kinds and backslashes group them.
    /// - Throws: code `usage` for an unclosed quote.
    static func split(_ line: String) throws(TransferError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { throw TransferError(.usage, "a quote is not closed") }
        if let last = word { words.append(last) }
        return words
    }
}
