// SPDX-License-Identifier: MIT

import TransferModel

/// The screen for `state`. Pure: equal arguments give equal cells.
func render(_ state: InterfaceState, columns: Int, rows: Int, capabilities: Capabilities) -> Grid {
    var grid = Grid(columns: columns, rows: rows)
    let layout = state.layout(columns: grid.columns, rows: grid.rows)
    if let row = layout.header { Frame.drawHeader(state, in: &grid, row: row, capabilities) }
    if let row = layout.views { Frame.drawViews(state, in: &grid, row: row, capabilities) }
    switch state.overlay {
    case .help:
        let lines = HelpView.lines(columns: grid.columns, state.setup.keyMap)
        CoverText.draw(lines, state, in: &grid, layout, capabilities)
    case .detail:
        let lines = DetailView.lines(of: state, columns: grid.columns, capabilities)
        CoverText.draw(lines, state, in: &grid, layout, capabilities)
    case .output(_, let lines):
        let lines = CoverText.lines(of: lines, width: grid.columns, capabilities)
        CoverText.draw(lines, state, in: &grid, layout, capabilities)
    case nil where state.list.view == .log:
        LogView.draw(state, in: &grid, rows: layout.body, capabilities)
    case nil:
        grid.draw(columns: 0..<layout.listColumns) { part in
            if let row = layout.headings { TransferList.drawHeadings(state, in: &part, row: row, capabilities) }
            TransferList.draw(state, in: &part, rows: layout.list, capabilities)
        }
        if let row = layout.why { WhyText.draw(state, in: &grid, row: row, capabilities) }
        if let pane = layout.pane {
            grid.draw(columns: layout.paneColumns) { part in
                if layout.isPaneRight { DetailPane.drawEdge(in: &part, rows: pane.dropFirst(), capabilities) }
                DetailPane.draw(state, in: &part, rows: pane, capabilities)
            }
        }
    }
    if let row = layout.total ?? (state.silence == nil ? nil : layout.why ?? layout.bottom) {
        if layout.total == nil { grid.write(CellText.spaces(grid.columns), row: row, column: 0) }
        TotalLine.draw(state, in: &grid, row: row, capabilities)
    }
    // A notice covers no row of the list, nor of what is over it, which says below itself how long it is.
    let covered = layout.why.map { $0 + 1 } ?? layout.body.upperBound
    let free = state.overlay == nil ? layout.list.upperBound : covered
    switch state.mode {
    case .columns(let column): ColumnsView.draw(column, state, in: &grid, capabilities)
    case .palette(let palette): PaletteView.draw(palette, state, in: &grid, capabilities)
    case .prompt(let prompt):
        // The error of the typed text is above it, whole: it may cover rows of the list, which keys do not reach now.
        if let notice = state.notice, let row = layout.total ?? layout.why ?? layout.bottom.map({ $0 - 1 }) {
            let first = notice.isError ? min(free, layout.list.lowerBound) : free
            NoticeView.draw(notice, in: &grid, row: row, from: first, capabilities)
        }
        PromptLineView.draw(prompt, in: &grid, row: layout.bottom ?? 0, capabilities)
    case .list, .rowMenu, .add, .edit, .picker:
        if let notice = state.notice {
            NoticeView.draw(notice, in: &grid, row: layout.bottom ?? 0, from: free, capabilities)
        } else if state.mode.isList, let row = layout.bottom,
            layout.total ?? layout.why != nil || state.silence == nil
        {
            HintLineView.draw(state, in: &grid, row: row)
        }
    }
    if let dialog = state.formDialog { FormView.draw(dialog, in: &grid, capabilities) }
    if let menu = state.mode.rowMenu { RowMenuView.draw(menu, state, in: &grid, capabilities) }
    if let picker = state.mode.picker {
        picker.draw(
            in: &grid, title: picker.purpose == .files ? "Upload from" : "Save in", home: state.setup.homeFolder,
            clock: state.setup.clock, now: state.now, capabilities)
    }
    return grid
}

/// A line of pieces with different styles.
struct StyledLine: Hashable {
    struct Span: Hashable {
        var text: String
        var style: Style
    }

    var spans: [Span]

    init(_ text: String = "", _ style: Style = .plain) { spans = [Span(text: text, style: style)] }

    var width: Int { spans.reduce(0) { $0 + CellWidth.of($1.text) } }

    static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var line = left
        line.spans += right.spans
        return line
    }

    func write(to grid: inout Grid, row: Int, column: Int = 0) {
        var place = column
        for span in spans { place += grid.write(span.text, row: row, column: place, style: span.style) }
    }
}
