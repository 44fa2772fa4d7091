// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Draws one transfer into one row.
struct TransferRow {
    let transfer: Transfer
    let pen: RowPen
    let around: RowText.Surroundings
    /// Its state is bold for a moment.
    var isFresh = false
    /// Columns by which glyph and name stand further right.
    var indent = 0

    private var layout: ColumnLayout { pen.layout }
    private var capabilities: Capabilities { pen.capabilities }

    func draw(in grid: inout Grid) {
        pen.begin(&grid)
        pen.right(String(transfer.id.rawValue), layout.id, .faint, &grid)
        var glyph = StateGlyph(transfer, now: around.now)
        if isFresh { glyph.style.isBold = true }
        pen.put(capabilities.glyphs[glyph.character], at: layout.glyph + indent, width: 1, glyph.style, &grid)
        drawName(&grid)
        pen.put(DisplayName.server(of: transfer), layout.server, .faint, cut: .middle, &grid)
        pen.right(
            size(transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil)), layout.size, .plain, &grid)
        drawState(&grid)
        drawFurtherColumns(&grid)
    }

    private func drawName(_ grid: inout Grid) {
        let width = layout.name.width - indent
        let shown = DisplayName.shown(transfer, hasID: layout.id != nil, capabilities)
        let hasEnded = transfer.state == .completed || transfer.state == .cancelled
        var style: Style = hasEnded ? .faint : .plain
        style.isBold = pen.isSelected
        pen.put(
            CellText.name(shown, width: width, mark: capabilities.glyphs.ellipsis), at: layout.name.start + indent,
            width: width, style, &grid)
    }

    private func drawState(_ grid: inout Grid) {
        var reason = RowText(transfer, around)
        if isFresh { reason?.style.isBold = true }
        let isRunning = transfer.state == .running
        let hasBar = transfer.fraction != nil && (isRunning || transfer.bytes > 0)
        if let reason, !(reason.isBesideBar && hasBar && layout.bar != nil) { return pen.reason(reason, &grid) }
        if let fraction = transfer.shownFraction, hasBar {
            pen.progress(fraction, barStyle, beside: reason, &grid) {
                transfer.bar(width: $0, style: capabilities.glyphs.bar)
            }
        } else if layout.bar != nil {
            let bytes = transfer.bytes > 0 ? size(transfer.bytes).map { "\($0) of ?" } : nil
            pen.put(bytes, layout.state, .plain, &grid)
        }
        if reason == nil { drawFigures(&grid) }
    }

    private var barStyle: Style {
        guard transfer.state == .running else { return .faint }
        return transfer.kind == .upload ? .upload : .moving
    }

    /// A limit of its own stands before the rate, unless it has a column.
    private func drawFigures(_ grid: inout Grid) {
        let limit = transfer.rateLimit.map { "≤" + RateText.label($0) }
        let rate = transfer.rate.map { ByteCount.short($0) + "/s" } ?? "…"
        pen.right((limit != nil && layout.limit == nil ? "≤" : "") + rate, layout.rate, .plain, &grid)
        pen.right(StateText.left(transfer), layout.left, .plain, &grid)
        pen.put(limit.map(capabilities.drawn), layout.limit, .faint, &grid)
    }

    /// Those that only the user shows.
    private func drawFurtherColumns(_ grid: inout Grid) {
        if layout[.folder] != nil {
            let folder = Grouping.folder.key(of: transfer, home: around.homeFolder)
            pen.put(folder, layout[.folder], .faint, cut: .middle, &grid)
        }
        pen.put(around.clock.text(transfer.addedAt, now: around.now), layout[.added], .faint, &grid)
        pen.right(transfer.confirmed.map { ByteCount.short(Double($0)) }, layout[.confirmed], .plain, &grid)
        pen.put(PriorityStep.word(transfer.priority ?? 0.5), layout[.priority], .faint, &grid)
    }

    /// Unknown sizes are blank, unless bytes move.
    private func size(_ bytes: Int64?) -> String? {
        bytes.map { ByteCount.short(Double($0)) } ?? (transfer.state == .running ? "?" : nil)
    }
}
