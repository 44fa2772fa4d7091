// SPDX-License-Identifier: MIT

/// A frame with a title, over what was drawn before, with hints in the last row of the screen; the whole screen where
/// the frame does not fit. Knows nothing of transfers.
struct DialogBox {
    /// The least of the frame, borders included.
    static let columns = 48

    var title: String
    /// The most important first: those that do not fit are left out.
    var hints: [String]
    private let isFramed: Bool
    /// The first row and column of the frame.
    private let top: Int
    private let left: Int
    /// Of the frame.
    private let height: Int
    private let width: Int
    private let hasTitle: Bool
    private let hasHints: Bool
    private let screen: (columns: Int, rows: Int)

    /// The width of a frame whose content wants so many columns.
    static func width(content: Int, of columns: Int) -> Int {
        // What is typed moves the frame in steps.
        let wanted = (content + 4 + 7) / 8 * 8
        return min(max(Self.columns, wanted), max(Self.columns, columns - 4))
    }

    /// - Parameters:
    ///   - rows: of the content.
    ///   - width: of the frame, as ``width(content:of:)`` has it; `nil`: the least one.
    init(title: String, hints: [String], rows: Int, width: Int? = nil, of grid: (columns: Int, rows: Int)) {
        (self.title, self.hints, screen) = (title, hints, grid)
        isFramed = grid.columns >= Self.columns && grid.rows >= rows + 3
        self.width = isFramed ? min(width ?? Self.columns, grid.columns) : grid.columns
        height = isFramed ? rows + 2 : grid.rows
        // Content comes before the title.
        hasTitle = isFramed || grid.rows >= rows + 2
        hasHints = isFramed || grid.rows >= 2
        top = isFramed ? (grid.rows - 1 - height) / 2 : 0
        left = (grid.columns - self.width) / 2
    }

    /// The rows of the content.
    var body: Range<Int> {
        let last = isFramed || hasHints ? 1 : 0
        return top + (hasTitle ? 1 : 0)..<max(top + 1, top + height - last)
    }
    /// The columns of the content.
    var content: Range<Int> { isFramed ? left + 2..<left + width - 2 : 0..<width }
    /// The row and the first column of the hints.
    var hintPlace: (row: Int, column: Int)? { hasHints ? (screen.rows - 1, 0) : nil }

    func draw(in grid: inout Grid, _ capabilities: Capabilities) {
        // Also a column at either side, if there is one: what is behind does not touch the frame.
        let start = max(0, left - 1)
        let blank = CellText.spaces(left + width + 1 - start)
        for row in top..<top + height { grid.write(blank, row: row, column: start) }
        let fitted = { (text: String, room: Int) -> String in
            let shown = capabilities.shown(capabilities.drawn(text))
            return CellText.name(
                shown, width: min(max(0, room), CellWidth.of(shown)), mark: capabilities.glyphs.ellipsis)
        }
        drawHints(in: &grid, capabilities)
        guard isFramed else {
            if hasTitle { grid.write(fitted(title, width), row: top, column: left, style: .bold) }
            return
        }
        let edge = capabilities.drawn("│"), rule = capabilities.glyphs.rule
        let line = String(repeating: rule, count: width - 2)
        let bottom = top + height - 1
        grid.write(
            capabilities.drawn("┌") + line + capabilities.drawn("┐"), row: top, column: left, style: .faint)
        grid.write(
            capabilities.drawn("└") + line + capabilities.drawn("┘"), row: bottom, column: left, style: .faint)
        for row in top + 1..<max(top + 1, bottom) {
            grid.write(edge, row: row, column: left, style: .faint)
            grid.write(edge, row: row, column: left + width - 1, style: .faint)
        }
        grid.write(" " + fitted(title, width - 6) + " ", row: top, column: left + 1, style: .bold)
    }

    /// Each with its key, as those of the list.
    private func drawHints(in grid: inout Grid, _ capabilities: Capabilities) {
        guard let place = hintPlace else { return }
        grid.write(CellText.spaces(screen.columns), row: place.row, column: 0)
        var column = place.column
        for hint in fittingHints(capabilities) {
            let key = hint.prefix { $0 != " " }
            grid.write(hint, row: place.row, column: column)
            grid.write(String(key), row: place.row, column: column, style: .key)
            column += CellWidth.of(hint + Self.hintGap)
        }
    }

    private static let hintGap = "  "

    private func fittingHints(_ capabilities: Capabilities) -> [String] {
        let room = screen.columns
        var used = 0
        return hints.map { capabilities.shown(capabilities.drawn($0)) }.filter { hint in
            let longer = used + (used == 0 ? 0 : CellWidth.of(Self.hintGap)) + CellWidth.of(hint)
            guard longer <= room else { return false }
            used = longer
            return true
        }
    }

    /// The key that the hint at a cell names; `nil` where there is none.
    func key(row: Int, column: Int) -> Key? {
        guard let place = hintPlace, place.row == row else { return nil }
        var start = place.column
        for hint in fittingHints(.unicode) {
            let end = start + CellWidth.of(hint)
            if (start..<end).contains(column) { return Self.key(of: hint) }
            start = end + CellWidth.of(Self.hintGap)
        }
        return nil
    }

    /// `Enter add`: its first word.
    private static func key(of hint: String) -> Key? {
        switch hint.prefix(while: { $0 != " " }) {
        case "←": .left
        case "→": .right
        case let word: try? Key(named: String(word))
        }
    }
}

/// An editor's text in a line that scrolls to its cursor. Knows nothing of transfers.
enum EditorLine {
    /// - Parameter mark: stands for each character of a secret; `nil`: the text is shown.
    static func draw(
        _ editor: LineEditor, in grid: inout Grid, row: Int, column start: Int, width: Int, mark: String? = nil,
        style: Style = .plain, _ capabilities: Capabilities
    ) {
        func shown(_ text: String) -> String {
            if let mark { return String(repeating: mark, count: text.count) }
            return capabilities.shown(text.replacing("\n", with: " "))
        }
        // The cursor has a column of its own.
        let room = width - 1
        var before = CellText.glyphs(of: shown(editor.before))[...]
        var used = before.reduce(0) { $0 + $1.columns }
        var left = ""
        if used > room {
            left = mark == nil && room >= 8 ? capabilities.glyphs.ellipsis : ""
            while used > room - CellWidth.of(left), let first = before.popFirst() { used -= first.columns }
        }
        left += before.reduce(into: "") { $0 += $1.text }
        let column = start + grid.write(left, row: row, column: start, style: style)
        grid.write(shown(editor.after), row: row, column: column, width: max(0, start + width - column), style: style)
        grid.cursor = Grid.Position(row: row, column: min(column, max(start, start + width - 1), grid.columns - 1))
    }
}
