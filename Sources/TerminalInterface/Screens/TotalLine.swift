// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The line below the list: the number of transfers by state, and their total progress.
enum TotalLine {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if let outage = state.outage {
            let text = CellText.fit(
                capabilities.shown(outage), width: grid.columns, mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row, column: 0, style: .failure)
            return
        }
        guard state.list.tally.count > 0 else { return }
        guard state.list.isLoaded else {
            grid.write("Loading the whole list", row: row, column: 0, width: grid.columns, style: .faint)
            return
        }
        let sums = counts(state.list.tally, width: grid.columns)
        let used = CellWidth.of(sums.text)
        grid.write(sums.text, row: row, column: 0)
        if let failed = StateCounts.texts([(state.list.tally[.failed], "FAILED")]).first {
            grid.write(failed, row: row, column: 0, style: .failure)
        }
        let barWidth = grid.columns >= 100 ? 16 : 8
        let (share, texts) = figures(state.list.tally, done: sums.done, capabilities)
        let bar = Bar.parts(fraction: share, width: barWidth, style: capabilities.glyphs.bar)
        let drawn = StyledLine(bar.done, .moving) + StyledLine(bar.rest + " ", .track)
        let lines = texts.map { drawn + StyledLine($0) } + texts.suffix(1).map { StyledLine($0) }
        guard let line = lines.first(where: { used + 2 + $0.width <= grid.columns }) else { return }
        line.write(to: &grid, row: row, column: grid.columns - line.width)
    }

    /// Seconds from which an estimate says nothing.
    private static let longest = 10 * 86_400.0

    /// How much is done, 0…1, and that in figures, longest first. Sums of a few transfers say nothing about all.
    private static func figures(
        _ tally: Tally, done: Int, _ capabilities: Capabilities
    ) -> (share: Double, texts: [String]) {
        let separator = " \(capabilities.glyphs.separator) "
        let isWhole = tally.unknownSizes == 0
        var share = Double(done) / Double(tally.count)
        var parts = ["\(done)/\(tally.count)"]
        if isWhole, let fraction = tally.fraction {
            // The bytes are those of transfers that have not failed.
            share = fraction * Double(tally.count - tally[.failed]) / Double(tally.count)
        }
        let saysMore = isWhole || tally.bytes < tally.total
        if tally.total > 0, saysMore, tally.unknownSizes <= tally.count / 2 {
            let least = isWhole ? "" : "≥"
            let (bytes, total) = (ByteCount.short(Double(tally.bytes)), ByteCount.short(Double(tally.total)))
            parts.append("\(bytes) of \(least)\(total)")
            if let left = isWhole ? tally.knownLeft : tally.leastLeft, left >= 1, left < longest {
                let halted = isWhole && tally.halted > 0 ? " + \(tally.halted) held" : ""
                parts.append((isWhole ? TimeText.left(left) : "≥" + TimeText.atLeast(left)) + " left" + halted)
            }
        }
        let texts = (1...parts.count).reversed().map { parts.prefix($0).joined(separator: separator) }
        return (share, texts.map(capabilities.drawn))
    }

    /// `2 FAILED  6 active  3 queued  34 done`, as many as leave room for the shortest figures; and how many are done.
    /// Where these need the room, cancelled ones are among the done, as in the view of that name.
    private static func counts(_ tally: Tally, width: Int) -> (text: String, done: Int) {
        let open = StateCounts.texts([(tally[.failed], "FAILED")]) + StateCounts.unfinished(tally)
        let (completed, cancelled) = (tally[.completed], tally[.cancelled])
        let apart = joined(open + StateCounts.texts([(completed, "done"), (cancelled, "cancelled")]), width: .max)
        if cancelled > 0, CellWidth.of(apart) <= width - 40 { return (apart, completed) }
        let done = completed + cancelled
        let room = width - 2 - "\(done)/\(tally.count)".count
        return (joined(open + StateCounts.texts([(done, "done")]), width: room), done)
    }

    private static func joined(_ counts: [String], width: Int) -> String {
        counts.reduce(into: "") { text, count in
            let longer = text.isEmpty ? count : text + "  " + count
            if CellWidth.of(longer) <= width { text = longer }
        }
    }
}
