// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Draws the heading of a group into one row: its name, and the totals of its members in the columns of theirs.
struct GroupRow {
    /// Columns by which members stand further right than without groups.
    static let indent = 2

    let key: String
    let tally: Tally
    let isFolded: Bool
    let layout: ColumnLayout
    let capabilities: Capabilities
    let isSelected: Bool
    /// Whether all members are.
    let isMarked: Bool
    /// The queue does not reply.
    let isStale: Bool

    private var glyphs: Glyphs { capabilities.glyphs }

    func draw(in grid: inout Grid, row: Int) {
        if isSelected { grid.write(CellText.spaces(grid.columns), row: row, column: 0, style: Style(isSelected: true)) }
        func put(_ text: String, _ column: Int, _ width: Int, _ style: Style) {
            var style = isStale ? .faint : style
            style.isSelected = isSelected
            grid.write(text, row: row, column: column, width: max(0, width), style: style)
        }
        func right(_ text: String, _ column: ColumnLayout.Column?, _ style: Style = .plain) {
            if let column { put(NumberText.right(text, column.width), column.start, column.width, style) }
        }
        if layout.lead == 1 {
            put(isMarked ? glyphs.mark : isSelected ? glyphs.cursor : " ", 0, 1, .key)
        } else {
            if isSelected { put(glyphs.cursor, 0, 1, .key) }
            if isMarked { put(glyphs.mark, 1, 1, .key) }
        }
        put(capabilities.drawn(isFolded ? "▸" : "▾"), layout.arrow, 1, .key)
        let done = "\(tally[.completed])/\(tally.count)"
        let room = layout.name.width - CellWidth.of(done) - 1
        let hasCount = room >= 10
        let name = CellText.fit(
            capabilities.shown(key), width: hasCount ? room : layout.name.width, ellipsis: .middle,
            mark: glyphs.ellipsis)
        put(name, layout.name.start, layout.name.width, .bold)
        if hasCount { put(done, layout.name.end - CellWidth.of(done), CellWidth.of(done), .faint) }
        right(tally.total > 0 ? ByteCount.short(Double(tally.total)) : "?", layout.size)
        if let column = layout.bar {
            let bar = Bar.draw(fraction: tally.progress, width: column.width, style: glyphs.bar)
            put(bar, column.start, column.width, style)
        }
        right(NumberText.percent(tally.progress), layout.percent)
        let rate = tally.rateDown + tally.rateUp
        let words = GroupText.states(tally)
        let tail = layout.tail(hasBar: true)
        let place = [layout.state, layout.left].compactMap { $0?.start }.first {
            ((tail.starts.last ?? tail.end)..<tail.end).contains($0)
        }
        // In a narrow window the rate, unless something has failed.
        let hasRate = rate > 0 && (place != nil || tally[.failed] == 0)
        if hasRate { right(ByteCount.short(Double(rate)) + "/s", layout.rate) }
        guard let start = place ?? (hasRate ? nil : layout.rate?.start ?? tail.starts.last) else { return }
        let text = words.first { CellWidth.of($0) <= tail.end - start } ?? words.last ?? ""
        put(capabilities.drawn(text), start, tail.end - start, style)
    }

    private var style: Style {
        if tally[.failed] > 0 { return .failure }
        if tally.problems > 0 { return .warning }
        if tally[.running] + tally[.verifying] > 0 { return .moving }
        return tally[.completed] == tally.count ? .done : .faint
    }
}
