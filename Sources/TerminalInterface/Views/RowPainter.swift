// SPDX-License-Identifier: MIT

import TransferModel

/// One row of the queue.
struct RowPainter {
    let transfer: Transfer
    let layout: RowLayout
    let capabilities: Capabilities
    let now: Double
    let words: InterfaceWords
    let isSelected: Bool
    let isMarked: Bool
    /// Whether the data may be outdated; then all of it is dimmed.
    let isStale: Bool

    private var glyphs: Glyphs { capabilities.glyphs }

    func draw(in grid: inout Grid, row: Int) {
        var column = drawLead(in: &grid, row: row)
        let name = capabilities.shown(DisplayName.of(transfer))
        let reason = RowReason(
            transfer, name: name, nameColumns: layout.name, room: grid.columns - column - 2, now: now,
            words: words, capabilities: capabilities)
        drawName(name, width: reason?.name ?? layout.name, in: &grid, row: row, column: &column)
        let state = shown(StateText.style(of: transfer))
        func put(_ text: String, _ width: Int, _ style: Style) {
            guard width > 0 else { return }
            grid.write(text, row: row, column: column + 1, width: width, style: shown(style))
            column += width + 1
        }
        if let reason {
            column += grid.write(reason.percent, row: row, column: column, style: shown(.plain))
            return put(reason.text, grid.columns - column - 1, state)
        }
        let fraction = transfer.state == .completed ? 1 : transfer.fraction
        put(Bar.draw(fraction: fraction, width: layout.bar, style: glyphs.bar), layout.bar, state)
        put(NumberText.percent(fraction), layout.percent, .plain)
        put(layout.state >= 9 ? StateText.word(transfer.state) : StateText.short(transfer.state), layout.state, state)
        drawFigures(put)
    }

    /// Arrow and name. In the selected row they are drawn in reverse; a bar never is, since reversing would invert its
    /// meaning.
    private func drawName(_ name: String, width: Int, in grid: inout Grid, row: Int, column: inout Int) {
        let isFaint = transfer.state.isEnded && transfer.state != .failed
        let arrow = transfer.state == .running ? Style(colour: .cyan, attributes: .bold) : .plain
        let text = CellText.fit(name, width: width, ellipsis: .middle, mark: glyphs.ellipsis)
        let selected = Style(attributes: [.reverse, .bold])
        column += grid.write(
            glyphs.arrow(transfer.kind == .upload) + " ", row: row, column: column,
            style: isSelected ? selected : shown(arrow))
        grid.write(text, row: row, column: column, style: isSelected ? selected : shown(isFaint ? .faint : .plain))
        column += width
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

    private func shown(_ style: Style) -> Style { isStale ? .faint : style }

    private func size(_ bytes: Int64?) -> String { bytes.map { ByteCount.short(Double($0)) } ?? "?" }
}
