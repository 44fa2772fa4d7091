// SPDX-License-Identifier: MIT

import TransferModel

/// The rows of the queue.
enum QueueListView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        guard !state.visible.isEmpty else { return drawEmpty(state, in: &grid, rows: rows, capabilities) }
        let layout = RowLayout(width: grid.columns)
        let top = Viewport.top(state.top, selected: state.selectedIndex, count: state.visible.count, height: rows.count)
        for (id, row) in zip(state.visible.dropFirst(top), rows) {
            guard let transfer = state.transfers[id] else { continue }
            let line = RowPainter(
                transfer: transfer, layout: layout, capabilities: capabilities, now: state.now, words: state.words,
                isSelected: id == state.selection, isMarked: state.marks.contains(id), isStale: state.silence != nil)
            line.draw(in: &grid, row: row)
        }
    }

    private static func drawEmpty(
        _ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities
    ) {
        let lines =
            if !state.isLoaded {
                ["Loading the queue"]
            } else if state.order.isEmpty {
                ["Nothing in the queue.", "Press a to add a transfer, ? for help."]
            } else {
                ["Nothing matches the filter.", "Press Esc to see all \(state.order.count)."]
            }
        let first = rows.lowerBound + max(0, (rows.count - lines.count) / 2)
        for (offset, line) in lines.enumerated() where rows.contains(first + offset) {
            let text = CellText.fit(
                line, width: min(grid.columns, CellWidth.of(line)), mark: capabilities.glyphs.ellipsis)
            grid.write(
                text, row: first + offset, column: max(0, (grid.columns - CellWidth.of(text)) / 2), style: .faint)
        }
    }
}
