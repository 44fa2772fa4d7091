// SPDX-License-Identifier: MIT

/// Lines of two columns above a row, one of them chosen. Knows nothing of transfers.
struct Menu {
    struct Item {
        var text: String
        var help: String
    }

    var items: [Item]
    var choice: Int?

    /// The rows that it takes.
    func height(top: Int, bottom: Int, most: Int) -> Int { max(0, min(items.count, most, bottom - top)) }

    /// The item in a row, with the places of ``draw(in:top:bottom:most:_:)``.
    func item(row: Int, top: Int, bottom: Int, most: Int) -> Int? {
        let count = height(top: top, bottom: bottom, most: most)
        guard count > 0, (bottom - count..<bottom).contains(row) else { return nil }
        return Viewport.top(0, selected: choice, count: items.count, height: count) + row - (bottom - count)
    }

    /// Draws as many items as fit between `top` and `bottom`, the chosen one among them, the last above `bottom`.
    func draw(in grid: inout Grid, top: Int, bottom: Int, most: Int, _ capabilities: Capabilities) {
        let count = height(top: top, bottom: bottom, most: most)
        guard count > 0 else { return }
        let first = Viewport.top(0, selected: choice, count: items.count, height: count)
        let widest = items.reduce(0) { max($0, CellWidth.of(capabilities.shown($1.text))) }
        let textWidth = min(widest, max(8, grid.columns / 2))
        for offset in 0..<count {
            let item = items[first + offset]
            let row = bottom - count + offset
            var style = Style(isSelected: first + offset == choice)
            grid.write(CellText.spaces(grid.columns), row: row, column: 0, style: style)
            if style.isSelected {
                grid.write(capabilities.glyphs.cursor, row: row, column: 0, style: Style(role: .key, isSelected: true))
            }
            style.role = .key
            let text = CellText.fit(capabilities.shown(item.text), width: textWidth, mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row, column: 2, width: grid.columns - 2, style: style)
            style.role = .faint
            let room = grid.columns - textWidth - 4
            guard room > 3 else { continue }
            let help = CellText.fit(capabilities.shown(item.help), width: room, mark: capabilities.glyphs.ellipsis)
            grid.write(help, row: row, column: textWidth + 4, style: style)
        }
    }
}
