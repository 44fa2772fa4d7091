// SPDX-License-Identifier: MIT

/// The dialog that adds transfers.
enum AddView {
    private static let mostNoteLines = 2

    static func draw(_ dialog: AddForm, in grid: inout Grid, _ capabilities: Capabilities) {
        let size = (grid.columns, grid.rows)
        // The rows of the content depend on its width, which is that of the frame or of the screen.
        let width = min(grid.columns, DialogBox.columns - 4)
        let (text, isWarning) = dialog.note
        let note = CellText.wrap(capabilities.shown(capabilities.drawn(text)), width: max(1, width)).prefix(
            grid.rows > 12 ? mostNoteLines : 1)
        let rows = dialog.form.height(width: width, capabilities) + note.count
        let box = DialogBox(title: "Add", hints: hints(dialog), rows: rows, of: size)
        grid.cursor = nil
        box.draw(in: &grid, capabilities)
        let body = box.body
        let noteRows = body.count > note.count ? note.count : 0
        dialog.form.draw(
            in: &grid, rows: body.lowerBound..<body.upperBound - noteRows, columns: box.content, capabilities)
        for (line, row) in zip(note, body.suffix(noteRows)) {
            grid.write(
                line, row: row, column: box.content.lowerBound, width: box.content.count,
                style: isWarning ? .warning : .faint)
        }
    }

    private static func hints(_ dialog: AddForm) -> [String] {
        switch dialog.phase {
        case .asking: ["r replace", "k keep both", "s skip", "n newer", "Esc"]
        case .adding: ["Esc closes, the transfers are added"]
        case .editing, .checking: ["Enter add", "↑↓ field", "←→ choose", "Esc"]
        }
    }
}
