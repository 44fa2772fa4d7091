// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The line below the list: the number of transfers by state, and their total progress.
enum TotalLine {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if let silence = state.silence {
            let text = CellText.fit(words(ofSilence: silence), width: grid.columns, mark: capabilities.glyphs.ellipsis)
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
        grid.write(sums.text, row: row, column: 0, style: state.list.tally[.failed] > 0 ? .bold : .plain)
        let barWidth = grid.columns >= 100 ? 16 : 8
        for text in figures(state.list.tally, done: sums.done, barWidth: barWidth, capabilities) {
            let width = CellWidth.of(text)
            guard used + 2 + width <= grid.columns else { continue }
            grid.write(text, row: row, column: grid.columns - width)
            return
        }
    }

    static func words(ofSilence seconds: Int) -> String { "the service has not replied for \(seconds) s" }

    /// Longest first.
    private static func figures(
        _ tally: Tally, done: Int, barWidth: Int, _ capabilities: Capabilities
    ) -> [String] {
        let separator = " \(capabilities.glyphs.separator) "
        let bytes = ByteCount.short(Double(tally.bytes)) + " of " + ByteCount.short(Double(tally.total))
        var share = Double(done) / Double(tally.count)
        var parts = ["\(done)/\(tally.count)"]
        if tally.unknownSizes > 0 {
            // Only the count is known of all.
            if tally.total > 0 { parts.append(bytes + " known") }
            if let left = tally.leastLeft { parts.append("at least \(TimeText.atLeast(left)) left") }
        } else if let fraction = tally.fraction {
            // The bytes are those of transfers that have not failed.
            share = fraction * Double(tally.count - tally[.failed]) / Double(tally.count)
            parts.append(bytes)
            if let left = tally.knownLeft {
                parts.append("\(TimeText.left(left)) left" + (tally.halted > 0 ? " + \(tally.halted) held" : ""))
            }
        }
        let bar = Bar.draw(fraction: share, width: barWidth, style: capabilities.glyphs.bar)
        let texts = (1...parts.count).reversed().map { parts.prefix($0).joined(separator: separator) }
        return texts.map { "\(bar) \($0)" } + [texts[texts.count - 1]]
    }

    /// `6 active, 8 held, 2 FAILED, 34 done`, most important first, as many as fit; and how many are done. Where the
    /// figures need the room, cancelled ones are among these, as in the view of that name.
    private static func counts(_ tally: Tally, width: Int) -> (text: String, done: Int) {
        let open = [
            (tally[.running] + tally[.verifying], "active"), (tally.held, "held"), (tally[.failed], "FAILED"),
        ]
        let (completed, cancelled) = (tally[.completed], tally[.cancelled])
        let apart = joined(open + [(completed, "done"), (cancelled, "cancelled")], width: .max)
        if cancelled > 0, CellWidth.of(apart) <= width - 40 { return (apart, completed) }
        return (joined(open + [(completed + cancelled, "done")], width: width), completed + cancelled)
    }

    private static func joined(_ counts: [(Int, String)], width: Int) -> String {
        var text = ""
        for (count, word) in counts where count > 0 {
            let longer = text + (text.isEmpty ? "" : ", ") + "\(count) \(word)"
            guard CellWidth.of(longer) <= width else { break }
            text = longer
        }
        return text
    }
}
