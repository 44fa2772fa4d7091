// SPDX-License-Identifier: MIT

/// The command line with its proposals above, and what is wrong, or the usage, below.
enum PaletteView {
    private static let mostProposals = 8
    /// The height from which a rule separates it from the list.
    private static let ruleFrom = 8

    static func draw(
        _ palette: Palette, _ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities
    ) {
        let notes = notes(palette, state, columns: grid.columns, rows: grid.rows, capabilities)
        let row = grid.rows - 1 - notes.count
        let menu = menu(palette, state)
        menu.draw(in: &grid, top: min(1, row), bottom: row, most: mostProposals, capabilities)
        let top = row - menu.height(top: min(1, row), bottom: row, most: mostProposals)
        // The first line stays.
        if grid.rows >= ruleFrom, top > 1 { PromptLineView.drawRule(in: &grid, row: top - 1, capabilities) }
        for blank in row..<grid.rows { grid.write(CellText.spaces(grid.columns), row: blank, column: 0) }
        PromptLineView.draw(palette.editor, labels: [":"], in: &grid, row: row, capabilities)
        for (offset, line) in notes.enumerated() {
            grid.write(line.text, row: row + 1 + offset, column: 0, style: line.style)
        }
    }

    /// The lines below the line; only what is wrong may take several.
    private static func notes(
        _ palette: Palette, _ state: InterfaceState, columns: Int, rows: Int, _ capabilities: Capabilities
    ) -> [(text: String, style: Style)] {
        guard rows >= 4 else { return [] }
        let (text, style) = note(palette, state)
        let most = rows >= 8 && style == .failure ? 3 : 1
        return NoticeView.lines(
            of: capabilities.shown(text), width: columns, most: most, mark: capabilities.glyphs.ellipsis
        ).map { (text: $0, style: style) }
    }

    private static func menu(_ palette: Palette, _ state: InterfaceState) -> Menu {
        Menu(items: palette.proposals(on: state).map { .init(text: $0.text, help: $0.help) }, choice: palette.choice)
    }

    /// The proposal in a row; `nil` if none is.
    static func proposal(row: Int, _ palette: Palette, _ state: InterfaceState) -> Int? {
        let bottom = state.rows - 1 - notes(palette, state, columns: state.columns, rows: state.rows, .unicode).count
        return menu(palette, state).item(row: row, top: min(1, bottom), bottom: bottom, most: mostProposals)
    }

    private static func note(_ palette: Palette, _ state: InterfaceState) -> (String, Style) {
        if let error = palette.error { return (error, .failure) }
        // The total line, which says so otherwise, is covered.
        if let outage = state.outage { return (outage, .failure) }
        if palette.isRunning { return ("running: Esc closes this line", .faint) }
        if let command = state.setup.vocabulary.command(of: palette.editor.text) { return (command.usage, .faint) }
        return ("Enter runs  Tab completes  Up recalls  Esc closes; commands as in a shell", .faint)
    }
}
