// SPDX-License-Identifier: MIT

/// Words in a line, one of them chosen; those that are off stand in parentheses. Knows nothing of transfers.
struct ChoiceLine {
    struct Item {
        var text: String
        var isOn: Bool
    }

    var items: [Item]
    var chosen: Int

    /// In a narrow window those around the chosen one. The cursor stands on it.
    func draw(in grid: inout Grid, row: Int, column start: Int, _ capabilities: Capabilities) {
        let texts = items.enumerated().map { index, item in
            let text = item.isOn ? item.text : "(\(item.text))"
            return capabilities.drawn(index == chosen ? "‹\(text)›" : text)
        }
        let room = max(0, grid.columns - start)
        var first = 0
        while first < chosen, CellWidth.of(texts[first...chosen].joined(separator: " ")) > room { first += 1 }
        var place = start
        for (index, text) in texts.enumerated().dropFirst(first) {
            let isChosen = index == chosen
            guard isChosen || place + CellWidth.of(text) <= grid.columns else { break }
            if isChosen { grid.cursor = Grid.Position(row: row, column: min(place, grid.columns - 1)) }
            let style: Style = isChosen ? .key : items[index].isOn ? .plain : .faint
            place += grid.write(text, row: row, column: place, style: style) + 1
        }
    }
}
