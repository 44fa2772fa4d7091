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
    let pen: RowPen
    /// The key that unfolds a group.
    let unfold: String

    private var layout: ColumnLayout { pen.layout }

    func draw(in grid: inout Grid) {
        pen.begin(&grid)
        pen.put(pen.capabilities.drawn(isFolded ? "▸" : "▾"), at: layout.glyph, width: 1, .key, &grid)
        if key == ListingSpec.finished { return drawFinished(&grid) }
        let done = "\(tally[.completed])/\(tally.count)"
        let room = layout.name.width - CellWidth.of(done) - 1
        var name = layout.name
        if room >= 10 {
            name.width = room
            pen.right(done, .init(start: name.end, width: layout.name.end - name.end), .faint, &grid)
        }
        pen.put(Grouping.title(of: key), name, .bold, cut: .middle, &grid)
        pen.right(tally.total > 0 ? ByteCount.short(Double(tally.total)) : nil, layout.size, .plain, &grid)
        let rate = tally.rateDown + tally.rateUp
        let states = GroupText.states(tally)
        let rated = rate > 0 ? states.map { "\(ByteCount.short(Double(rate)))/s  \($0)" } : []
        let reason = RowText(texts: rated + states, style: style)
        guard layout.bar != nil, let progress = tally.progress, progress < 1 else { return pen.reason(reason, &grid) }
        pen.progress(progress, style, beside: reason, &grid) {
            Bar.parts(fraction: progress, width: $0, style: pen.capabilities.glyphs.bar)
        }
    }

    /// One line for all that has finished.
    private func drawFinished(_ grid: inout Grid) {
        pen.put(GroupText.states(tally)[0], layout.name, .faint, &grid)
        pen.right(tally.total > 0 ? ByteCount.short(Double(tally.total)) : nil, layout.size, .faint, &grid)
        if isFolded { pen.reason(RowText(texts: ["\(unfold) unfolds"], style: .faint), &grid) }
    }

    private var style: Style {
        if tally[.failed] > 0 { return .failure }
        if tally.problems > 0 { return .warning }
        if tally[.running] + tally[.verifying] > 0 { return .moving }
        return tally[.completed] == tally.count ? .done : .faint
    }
}
