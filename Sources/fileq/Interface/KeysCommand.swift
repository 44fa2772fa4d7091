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
            first, or an empty list for none.

              [interface.keys]
              pause = "F5"
              cancel = ["C", "Delete"]
              redraw = []

            A key is a character, whose case counts, Ctrl-x, F1 to F12, Space, Enter, Tab, Shift-Tab, Esc, Up, Down, \
            Left, Right, Home, End, PageUp, PageDown, Delete or Backspace. No key has two actions: to use the key of \
            another action, give that action another key, too. 'quit' needs a key, 'interrupt' keeps Ctrl-C. Keys in \
            prompts cannot be changed.

            A mistake is an error here (2), and the screen opens with the default keys.

            On a terminal a table, where * marks changed keys; elsewhere action, keys, default keys and description, \
            separated by tabs.

            Examples:
              fileq keys
              fileq keys --json | jq -r 'select(.changed) | .action'
            """
    )

    @Flag(help: "One JSON object per action: action, keys, defaults, changed, group, help.")
    var json = false

    func run(in context: QueueContext) async throws {
        let (map, mistakes) = try ConfigurationFile.keyMapOfUser()
        try Self.write(map, in: context, json: json)
        guard !mistakes.isEmpty else { return }
        for mistake in mistakes { context.say(mistake.sentence) }
        context.say("these are the default keys, until the configuration is corrected")
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

/// The keys of the interface as a table for a terminal, group by group. No I/O.
struct KeysLayout {
    private let entries: [KeyHelp]
    private let columns: Int
    private let actionWidth: Int
    private let keyWidth: Int
    /// Narrower, a description would have too many lines.
    private static let leastHelp = 20

    init(_ entries: [KeyHelp], columns: Int) {
        (self.entries, self.columns) = (entries, columns)
        actionWidth = entries.map { CellWidth.of($0.action) }.max() ?? 0
        keyWidth = min(24, max(4, entries.map { CellWidth.of($0.label) }.max() ?? 0))
    }

    var lines: [String] {
        var lines = [Self.trimmed("  " + fit("ACTION", actionWidth) + "  " + fit("KEYS", keyWidth) + "  DOES")]
        for group in ActionGroup.allCases {
            lines += ["", group.rawValue]
            for entry in entries where entry.group == group { lines += self.lines(of: entry) }
        }
        return lines
    }

    private func lines(of entry: KeyHelp) -> [String] {
        let lead = 2 + actionWidth + 2 + keyWidth + 2
        let note = entry.isChanged ? " (default: \(entry.defaults.joined(separator: ", ")))" : ""
        let mark = entry.isChanged ? "* " : "  "
        let keys = CellText.wrap(entry.label, width: keyWidth).map { Self.trimmed($0) }
        let help = CellText.wrap(entry.help + note, width: max(Self.leastHelp, columns - lead))
        return (0..<max(keys.count, help.count)).map { row in
            let start = row == 0 ? mark + fit(entry.action, actionWidth) : fit("", 2 + actionWidth)
            let text = start + "  " + fit(row < keys.count ? keys[row] : "", keyWidth) + "  "
            return Self.trimmed(text + (row < help.count ? help[row] : ""))
        }
    }

    private func fit(_ text: String, _ width: Int) -> String { CellText.fit(text, width: width) }

    private static func trimmed(_ text: String) -> String {
        String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
    }
}
