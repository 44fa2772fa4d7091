// SPDX-License-Identifier: MIT

import ArgumentParser
import TerminalInterface
import TransferModel

/// `fileq keys`
struct KeysCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print the keys of the interface, and the names of its actions.",
        discussion: """
            The configuration file can give each action other keys: a key, a list of keys of which hints show the \
            first, or none.

              [interface.keys]
              pause = "F5"
              cancel = ["C", "Delete"]
              redraw = "none"

            A key is a character, whose case counts, Ctrl-x, F1 to F12, Space, Enter, Tab, Shift-Tab, Esc, Up, Down, \
            Left, Right, Home, End, PageUp, PageDown, Delete or Backspace. No key has two actions: to use the key of \
            another action, give that action another key, too. 'quit' needs a key, 'interrupt' keeps Ctrl-C. Keys in \
            prompts cannot be changed.

            A mistake is an error here (2); the action that it is about keeps its default keys.

            On a terminal a table, where * marks changed keys; elsewhere action, keys, default keys and description, \
            separated by tabs.

            Examples:
              fileq keys
              fileq keys --json | jq -r 'select(.changed) | .action'
            """
    )

    @Flag(help: "One JSON object per action: action, keys, defaults, changed, group, help.")
    var json = false

    var machine: MachineOptions { .here }

    func run(in context: QueueContext) async throws {
        let (map, mistakes) = try ConfigurationFile.keyMapOfUser()
        try Self.write(map, in: context, json: json)
        guard !mistakes.isEmpty else { return }
        for mistake in mistakes { context.say(mistake.sentence) }
        context.say("all others are as configured; an action with a mistake has its default keys")
        throw ExitCode(Int32(TransferError.Code.usage.rawValue))
    }

    static func write(_ map: KeyMap, in context: QueueContext, json: Bool) throws {
        var output = ResultOutput(context.output)
        if json {
            for entry in map.help { try output.write(object(entry)) }
        } else if let screen = context.screen {
            for line in KeysLayout(map.help, columns: screen.columns).lines { try output.write(line: line) }
        } else {
            for entry in map.help {
                let fields = [entry.action, entry.label, entry.defaults.joined(separator: ", "), entry.help]
                try output.write(line: fields.joined(separator: "\t"))
            }
        }
        try output.flush()
    }

    private static func object(_ entry: KeyHelp) -> JSONLine {
        var line = JSONLine()
        line.add("action", entry.action)
        line.add("keys", words: entry.keys)
        line.add("defaults", words: entry.defaults)
        line.add("changed", entry.isChanged)
        line.add("group", entry.group.rawValue)
        line.add("help", entry.help)
        return line
    }
}
