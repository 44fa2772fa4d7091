// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Draws one transfer into one row.
struct TransferRow {
    let transfer: Transfer
    let layout: ColumnLayout
    let capabilities: Capabilities
    let around: RowText.Surroundings
    let isSelected: Bool
    let isMarked: Bool
    /// The queue does not reply: rates and times may be outdated.
    let isStale: Bool
    /// Columns by which arrow and name stand further right.
    var indent = 0

    private var glyphs: Glyphs { capabilities.glyphs }
    private var isEnded: Bool { transfer.state.isEnded && transfer.state != .failed }

    func draw(in grid: inout Grid, row: Int) {
        if isSelected { grid.write(CellText.spaces(grid.columns), row: row, column: 0, style: Style(isSelected: true)) }
        drawLead(in: &grid, row: row)
        let isUpload = transfer.kind == .upload
        let arrow: Style = transfer.state != .running ? .plain : isUpload ? .upload : .moving
        put(glyphs.arrow(isUpload), at: layout.arrow + indent, width: 1, arrow, &grid, row)
        let text = CellText.name(
            DisplayName.shown(transfer, hasID: layout.id != nil, capabilities), width: layout.name.width - indent,
            mark: glyphs.ellipsis)
        var name: Style = isEnded ? .faint : .plain
        name.isBold = isSelected
        put(text, at: layout.name.start + indent, width: layout.name.width - indent, name, &grid, row)
        if layout.server != nil { middle(DisplayName.server(of: transfer), layout.server, &grid, row) }
        right(size(whole), layout.size, .plain, &grid, row)
        drawProgress(&grid, row)
        drawFurtherColumns(&grid, row)
    }

    /// Those that only the user shows.
    private func drawFurtherColumns(_ grid: inout Grid, _ row: Int) {
        if layout[.folder] != nil {
            let folder = Grouping.folder.key(of: transfer, home: around.homeFolder)
            middle(folder, layout[.folder], &grid, row)
        }
        if let column = layout[.added] {
            put(around.clock.text(transfer.addedAt, now: around.now), column, .faint, &grid, row)
        }
        right(transfer.confirmed.map { size($0) } ?? "", layout[.confirmed], .plain, &grid, row)
        if let column = layout[.priority] {
            put(PriorityStep.word(transfer.priority ?? 0.5), column, .faint, &grid, row)
        }
    }

    private func middle(_ text: String?, _ column: ColumnLayout.Column?, _ grid: inout Grid, _ row: Int) {
        guard let text, let column else { return }
        let fitted = CellText.fit(
            capabilities.shown(text), width: column.width, ellipsis: .middle, mark: glyphs.ellipsis)
        put(fitted, at: column.start, width: column.width, .faint, &grid, row)
    }

