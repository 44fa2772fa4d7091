// SPDX-License-Identifier: MIT

import TransferModel

/// Details of the selected transfer below the list.
enum DetailPane {
    /// Columns of the name before other tabs.
    private static let leastName = 16

    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        guard let transfer = state.selected, let first = rows.first else { return }
        let glyphs = capabilities.glyphs
        let name = capabilities.shown(DisplayName.of(transfer))
        let tab = state.details.tab
        // A part of the name comes before the other tabs.
        let tabs = DetailTabs.titles(of: transfer, tab, room: grid.columns - leastName - 12)
        let room = max(0, grid.columns - CellWidth.of(tabs) - 12)
        let title = "\(transfer.id) " + CellText.name(name, width: min(room, CellWidth.of(name)), mark: glyphs.ellipsis)
        grid.write(
            String(repeating: glyphs.rule, count: grid.columns), row: first, column: 0, style: .faint)
        let end = 1 + grid.write(" \(title) ", row: first, column: 1, style: .bold)
        grid.write(" \(tabs) ", row: first, column: end + 1, style: .plain)
        let lines = DetailView.lines(of: state, columns: grid.columns - 1, capabilities, inPane: true)
        for (line, row) in zip(lines, rows.dropFirst()) { line.write(to: &grid, row: row, column: 1) }
    }
}
