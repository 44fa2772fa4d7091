// SPDX-License-Identifier: MIT

/// Every action with its keys, made from the table.
enum HelpView {
    static func lines(columns: Int, _ keyMap: KeyMap = .standard) -> [StyledLine] {
        // In a narrow window, only the first key.
        let isNarrow = columns < 44
        let keyWidth = isNarrow ? 9 : columns < 60 ? 13 : 16
        let helpWidth = max(1, columns - keyWidth - 3)
        var lines: [StyledLine] = []
        for group in ActionGroup.allCases {
            if !lines.isEmpty { lines.append(StyledLine()) }
            lines += CellText.wrap(group.rawValue, width: max(1, columns)).map { StyledLine($0, .bold) }
            for entry in keyMap.help where entry.group == group {
                let text = CellText.wrap(entry.help, width: helpWidth)
                for (index, part) in text.enumerated() {
                    let keys = isNarrow ? entry.keys.first ?? KeyMap.none : entry.label
                    let shown = CellText.fit(index == 0 ? keys : "", width: keyWidth, mark: "")
                    lines.append(StyledLine("  " + shown + " ", .key) + StyledLine(part))
                }
            }
        }
        return lines
    }
}
