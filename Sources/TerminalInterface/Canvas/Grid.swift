// SPDX-License-Identifier: MIT

/// A screen as cells: the result of ``render(_:columns:rows:capabilities:)``.
///
/// A wide character occupies its cell and the one to its right, whose glyph is empty. Every row has exactly `columns`
/// cells.
struct Grid: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        /// A base character with combining marks; empty in the right half of a wide character.
        var glyph: String = " "
        var style: Style = .plain
    }

    struct Position: Hashable, Sendable {
        var row: Int
        var column: Int
    }

    /// The columns of the part that ``draw(columns:_:)`` draws, else of the whole grid.
    private(set) var columns: Int
    let rows: Int
    private let width: Int
    /// The first column of that part.
    private var left = 0
    private(set) var cells: [Cell]
    /// The position of the terminal's cursor, if visible.
    var cursor: Position?
    /// Where the hidden cursor is, which braille displays and screen readers follow: in the selected row drawn last.
    private(set) var focus: Position?

    init(columns: Int, rows: Int) {
        width = max(1, columns)
        self.columns = width
        self.rows = max(1, rows)
        cells = Array(repeating: Cell(), count: width * self.rows)
    }

    subscript(row: Int, column: Int) -> Cell { cells[index(row, column)] }

    /// The width of the glyph: 1 or 2; 0 for a right half.
    func width(row: Int, column: Int) -> Int {
        if self[row, column].glyph.isEmpty { return 0 }
        return column + 1 < columns && self[row, column + 1].glyph.isEmpty ? 2 : 1
    }

    /// Writes from `column`, at most `width` columns and not beyond the edge; ignores rows outside.
    /// - Returns: the columns written.
    @discardableResult
    mutating func write(_ text: String, row: Int, column: Int, width: Int = .max, style: Style = .plain) -> Int {
        guard rows > row, row >= 0, column >= 0 else { return 0 }
        let end = min(columns, width > columns ? columns : column + width)
        var place = column
        if style.isSelected, focus?.row != row { focus = Position(row: row, column: left + column) }
        for glyph in CellText.glyphs(of: text) {
            guard place + glyph.columns <= end else { break }
            set(glyph.text, row, place, style)
            if glyph.columns == 2 { set("", row, place + 1, style) }
            place += glyph.columns
        }
        return place - column
    }

    /// The text of the row, without right halves: as wide on a terminal as the grid.
    func text(row: Int) -> String {
        cells[index(row, 0)..<index(row, columns)].reduce(into: "") { $0 += $1.glyph }
    }

    /// Draws in some of the columns: to `draw` the grid has only these.
    mutating func draw(columns range: Range<Int>, _ draw: (inout Grid) -> Void) {
        let whole = (left, columns)
        left += range.lowerBound
        columns = min(range.upperBound, columns) - range.lowerBound
        draw(&self)
        (left, columns) = whole
    }

    /// Draws all of it in the colour of what does not matter now.
    mutating func fade() {
        for index in cells.indices { cells[index].style = .faint }
        (cursor, focus) = (nil, nil)
    }

    private func index(_ row: Int, _ column: Int) -> Int { row * width + left + column }

    private mutating func set(_ glyph: String, _ row: Int, _ column: Int, _ style: Style) {
        let index = index(row, column)
        // Overwriting half of a wide character clears both halves.
        if cells[index].glyph.isEmpty, !glyph.isEmpty, column > 0 { cells[index - 1].glyph = " " }
        if column + 1 < columns, cells[index + 1].glyph.isEmpty { cells[index + 1].glyph = " " }
        cells[index] = Cell(glyph: glyph, style: style)
    }
}
