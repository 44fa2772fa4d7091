// SPDX-License-Identifier: MIT

/// Every action with its keys, made from the table.
enum HelpView {
    static func lines(columns: Int) -> [StyledLine] {
        let keyWidth = columns >= 60 ? 16 : 11
        let helpWidth = max(1, columns - keyWidth - 3)
        var lines: [StyledLine] = []
        for group in ActionGroup.allCases {
            if !lines.isEmpty { lines.append(StyledLine()) }
            lines += CellText.wrap(group.rawValue, width: max(1, columns)).map { StyledLine($0, .bold) }
            for entry in KeyHelp.all where entry.group == group {
                let text = CellText.wrap(entry.help, width: helpWidth)
                for (index, part) in text.enumerated() {
                    let keys = CellText.fit(index == 0 ? entry.keys : "", width: keyWidth, mark: "")
                    lines.append(StyledLine("  " + keys + " ", .key) + StyledLine(part))
                }
            }
        }
        return lines
    }
}
