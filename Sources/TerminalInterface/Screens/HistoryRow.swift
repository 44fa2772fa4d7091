// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A row of the history: when it ended, name, size, result.
struct HistoryRow {
    private static let ended = 10, size = 5
    /// The widths from which size and server are shown, and that of the server.
    private static let sizeFrom = 50, serverFrom = 100, server = 20

    let transfer: Transfer
    let pen: RowPen
    let around: RowText.Surroundings

    private struct Columns {
        var name: ColumnLayout.Column
        var server: ColumnLayout.Column?
        var size: ColumnLayout.Column?
        var result: ColumnLayout.Column

        init(width: Int) {
            let start = 2 + HistoryRow.ended + 1 + 2
            let resultWidth = min(40, max(8, (width - start) * 2 / 5))
            var end = width - resultWidth
            result = .init(start: end, width: resultWidth)
            if width >= HistoryRow.sizeFrom {
                end -= HistoryRow.size + 1
                size = .init(start: end, width: HistoryRow.size)
            }
            if width >= HistoryRow.serverFrom {
                end -= HistoryRow.server + 1
                server = .init(start: end, width: HistoryRow.server)
            }
            name = .init(start: start, width: max(1, end - 1 - start))
        }
    }

    /// - Parameter order: `nil`: the latest first.
    static func drawHeadings(_ order: ListOrder?, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let columns = Columns(width: grid.columns)
        func put(_ title: String, _ key: ListOrder.Key, _ column: ColumnLayout.Column, isRight: Bool = false) {
            let arrow = order.flatMap { $0.key == key ? TransferList.arrow($0) : nil } ?? ""
            let label = capabilities.drawn(title + arrow)
            let text = isRight ? NumberText.right(label, column.width) : label
            grid.write(text, row: row, column: column.start, style: arrow.isEmpty ? .faint : .key)
        }
        grid.write(capabilities.drawn(order == nil ? "ENDED ▾" : "ENDED"), row: row, column: 2, style: .faint)
        put("NAME", .name, columns.name)
        if let server = columns.server { put("SERVER", .server, server) }
        if let size = columns.size { put("SIZE", .size, size, isRight: true) }
        grid.write("RESULT", row: row, column: columns.result.start, width: columns.result.width, style: .faint)
    }

    func draw(in grid: inout Grid) {
        let columns = Columns(width: grid.columns)
        let capabilities = pen.capabilities
        pen.begin(&grid)
        let ended = transfer.endedAt.map { around.clock.text($0, now: around.now) }
        pen.put(ended, .init(start: 2, width: Self.ended), .faint, &grid)
        let glyph = StateGlyph(transfer, now: around.now)
        pen.put(capabilities.glyphs[glyph.character], at: columns.name.start - 2, width: 1, glyph.style, &grid)
        let name = CellText.name(
            DisplayName.shown(transfer, hasID: false, capabilities), width: columns.name.width,
            mark: capabilities.glyphs.ellipsis)
        let style = Style(isBold: pen.isSelected)
        pen.put(name, at: columns.name.start, width: columns.name.width, style, &grid)
        pen.put(DisplayName.server(of: transfer), columns.server, .faint, &grid)
        let bytes = transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil)
        pen.right(bytes.map { ByteCount.short(Double($0)) }, columns.size, .plain, &grid)
        let (text, resultStyle) = result(columns.result.width)
        pen.put(capabilities.drawn(text), columns.result, resultStyle, &grid)
    }

    /// Without the time of the end, which has a column.
    private func result(_ width: Int) -> (String, Style) {
        if transfer.state == .completed { return (RowText.taken(transfer).map { "in \($0)" } ?? "done", .faint) }
        guard let text = RowText(transfer, around) else { return (transfer.state.rawValue, .plain) }
        return (text.fitting(width) ?? text.texts.last ?? "", text.style)
    }
}
