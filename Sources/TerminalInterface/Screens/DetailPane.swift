// SPDX-License-Identifier: MIT

import TransferModel

/// Details of the selected transfer below the list, or at its right.
enum DetailPane {
    /// Columns of the name before other tabs.
    private static func leastName(_ columns: Int) -> Int { min(16, columns / 6) }

    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        if let key = state.list.selectedGroup { return GroupText.draw(key, state, in: &grid, rows: rows, capabilities) }
        guard let transfer = state.list.selected, let first = rows.first else { return }
        let layout = state.usualLayout
        let head = head(of: transfer, state, columns: headColumns(grid.columns, state), capabilities)
        grid.write(
            String(repeating: capabilities.glyphs.rule, count: grid.columns), row: first, column: 0, style: .faint)
        grid.write(" \(head.title) ", row: first, column: 1, style: .bold)
        grid.write(" \(head.tabs) ", row: first, column: head.start - 1, style: .plain)
        let inset = layout.paneInset
        if state.details.tab == .info { drawBeside(transfer, state, in: &grid, rows: rows, layout, capabilities) }
        let lines = DetailView.lines(of: state, columns: state.paneText(layout), capabilities, inPane: true)
        let room = rows.count - 1
        guard lines.count > room, room > 1, let note = rows.last else {
            for (line, row) in zip(lines, rows.dropFirst()) { line.write(to: &grid, row: row, column: inset) }
            return
        }
        let top = min(state.paneTop, lines.count - (room - 1))
        for (line, row) in zip(lines.dropFirst(top), rows.dropFirst().dropLast()) {
            line.write(to: &grid, row: row, column: inset)
        }
        let keys = CoverText.Keys(more: state.setup.keyMap.key(.paneDown), back: state.setup.keyMap.key(.paneUp))
        CoverText.drawPosition(top, room - 1, of: lines.count, keys, in: &grid, row: note, column: inset, capabilities)
    }

    /// In a wide window the attempts stand beside the information, and in a very wide one the log, too.
    private static func drawBeside(
        _ transfer: Transfer, _ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ layout: ScreenLayout,
        _ capabilities: Capabilities
    ) {
        let panels = layout.panePanels
        for (index, tab) in [DetailTab.attempts, .log].prefix(panels - 1).enumerated() {
            let start = grid.columns * (index + 1) / panels
            grid.draw(columns: start..<grid.columns * (index + 2) / panels) { part in
                part.write(" \(tab.title) ", row: rows.lowerBound, column: 1, style: .plain)
                drawEdge(in: &part, rows: rows.dropFirst(), capabilities)
                let lines = DetailTabs.lines(
                    of: transfer, tab, state, width: part.columns - 3, capabilities, isNamed: true)
                let room = rows.count - 1
                // Of the attempts the latest are the last ones.
                let shown =
                    tab == .attempts && lines.count > room ? lines.prefix(1) + lines.suffix(room - 1) : lines[...]
                for (line, row) in zip(shown, rows.dropFirst()) { line.write(to: &part, row: row, column: 2) }
                guard tab == .attempts, RateGraph.isTall(state, width: part.columns - 3) else { return }
                let span = RateGraph.span(60 * state.details.span.rawValue)
                let graph = RateGraph.tallOfAll(state, capabilities)
                // Below the attempts, if they leave the rows for it.
                guard !graph.isEmpty, shown.count + graph.count + 2 <= room else { return }
                let title = StyledLine(capabilities.drawn("all ↓ ↑, \(span)"), .faint)
                for (line, row) in zip([title] + graph, rows.upperBound - graph.count - 1..<rows.upperBound) {
                    line.write(to: &part, row: row, column: 2)
                }
            }
        }
    }

    /// What stands beside the information has a title of its own.
    private static func headColumns(_ columns: Int, _ state: InterfaceState) -> Int {
        state.details.tab == .info ? columns / state.usualLayout.panePanels : columns
    }

    /// The line between list and details.
    static func drawEdge(in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        for row in rows { grid.write(capabilities.drawn("│"), row: row, column: 0, style: .faint) }
    }

    /// The tab at a column of the first row.
    static func tab(at column: Int, _ state: InterfaceState, _ columns: Range<Int>) -> DetailTab? {
        guard let transfer = state.list.selected else { return nil }
        // Where names are transliterated, one of another width shifts them.
        let head = head(of: transfer, state, columns: headColumns(columns.count, state), .unicode)
        return DetailTabs.tab(
            at: column - columns.lowerBound - head.start, of: transfer, state.details.tab, room: head.room)
    }

    /// The title, the tabs, and the column in which these begin.
    private static func head(
        of transfer: Transfer, _ state: InterfaceState, columns: Int, _ capabilities: Capabilities
    ) -> (title: String, tabs: String, start: Int, room: Int) {
        let name = capabilities.shown(DisplayName.of(transfer))
        let id = "\(transfer.id) "
        // Rules and blanks around both take seven columns.
        let space = columns - CellWidth.of(id) - 7
        // A part of the name comes before the other tabs.
        let roomOfTabs = space - leastName(columns)
        let tabs = DetailTabs.titles(of: transfer, state.details.tab, room: roomOfTabs)
        let room = min(CellWidth.of(name), max(0, space - CellWidth.of(tabs)))
        let title = id + CellText.name(name, width: room, mark: capabilities.glyphs.ellipsis)
        return (title, tabs, CellWidth.of(title) + 5, roomOfTabs)
    }
}
