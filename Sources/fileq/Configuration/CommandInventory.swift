// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials

/// The commands and their options as ArgumentParser describes them: the single source for settings and man page.
struct CommandInventory: Decodable, Sendable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var subcommands: [CommandInventory]?
    var arguments: [Argument]?

    struct Argument: Decodable, Hashable, Sendable {
        enum Kind: String, Decodable, Sendable { case positional, option, flag }
        struct Name: Decodable, Hashable, Sendable {
            enum Kind: String, Decodable, Sendable { case long, short, longWithSingleDash }
            var kind: Kind
            var name: String
        }

        var kind: Kind
        var names: [Name]?
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var valueName: String?
        var defaultValue: String?
        var abstract: String?

        /// The first long name, without dashes.
        var longName: String? { names?.first { $0.kind == .long }?.name }
    }

    /// Of the whole program.
    static let program: CommandInventory = {
        struct Tool: Decodable { var command: CommandInventory }
        let dump = Data(FileqCommand._dumpHelp().utf8)
        guard let tool = try? JSONDecoder().decode(Tool.self, from: dump) else {
            // The format belongs to the pinned ArgumentParser, so decoding cannot fail at run time.
            return CommandInventory(commandName: "fileq")
        }
        return tool.command
    }()

    /// The command at `path`, or its deepest existing ancestor.
    func command(at path: some Collection<String>) -> CommandInventory {
        guard let name = path.first, let next = subcommands?.first(where: { $0.commandName == name }) else {
            return self
        }
        return next.command(at: path.dropFirst())
    }

    /// What environment and file can set: every option and flag with a long name that affects a command.
    var settable: [Argument] {
        (arguments ?? []).filter { argument in
            guard argument.kind != .positional, argument.shouldDisplay, let name = argument.longName else {
                return false
            }
            return !Self.requests.contains(name)
        }
    }

    /// The names of ``settable`` in this command and all subcommands.
    var settableNamesOfAll: Set<String> {
        (subcommands ?? []).reduce(into: Set(settable.compactMap(\.longName))) { $0.formUnion($1.settableNamesOfAll) }
    }

    /// Whether `word` requests text, whatever else is on the command line.
    static func isRequest(_ word: String) -> Bool {
        word == "-h" || word.hasPrefix("--") && requests.contains(String(word.dropFirst(2).prefix { $0 != "=" }))
    }

    /// Options that request text.
    private static let requests: Set<String> = [
        "help", "help-hidden", "version", "generate-completion-script", "experimental-dump-help",
    ]
}
