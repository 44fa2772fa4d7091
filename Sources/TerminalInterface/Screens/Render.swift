// SPDX-License-Identifier: MIT

import TransferModel

/// The screen for `state`. Pure: equal arguments give equal cells.
/// - Parameter backdrop: what is behind a dialog, if it was drawn before, by the function of that name.
func render(
    _ state: InterfaceState, columns: Int, rows: Int, capabilities: Capabilities, over backdrop: Grid? = nil
) -> Grid {
    let layout = state.layout(columns: max(1, columns), rows: max(1, rows))
    if state.hasDialog {
        let size = (max(1, columns), max(1, rows))
        var grid =
            backdrop.flatMap { ($0.columns, $0.rows) == size ? $0 : nil }
            ?? TerminalInterface.backdrop(state, columns: columns, rows: rows, capabilities: capabilities)
        drawSilence(state, in: &grid, layout, capabilities)
        drawDialog(state, in: &grid, capabilities)
        if let notice = state.notice { drawNotice(notice, in: &grid, layout, from: layout.why, capabilities) }
        return grid
    }
    var grid = Grid(columns: columns, rows: rows)
    drawList(state, in: &grid, layout, capabilities)
    drawSilence(state, in: &grid, layout, capabilities)
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
    case .help(let menu): HelpView.draw(menu, state, in: &grid, capabilities)
    case .list, .rowMenu, .add, .edit, .picker:
        if let notice = state.notice {
            drawNotice(notice, in: &grid, layout, from: free, capabilities)
        } else if state.mode.isList, let row = layout.bottom,
            layout.total ?? layout.why != nil || state.outage == nil
        {
            HintLineView.draw(state, in: &grid, row: row)
        }
    }
    if let menu = state.mode.rowMenu { RowMenuView.draw(menu, state, in: &grid, capabilities) }
    return grid
}

/// What stands behind a dialog as long as that is open: the screen without colours, and still. Words that keep moving
/// beside a frame, cut by it, would draw the eye.
func backdrop(_ state: InterfaceState, columns: Int, rows: Int, capabilities: Capabilities) -> Grid {
    var grid = Grid(columns: columns, rows: rows)
    drawList(state, in: &grid, state.layout(columns: grid.columns, rows: grid.rows), capabilities)
    grid.fade()
    return grid
}

extension InterfaceState {
    /// Whether a form or a picker is open.
    var hasDialog: Bool { mode.addForm != nil || mode.editForm != nil }
}

/// The first lines, and the list or what covers it.
private func drawList(
    _ state: InterfaceState, in grid: inout Grid, _ layout: ScreenLayout, _ capabilities: Capabilities
) {
    if let row = layout.header { Frame.drawHeader(state, in: &grid, row: row, capabilities) }
    if let row = layout.views { Frame.drawViews(state, in: &grid, row: row, capabilities) }
    switch state.overlay {
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
    if state.outage == nil, let row = layout.total { TotalLine.draw(state, in: &grid, row: row, capabilities) }
}

/// A service that does not reply is reported in every window.
private func drawSilence(
    _ state: InterfaceState, in grid: inout Grid, _ layout: ScreenLayout, _ capabilities: Capabilities
) {
    guard state.outage != nil, let row = layout.total ?? layout.why ?? layout.bottom else { return }
    grid.write(CellText.spaces(grid.columns), row: row, column: 0)
    TotalLine.draw(state, in: &grid, row: row, capabilities)
}

private func drawNotice(
    _ notice: Notice, in grid: inout Grid, _ layout: ScreenLayout, from first: Int?, _ capabilities: Capabilities
) {
    let row = layout.bottom ?? 0
    grid.write(CellText.spaces(grid.columns), row: row, column: 0)
    NoticeView.draw(notice, in: &grid, row: row, from: first ?? row, capabilities)
}

private func drawDialog(_ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities) {
    if let picker = state.mode.picker {
        picker.draw(
            in: &grid, title: picker.purpose == .files ? "Upload from" : "Save in", home: state.setup.homeFolder,
            clock: state.setup.clock, now: state.now, capabilities)
    } else if let dialog = state.formDialog {
        FormView.draw(dialog, in: &grid, capabilities)
    }
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
