// SPDX-License-Identifier: MIT

/// The command line with its proposals above, and what is wrong, or the usage, below.
enum PaletteView {
    private static let mostProposals = 8

    static func draw(_ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities) {
        guard let prompt = state.prompt else { return }
        let hasNote = grid.rows >= 4
        let row = line(grid.rows)
        menu(state).draw(in: &grid, top: min(1, row), bottom: row, most: mostProposals, capabilities)
        for blank in row..<grid.rows { grid.write(CellText.spaces(grid.columns), row: blank, column: 0) }
        PromptLineView.draw(prompt, in: &grid, row: row, capabilities)
        guard hasNote else { return }
        let (text, style) = note(state, prompt.editor.text)
        grid.write(
            CellText.fit(capabilities.shown(text), width: grid.columns, mark: capabilities.glyphs.ellipsis),
            row: row + 1, column: 0, style: style)
    }

    private static func line(_ rows: Int) -> Int { rows >= 4 ? rows - 2 : rows - 1 }

    private static func menu(_ state: InterfaceState) -> Menu {
        Menu(items: state.proposals.map { .init(text: $0.text, help: $0.help) }, choice: state.palette.choice)
    }

    /// The proposal in a row; `nil` if none is.
    static func proposal(row: Int, _ state: InterfaceState) -> Int? {
        let bottom = line(state.rows)
        return menu(state).item(row: row, top: min(1, bottom), bottom: bottom, most: mostProposals)
    }

    private static func note(_ state: InterfaceState, _ text: String) -> (String, Style) {
        if let error = state.palette.error { return (error, .failure) }
        // The total line, which says so otherwise, is covered.
        if let silence = state.silence { return (TotalLine.words(ofSilence: silence), .failure) }
        if state.palette.isRunning { return ("running: Esc closes this line", .faint) }
        if let command = state.vocabulary.command(of: text) { return (command.usage, .faint) }
        return ("Enter runs  Tab completes  Up recalls  Esc closes; commands as in a shell", .faint)
    }
}
