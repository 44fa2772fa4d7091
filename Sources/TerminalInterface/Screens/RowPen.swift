// SPDX-License-Identifier: MIT

import TransferModel

/// Writes into the columns of one row of the list.
struct RowPen {
    let layout: ColumnLayout
    let capabilities: Capabilities
    let row: Int
    let isSelected: Bool
    let isMarked: Bool
    /// The queue does not reply: what it last reported may be outdated.
    let isStale: Bool

    private var glyphs: Glyphs { capabilities.glyphs }

    /// The ground of a selected row, its cursor, and the mark. In a narrow window these share a cell.
    func begin(_ grid: inout Grid) {
        if isSelected { put(CellText.spaces(grid.columns), at: 0, width: grid.columns, .plain, &grid) }
        if isSelected { put(glyphs.cursor, at: 0, width: 1, .key, &grid) }
        if isMarked { put(glyphs.mark, at: layout.lead == 1 ? 0 : 1, width: 1, .key, &grid) }
    }

    func put(_ text: String, at column: Int, width: Int, _ style: Style, _ grid: inout Grid) {
        var style = isStale ? .faint : style
        style.isSelected = isSelected
        grid.write(text, row: row, column: column, width: max(0, width), style: style)
    }

    /// Cut to its column.
    func put(
        _ text: String?, _ column: ColumnLayout.Column?, _ style: Style, cut: CellText.Ellipsis = .end,
        _ grid: inout Grid
    ) {
        guard let text, let column else { return }
        let fitted = CellText.fit(
            capabilities.shown(text), width: column.width, ellipsis: cut, mark: glyphs.ellipsis)
        put(fitted, at: column.start, width: column.width, style, &grid)
    }

    /// A number, which ends with its column.
    func right(_ text: String?, _ column: ColumnLayout.Column?, _ style: Style, _ grid: inout Grid) {
        guard let text, let column else { return }
        put(
            NumberText.right(capabilities.drawn(text), column.width), at: column.start, width: column.width, style,
            &grid)
    }

    /// Where the progress would be, and the figures behind it.
    func reason(_ reason: RowText, _ grid: inout Grid) {
        guard let column = layout.reason else { return }
        let text = reason.fitting(column.width) ?? reason.texts.last ?? ""
        put(capabilities.drawn(text), column, reason.style, &grid)
    }

    /// A percentage and a bar; beside it a reason takes from the bar what it lacks.
    /// - Parameter parts: of a bar of so many columns.
    func progress(
        _ fraction: Double, _ style: Style, beside reason: RowText? = nil, _ grid: inout Grid,
        parts: (Int) -> Bar.Parts?
    ) {
        guard let state = layout.state else { return }
        put(NumberText.percent(min(fraction, 0.99)).suffix(3).description, at: state.start, width: 3, .plain, &grid)
        guard var bar = layout.bar else { return }
        if let reason, let figures = layout.figures, let end = layout.reason?.end {
            let text = reason.fitting(end - bar.start - ColumnLayout.leastBar - 1) ?? reason.texts.last ?? ""
            let start = max(bar.start, min(figures, end - CellWidth.of(text)))
            let place = ColumnLayout.Column(start: start, width: end - start)
            put(capabilities.drawn(text), place, reason.style, &grid)
            bar.width = min(bar.width, start - 1 - bar.start)
        }
        guard let parts = parts(bar.width) else { return }
        var place = bar.start
        for (text, style) in [(parts.done, style), (parts.sent, style), (parts.rest, .track)] {
            put(text, at: place, width: bar.width, style, &grid)
            place += CellWidth.of(text)
        }
    }
}
