// SPDX-License-Identifier: MIT

/// The first line: title, and position in the list.
enum HeaderView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let glyphs = capabilities.glyphs
        var parts: [String] = []
        switch state.overlay {
        case .help: parts = ["help"]
        case .detail: parts = ["details"] + position(state)
        case nil:
            if !state.marks.isEmpty { parts.append("\(state.marks.count) marked") }
            if !state.filter.isEmpty { parts.append("filter: " + capabilities.shown(state.filter)) }
            parts += position(state)
        }
        let right = CellText.fit(
            parts.joined(separator: " \(glyphs.separator) "),
            width: min(grid.columns, CellWidth.of(parts.joined(separator: " \(glyphs.separator) "))),
            mark: glyphs.ellipsis)
        let room = grid.columns - CellWidth.of(right) - 1
        if room > 0 {
            grid.write(
                CellText.fit(capabilities.shown(state.title), width: room, mark: glyphs.ellipsis), row: row, column: 0,
                style: .bold)
        }
        grid.write(right, row: row, column: max(0, grid.columns - CellWidth.of(right)), style: .faint)
    }

    private static func position(_ state: InterfaceState) -> [String] {
        guard let index = state.selectedIndex else { return [] }
        return ["\(index + 1) of \(state.visible.count)"]
    }
}
