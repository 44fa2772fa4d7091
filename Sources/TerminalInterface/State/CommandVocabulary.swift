// SPDX-License-Identifier: MIT

/// The commands that the palette runs, for its completions.
package struct CommandVocabulary: Sendable, Hashable {
    package struct Option: Sendable, Hashable {
        /// With dashes, the long one first.
        package var names: [String]
        /// The name of its value; `nil`: a flag.
        package var value: String?
        package var help: String
        /// Typical or all values.
        package var choices: [String]

        package init(names: [String], value: String?, help: String, choices: [String] = []) {
            (self.names, self.value, self.help, self.choices) = (names, value, help, choices)
        }
    }

    package struct Command: Sendable, Hashable {
        /// `add get` is two words.
        package var path: [String]
        /// `<which> …`
        package var arguments: String
        package var help: String
        package var options: [Option]
        /// Whether IDs and filters may follow.
        package var takesTransfers: Bool
        /// Words that may follow beside these: `top`.
        package var words: [String]

        package init(
            path: [String], arguments: String, help: String, options: [Option], takesTransfers: Bool,
            words: [String] = []
        ) {
            (self.path, self.arguments, self.help) = (path, arguments, help)
            (self.options, self.takesTransfers, self.words) = (options, takesTransfers, words)
        }

        /// `move <which> …`
        package var usage: String { (path + [arguments]).filter { !$0.isEmpty }.joined(separator: " ") }
    }

    package var commands: [Command]
    /// What those do that are the first words of others: `add`.
    package var groups: [String: String]
    /// Of filters, with their values: `state`, `failed` and others.
    package var fields: [String: [String]]

    package init(commands: [Command] = [], groups: [String: String] = [:], fields: [String: [String]] = [:]) {
        (self.commands, self.groups, self.fields) = (commands, groups, fields)
    }
}

/// A proposal for the last word of a line.
struct Completion: Hashable, Sendable {
    /// Replaces the word.
    var text: String
    var help: String
    /// Whether the word ends with it.
    var isWhole = true
}

extension CommandVocabulary {
    /// The most proposals for one word.
    private static let most = 50

    /// The command that `line` begins with.
    func command(of line: String) -> Command? {
        let words = line.split(separator: " ").map(String.init)
        return commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    /// The last word of `line`; empty after a space.
    static func lastWord(of line: String) -> String {
        String(line.split(separator: " ", omittingEmptySubsequences: false).last ?? "")
    }

    /// Proposals for the last word of `line`.
    /// - Parameter transfers: those that a selection may mean, the most likely first, with their names.
    func completions(of line: String, transfers: [(id: String, name: String)]) -> [Completion] {
        let partial = Self.lastWord(of: line)
        let before = line.dropLast(partial.count).split(separator: " ").map(String.init)
        let exact = commands.first { $0.path == before }
        var found: [Completion] = []
        // A group of commands has none of its own words.
        let names = commands.filter { $0.path.count > before.count && $0.path.starts(with: before) }
        found += Self.unique(
            names.map { command in
                let isWhole = command.path.count == before.count + 1
                let group = groups[command.path.prefix(before.count + 1).joined(separator: " ")]
                return Completion(text: command.path[before.count], help: isWhole ? command.help : group ?? "")
            })
        if let command = exact ?? command(of: before.joined(separator: " ")), found.isEmpty || exact != nil {
            found += proposals(command, before, partial, transfers)
        }
        return Array(found.filter { $0.text.hasPrefix(partial) && $0.text != partial }.prefix(Self.most))
    }

    private func proposals(
        _ command: Command, _ before: [String], _ partial: String, _ transfers: [(id: String, name: String)]
    ) -> [Completion] {
        if let last = before.last, let option = command.options.first(where: { $0.names.contains(last) }),
            option.value != nil
        {
            return option.choices.map { Completion(text: $0, help: "") }
        }
        if partial.hasPrefix("-") {
            return command.options.filter { Set($0.names).isDisjoint(with: before) }.compactMap { option in
                option.names.first.map { Completion(text: $0, help: option.help) }
            }
        }
        var found = command.words.map { Completion(text: $0, help: "") }
        guard command.takesTransfers else { return found }
        if let colon = partial.firstIndex(of: ":"), let values = fields[String(partial[..<colon])] {
            return values.map { Completion(text: partial[...colon] + $0, help: "") }
        }
        if partial.isEmpty || partial.first?.isNumber == true {
            found += transfers.filter { $0.id.hasPrefix(partial) }.prefix(Self.most).map {
                Completion(text: $0.id, help: $0.name)
            }
        }
        return found + fields.keys.sorted().map { Completion(text: $0 + ":", help: "", isWhole: false) }
    }

    private static func unique(_ all: [Completion]) -> [Completion] {
        var seen: Set<String> = []
        return all.filter { seen.insert($0.text).inserted }
    }
}
