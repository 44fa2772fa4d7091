// SPDX-License-Identifier: MIT

import TransferModel

/// A form with a title, what Enter will do, and the keys.
struct FormDialog: Hashable {
    var title: String
    /// The one whose name follows the title.
    var transfer: Transfer?
    var form: Form
    /// Below the form.
    var note: String
    var isWarning: Bool
    var hints: [String]
}

/// A form in a frame.
enum FormView {
    private static let mostNoteLines = 3

    /// The frame, the rows of the form in it, and the lines below the form.
    private struct Layout {
        var box: DialogBox
        var form: Range<Int>
        var note: [String]

        init(_ dialog: FormDialog, of size: (columns: Int, rows: Int), _ capabilities: Capabilities) {
            // The rows of the content depend on its width, which is that of the frame or of the screen.
            let frame = DialogBox.width(content: dialog.form.width(capabilities), of: size.columns)
            let width = min(size.columns, frame - 4)
            let text = capabilities.shown(capabilities.drawn(dialog.note))
            let lines = CellText.wrap(text, width: max(1, width)).prefix(size.rows > 12 ? mostNoteLines : 1)
            let rows = dialog.form.height(width: width, capabilities) + lines.count
            let name = dialog.transfer.map { " " + DisplayName.shown($0, hasID: false, capabilities) } ?? ""
            box = DialogBox(title: dialog.title + name, hints: dialog.hints, rows: rows, width: frame, of: size)
            let body = box.body
            note = body.count > lines.count ? Array(lines) : []
            form = body.lowerBound..<body.upperBound - note.count
        }
    }

    static func draw(_ dialog: FormDialog, in grid: inout Grid, _ capabilities: Capabilities) {
        let layout = Layout(dialog, of: (grid.columns, grid.rows), capabilities)
        let content = layout.box.content
        grid.cursor = nil
        layout.box.draw(in: &grid, capabilities)
        dialog.form.draw(in: &grid, rows: layout.form, columns: content, capabilities)
        for (line, row) in zip(layout.note, layout.form.upperBound...) {
            grid.write(
                line, row: row, column: content.lowerBound, width: content.count,
                style: dialog.isWarning ? .warning : .faint)
        }
    }

    /// What a click at a cell means: a key that a hint names, or a part of the form.
    enum Target: Hashable {
        case key(Key)
        case form(Form.Spot)
    }

    static func target(row: Int, column: Int, _ dialog: FormDialog, of size: (columns: Int, rows: Int)) -> Target? {
        // Where names are transliterated, only the lines of an error can differ.
        let layout = Layout(dialog, of: size, .unicode)
        if let key = layout.box.key(row: row, column: column) { return .key(key) }
        return dialog.form.spot(row: row, column: column, rows: layout.form, columns: layout.box.content, .unicode).map
        {
            .form($0)
        }
    }
}
