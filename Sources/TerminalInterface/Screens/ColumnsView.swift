// SPDX-License-Identifier: MIT

/// The lines with which columns are chosen, ordered and sized.
enum ColumnsView {
    private static let hints = ["←→ choose", "Space show", "<> move", "+- width", "d default", "Enter"]

    static func draw(
        _ column: ListColumn, _ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities
    ) {
        let all = ListColumn.editable(on: state)
        let layout = ColumnLayout(width: state.listWidth, state.listColumns)
        let items = all.map { column in
            let width = state.listColumns?[column]?.width.map { ":\($0)" } ?? ""
            return ChoiceLine.Item(text: column.rawValue + width, isOn: layout[column] != nil)
        }
        let line = ChoiceLine(items: items, chosen: all.firstIndex(of: column) ?? 0)
        let hasHints = grid.rows >= 4
        let row = grid.rows - (hasHints ? 2 : 1)
        for blank in row..<grid.rows { grid.write(CellText.spaces(grid.columns), row: blank, column: 0) }
        let label = grid.columns >= 40 ? "Columns: " : ""
        grid.write(label, row: row, column: 0, style: .key)
        line.draw(in: &grid, row: row, column: CellWidth.of(label), capabilities)
        guard hasHints else { return }
        if let notice = state.notice {
            let text = CellText.fit(
                capabilities.shown(notice.text), width: grid.columns, mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row + 1, column: 0, style: .bold)
            return
        }
        let shown = hints.map(capabilities.drawn).reduce(into: "") { line, hint in
            let longer = line.isEmpty ? hint : line + "  " + hint
            if CellWidth.of(longer) <= grid.columns { line = longer }
        }
        grid.write(shown, row: row + 1, column: 0, style: .faint)
    }
}
