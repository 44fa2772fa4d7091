// SPDX-License-Identifier: MIT

import TransferModel

/// The rows of the queue.
enum QueueListView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        guard !state.visible.isEmpty else { return drawEmpty(state, in: &grid, rows: rows, capabilities) }
        let layout = RowLayout(width: grid.columns)
        let top = Viewport.top(state.top, selected: state.selectedIndex, count: state.visible.count, height: rows.count)
        for (id, row) in zip(state.visible.dropFirst(top), rows) {
            guard let transfer = state.transfers[id] else { continue }
            let line = RowPainter(transfer: transfer, layout: layout, capabilities: capabilities, now: state.now,
                                  isSelected: id == state.selection, isMarked: state.marks.contains(id))
            line.draw(in: &grid, row: row)
        }
    }

    private static func drawEmpty(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        let lines = if !state.isLoaded {
            ["Asking for the queue"]
        } else if state.order.isEmpty {
            ["Nothing in the queue.", "Press a to add a transfer, ? for help."]
        } else {
            ["Nothing matches the filter.", "Press Esc to see all \(state.order.count)."]
        }
        let first = rows.lowerBound + max(0, (rows.count - lines.count) / 2)
        for (offset, line) in lines.enumerated() where rows.contains(first + offset) {
            let text = CellText.fit(line, width: min(grid.columns, CellWidth.of(line)), mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: first + offset, column: max(0, (grid.columns - CellWidth.of(text)) / 2), style: .faint)
        }
    }
}

/// One row.
private struct RowPainter {
    let transfer: TransferSnapshot
    let layout: RowLayout
    let capabilities: Capabilities
    let now: Double
    let isSelected: Bool
    let isMarked: Bool

    private var glyphs: Glyphs { capabilities.glyphs }

    func draw(in grid: inout Grid, row: Int) {
        var column = drawLead(in: &grid, row: row)
        let isEnded = transfer.state.isEnded
        grid.write(glyphs.arrow(transfer.kind == .upload), row: row, column: column,
                   style: transfer.state == .running ? Style(colour: .cyan, attributes: .bold) : .plain)
        column += 2
        let name = CellText.fit(capabilities.shown(DisplayName.of(transfer)), width: layout.name, ellipsis: .middle,
                                mark: glyphs.ellipsis)
        grid.write(name, row: row, column: column, style: isEnded && transfer.state != .failed ? .faint : .plain)
        column += layout.name

        let style = StateText.style(of: transfer)
        func put(_ text: String, _ width: Int, _ style: Style) {
            guard width > 0 else { return }
            grid.write(text, row: row, column: column + 1, width: width, style: style)
            column += width + 1
        }
        let fraction = transfer.state == .completed ? 1 : transfer.fraction
        put(Bar.draw(fraction: fraction, width: layout.bar, style: glyphs.bar), layout.bar, style)
        put(NumberText.percent(fraction), layout.percent, .plain)
        put(layout.state >= 9 ? StateText.word(transfer.state) : StateText.short(transfer.state), layout.state, style)
        if let reason {
            put(CellText.fit(reason, width: layout.tail, mark: glyphs.ellipsis), layout.tail, style)
        } else {
            drawFigures(put)
        }
        if isSelected { grid.add(.reverse, row: row) }
    }

    private func drawLead(in grid: inout Grid, row: Int) -> Int {
        if layout.lead == 1 {
            grid.write(isMarked ? glyphs.mark : isSelected ? glyphs.cursor : " ", row: row, column: 0, style: .key)
        } else {
            grid.write(isSelected ? glyphs.cursor : " ", row: row, column: 0, style: .key)
            grid.write(isMarked ? glyphs.mark : " ", row: row, column: 1, style: .key)
        }
        return layout.lead
    }

    /// Shown in the place of speed and time by what has neither.
    private var reason: String? {
        guard layout.tail > 0, transfer.state != .running, transfer.state != .completed else { return nil }
        if let question = StateText.question(transfer) { return question }
        let isNarrow = layout.tail < 14
        if isNarrow, transfer.state != .retrying, transfer.state != .waiting || transfer.waitingSince == nil { return nil }
        guard var text = StateText.reason(transfer, now: now, columns: layout.tail, separator: glyphs.separator) else { return nil }
        // Messages begin with the host; in a row, what happened there matters more.
        if transfer.state != .waiting, let host = try? TransferURL(transfer.url).authority, let range = text.firstRange(of: host + ": ") {
            text.removeSubrange(range)
        }
        return capabilities.shown(text)
    }

    private func drawFigures(_ put: (String, Int, Style) -> Void) {
        let isRunning = transfer.state == .running
        let whole = transfer.total ?? (transfer.state == .completed ? transfer.bytes : nil)
        let isSizeElsewhere = layout.size == 0 && transfer.state == .completed
        let rate = isRunning ? NumberText.rate(transfer.rate) : isSizeElsewhere ? size(whole) : ""
        put(NumberText.right(rate, layout.rate), layout.rate, .plain)
        put(NumberText.right(isRunning ? TimeSpan.short(transfer.eta) : "", layout.eta), layout.eta, .plain)
        let there = transfer.state == .completed || transfer.bytes == 0 ? "" : size(transfer.bytes) + "/"
        put(NumberText.right(there + size(whole), layout.size), layout.size, .faint)
    }

    private func size(_ bytes: Int64?) -> String { bytes.map { ByteCount.short(Double($0)) } ?? "?" }
}
