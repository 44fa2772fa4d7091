// SPDX-License-Identifier: MIT

import TerminalInterface

/// The keys of the interface as a table for a terminal, group by group. No I/O.
struct KeysLayout {
    private let entries: [KeyHelp]
    private let columns: Int
    private let actionWidth: Int
    private let keyWidth: Int
    /// With less room, a description has lines of its own.
    private static let leastHelp = 20
    private static let indent = "      "

    init(_ entries: [KeyHelp], columns: Int) {
        (self.entries, self.columns) = (entries, columns)
        actionWidth = entries.map { CellWidth.of($0.action) }.max() ?? 0
        keyWidth = min(24, max(4, entries.map { CellWidth.of($0.label) }.max() ?? 0))
    }

    private var lead: Int { 2 + actionWidth + 2 + keyWidth + 2 }
    private var isNarrow: Bool { columns - lead < Self.leastHelp }

    var lines: [String] {
        let heading = "  " + fit("ACTION", actionWidth) + "  " + (isNarrow ? "KEYS" : fit("KEYS", keyWidth) + "  DOES")
        var lines = [CellWidth.of(heading) <= columns ? Self.trimmed(heading) : "  ACTION"]
        for group in ActionGroup.allCases {
            lines += [""] + CellText.wrap(group.rawValue, width: max(1, columns)).map(Self.trimmed)
            for entry in entries where entry.group == group { lines += self.lines(of: entry) }
        }
        return lines
    }

    private func lines(of entry: KeyHelp) -> [String] {
        let note = entry.isChanged ? " (default: \(entry.defaults.joined(separator: ", ")))" : ""
        let mark = entry.isChanged ? "* " : "  "
        if isNarrow { return narrowLines(of: entry, mark, entry.help + note) }
        let keys = CellText.wrap(entry.label, width: keyWidth).map { Self.trimmed($0) }
        let help = CellText.wrap(entry.help + note, width: columns - lead)
        return (0..<max(keys.count, help.count)).map { row in
            let start = row == 0 ? mark + fit(entry.action, actionWidth) : fit("", 2 + actionWidth)
            let text = start + "  " + fit(row < keys.count ? keys[row] : "", keyWidth) + "  "
            return Self.trimmed(text + (row < help.count ? help[row] : ""))
        }
    }

    /// Action and keys, then the description below them.
    private func narrowLines(of entry: KeyHelp, _ mark: String, _ help: String) -> [String] {
        let room = columns - 2 - actionWidth - 2
        let keys = CellText.wrap(entry.label, width: max(8, room))
        var lines: [String] = []
        for (row, text) in keys.enumerated() {
            let start = row == 0 ? mark + fit(entry.action, actionWidth) : fit("", 2 + actionWidth)
            lines.append(Self.trimmed(start + "  " + text))
        }
        if room < 8 { lines = [Self.trimmed(mark + entry.action)] + keys.map { Self.indent + Self.trimmed($0) } }
        let width = max(8, columns - Self.indent.count)
        return lines + CellText.wrap(help, width: width).map { Self.indent + Self.trimmed($0) }
    }

    private func fit(_ text: String, _ width: Int) -> String { CellText.fit(text, width: width) }

    private static func trimmed(_ text: String) -> String {
        String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
    }
}
