// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferModel

/// What is typed after `a` in the interface: the words of `get` or `put`, with or without the command itself.
enum TypedTransfer {
    /// `URL…` downloads, `FILE… URL` uploads; `get …` and `put …` take every option they take on a command line.
    /// - Throws: a ``TransferError`` whose message says what to mend.
    static func parse(_ text: String) throws -> [TransferDescription] {
        let words = try ShellWords.split(text)
        guard let first = words.first else { throw TransferError(.usage, "type a URL, or a file and a URL") }
        var surroundings = Surroundings.process
        // The screen is taken: nothing may be asked or said around it.
        surroundings.warn = { _ in }
        surroundings.askPassword = { _ throws(TransferError) in
            throw TransferError(.usage, "a password cannot be asked for here; use --password-file or netrc")
        }
        do {
            switch first {
            case "get": return try GetCommand.parse(Array(words.dropFirst())).plan(surroundings).descriptions
            case "put": return try PutCommand.parse(Array(words.dropFirst())).plan(surroundings).descriptions
            default:
                if isAddress(first) { return try GetCommand.parse(words).plan(surroundings).descriptions }
                return try PutCommand.parse(words).plan(surroundings).descriptions
            }
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(.usage, GetCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    private static func isAddress(_ word: String) -> Bool { word.contains("://") }
}

/// Splits a line into words as a shell does, without any of a shell's other powers.
enum ShellWords {
    /// Spaces part words; quotes of both kinds and a backslash keep them together.
    /// - Throws: code `usage` for a quote that is never closed.
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
