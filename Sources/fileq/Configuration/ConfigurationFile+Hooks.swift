// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

extension ConfigurationFile {
    /// `[hooks]` is not a command: it names programs to run on events of background transfers.
    static let hooksTable = "hooks"

    /// `[hooks]` with `on-start`, `on-complete`, `on-error`, `on-pause` and `on-idle`, and `timeout` in seconds.
    ///
    /// A program is a list of strings, its arguments; or one string, split at spaces, with quotes of either kind. No
    /// shell reads it.
    /// - Throws: code `usage` with the line, for anything else in this table.
    func hookCommands() throws(TransferError) -> HookCommands {
        var hooks = HookCommands()
        guard let value = root[Self.hooksTable] else { return hooks }
        guard let table = value.table else {
            throw TransferError(
                .usage, "\(location(of: Self.hooksTable, table: nil)): 'hooks' is a table: use [hooks]")
        }
        for key in table.keys.sorted() {
            guard let value = table[key] else { continue }
            if key == "timeout" {
                hooks.timeout = try seconds(value)
            } else if let event = HookEvent.allCases.first(where: { $0.key == key }) {
                hooks.commands[event] = try words(value, key)
            } else {
                let known = (HookEvent.allCases.map(\.key) + ["timeout"]).joined(separator: ", ")
                throw refusal(key, "unknown key '\(key)' in [hooks]; known keys: \(known)")
            }
        }
        return hooks
    }

    private func seconds(_ value: ConfigurationValue) throws(TransferError) -> Double {
        guard let seconds = value.int.map(Double.init) ?? value.double, seconds > 0, seconds <= 86_400 else {
            throw refusal("timeout", "'timeout' is a number of seconds, above 0 and at most 86400")
        }
        return seconds
    }

    private func words(_ value: ConfigurationValue, _ key: String) throws(TransferError) -> [String] {
        if let text = value.string {
            guard let words = Self.words(text) else {
                throw refusal(key, "'\(key)' opens a quote and does not close it")
            }
            return try checked(words, key)
        }
        let texts = value.array.map { array in array.compactMap(\.string) }
        guard let texts, texts.count == value.array?.count else {
            throw refusal(
                key,
                "'\(key)' is a program and its arguments: write [\"notify-send\", \"done\"] or \"notify-send done\"")
        }
        return try checked(texts, key)
    }

    private func checked(_ words: [String], _ key: String) throws(TransferError) -> [String] {
        guard let program = words.first, !program.isEmpty else { throw refusal(key, "'\(key)' is empty") }
        return words
    }

    private func refusal(_ key: String, _ what: String) -> TransferError {
        TransferError(.usage, "\(location(of: key, table: Self.hooksTable)): \(what)")
    }

    /// `nil` for an unclosed quote.
    private static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil ? words : nil
    }
}