    /// Of the whole file, where known.
    private var whole: Int64? { transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil) }

    private func drawLead(in grid: inout Grid, row: Int) {
        if layout.lead == 1 {
            let glyph = isMarked ? glyphs.mark : isSelected ? glyphs.cursor : " "
            put(glyph, at: 0, width: 1, .key, &grid, row)
        } else {
            if isSelected { put(glyphs.cursor, at: 0, width: 1, .key, &grid, row) }
            if isMarked { put(glyphs.mark, at: 1, width: 1, .key, &grid, row) }
        }
        right(String(transfer.id.rawValue), layout.id, .faint, &grid, row)
    }

    private func drawProgress(_ grid: inout Grid, _ row: Int) {
        let reason = RowText(transfer, around)
        let isGone = [.cancelled, .failed].contains(transfer.state) && transfer.keptBytes == 0
        let hasBar = transfer.state == .completed || transfer.bytes > 0 && transfer.fraction != nil && !isGone
        if hasBar {
            if let column = layout.bar {
                let bar = transfer.bar(width: column.width, style: glyphs.bar)
                put(bar, at: column.start, width: column.width, barStyle, &grid, row)
            }
        }
        guard let reason else { return drawFigures(hasBar: hasBar, &grid, row) }
        if hasBar, layout.bar != nil { right(percent, layout.percent, .plain, &grid, row) }
        let tail = layout.tail(hasBar: hasBar)
        let start = start(of: reason, tail)
        let width = max(0, tail.end - start)
        let text = reason.fitting(width) ?? reason.texts.last ?? ""
        let fitted = CellText.fit(shown(text), width: width, mark: glyphs.ellipsis)
        put(fitted, at: start, width: width, reason.style, &grid, row)
    }

    /// The column of a reason: where it is whole, else where most of it is; without a bar, its space is the reason's.
    private func start(of reason: RowText, _ tail: ColumnLayout.Tail) -> Int {
        let widest = tail.starts.last ?? tail.end
        let whole = CellWidth.of(reason.texts.first ?? "")
        if let fitting = tail.starts.first(where: { tail.end - $0 >= whole }) { return fitting }
        let longest = CellWidth.of(reason.fitting(tail.end - widest) ?? "")
        let state = tail.starts.first ?? widest
        return longest > 0 && longest <= tail.end - state ? state : widest
    }

    private func drawFigures(hasBar: Bool, _ grid: inout Grid, _ row: Int) {
        if hasBar {
            right(percent, layout.percent, .plain, &grid, row)
        } else if let column = layout.bar, transfer.bytes > 0 {
            // The percentage is empty, too.
            let hasPercent = layout.percent?.start == column.end + 1
            let width = hasPercent ? layout.percent.map { $0.end - column.start } ?? column.width : column.width
            put("\(size(transfer.bytes)) of ?", at: column.start, width: width, .plain, &grid, row)
        }
        right(transfer.rate.map { ByteCount.short($0) + "/s" } ?? glyphs.ellipsis, layout.rate, .plain, &grid, row)
        right(capabilities.drawn(StateText.left(transfer)), layout.left, .plain, &grid, row)
        if let limit = transfer.rateLimit, let column = layout.note {
            let text = capabilities.drawn("≤" + RateText.label(limit))
            put(CellText.fit(text, width: column.width, mark: glyphs.ellipsis), column, .faint, &grid, row)
        }
        if let column = layout.state {
            let limit = transfer.rateLimit.map { ", ≤" + RateText.label($0) } ?? ""
            let attempt = transfer.attempt > 1 ? ", attempt \(transfer.attempt)" : ""
            let text = "running" + limit + attempt
            put(capabilities.drawn(text), at: column.start, width: column.width, .faint, &grid, row)
        }
    }

    private var percent: String { NumberText.percent(transfer.shownFraction) }

    private var barStyle: Style {
        switch transfer.state {
        case .running, .verifying: transfer.kind == .upload ? .upload : .moving
        case .waiting, .retrying: .warning
        case .failed: Style(role: .failed)
        case .queued, .paused: .faint
        // Full bars of many rows are one area: the sign behind them has the colour, and what moves is heavier.
        case .completed, .cancelled: glyphs.bar == .ascii ? .faint : .ended
        }
    }

    private func put(
        _ text: String, at column: Int, width: Int, _ style: Style, _ grid: inout Grid, _ row: Int
    ) {
        var style = isStale ? .faint : style
        style.isSelected = isSelected
        if isSelected, column == layout.name.start + indent { style.isBold = true }
        grid.write(text, row: row, column: column, width: width, style: style)
    }

    private func put(
        _ text: String, _ column: ColumnLayout.Column?, _ style: Style, _ grid: inout Grid, _ row: Int
    ) {
        guard let column else { return }
        put(text, at: column.start, width: column.width, style, &grid, row)
    }

    private func right(
        _ text: String, _ column: ColumnLayout.Column?, _ style: Style, _ grid: inout Grid, _ row: Int
    ) {
        guard let column else { return }
        put(NumberText.right(text, column.width), at: column.start, width: column.width, style, &grid, row)
    }

    private func shown(_ text: String) -> String { capabilities.shown(capabilities.drawn(text)) }

    private func size(_ bytes: Int64?) -> String { bytes.map { ByteCount.short(Double($0)) } ?? "?" }
}
