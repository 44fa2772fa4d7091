// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// A row of the history: when it ended, name, size, result.
struct HistoryRow {
    private static let ended = 10, size = 5
    /// The widths from which size and server are shown, and that of the server.
    private static let sizeFrom = 50, serverFrom = 100, server = 20

    let transfer: Transfer
    let capabilities: Capabilities
    let around: RowText.Surroundings
    let isSelected: Bool
    let isMarked: Bool

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

    func draw(in grid: inout Grid, row: Int) {
        let columns = Columns(width: grid.columns)
        let glyphs = capabilities.glyphs
        if isSelected { grid.write(CellText.spaces(grid.columns), row: row, column: 0, style: Style(isSelected: true)) }
        func put(_ text: String, _ column: Int, _ width: Int, _ role: Style.Role, isBold: Bool = false) {
            let style = Style(role: role, isBold: isBold, isSelected: isSelected)
            grid.write(
                CellText.fit(text, width: max(0, min(width, CellWidth.of(text))), mark: glyphs.ellipsis), row: row,
                column: column, style: style)
        }
        if isSelected { put(glyphs.cursor, 0, 1, .key) }
        if isMarked { put(glyphs.mark, 1, 1, .key) }
        if let end = transfer.endedAt { put(around.clock.text(end, now: around.now), 2, Self.ended, .faint) }
        put(glyphs.arrow(transfer.kind == .upload), columns.name.start - 2, 1, .plain)
        let name = CellText.name(
            DisplayName.shown(transfer, hasID: false, capabilities), width: columns.name.width, mark: glyphs.ellipsis)
        put(name, columns.name.start, columns.name.width, .plain, isBold: isSelected)
        if let server = columns.server, let host = DisplayName.server(of: transfer) {
            put(capabilities.shown(host), server.start, server.width, .faint)
        }
        if let size = columns.size {
            let bytes = transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil)
            let text = bytes.map { ByteCount.short(Double($0)) } ?? "?"
            put(NumberText.right(text, size.width), size.start, size.width, .plain)
        }
        let (text, role) = result(columns.result.width)
        put(capabilities.shown(capabilities.drawn(text)), columns.result.start, columns.result.width, role)
    }

    /// Without the time of the end, which has a column.
    private func result(_ width: Int) -> (String, Style.Role) {
        if transfer.state == .completed, let text = RowText.taken(transfer) { return ("✓ " + text, .done) }
        guard let text = RowText(transfer, around) else { return (transfer.state.rawValue, .plain) }
        return (text.fitting(width) ?? text.texts.last ?? "", text.style.role)
    }
}
