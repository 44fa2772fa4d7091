// SPDX-License-Identifier: MIT

import TransferModel

/// The line below the list: the number of transfers in each state, and their total progress.
enum TotalLineView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if let silence = state.silence {
            let text = CellText.fit(words(ofSilence: silence), width: grid.columns, mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row, column: 0, style: .failure)
            return
        }
        let tally = state.tally
        guard tally.count > 0 else { return }
        let figures = figures(tally, columns: grid.columns, capabilities)
        let start = max(0, grid.columns - CellWidth.of(figures))
        grid.write(counts(tally, width: start - 1), row: row, column: 0, style: .bold)
        grid.write(figures, row: row, column: start)
    }

    static func words(ofSilence seconds: Int) -> String { "the service has not replied for \(seconds) s" }

    /// Bar, share, rates and time, as far as the counts leave space.
    private static func figures(_ tally: Tally, columns: Int, _ capabilities: Capabilities) -> String {
        let glyphs = capabilities.glyphs
        let rates =
            glyphs.down + NumberText.right(NumberText.rate(Double(tally.rateDown)), 7) + " "
            + glyphs.up + NumberText.right(NumberText.rate(Double(tally.rateUp)), 7)
        // Some sizes are unknown: the share is of the known ones.
        let percent = String(NumberText.percent(tally.fraction).drop { $0 == " " })
        let share = NumberText.right((tally.unknownSizes > 0 && tally.fraction != nil ? "~" : "") + percent, 5)
        let eta = NumberText.right(TimeSpan.short(tally.eta), 7)
        let barWidth = columns >= 100 ? min(40, columns / 6) : 12
        let bar = Bar.draw(fraction: tally.fraction, width: barWidth, style: glyphs.bar)
        return switch columns {
        case 76...: "\(bar)\(share) \(rates) \(eta)"
        case 56...: "\(share) \(rates) \(eta)"
        case 44...: "\(share) \(rates)"
        case 34...: rates
        default: share
        }
    }

    /// `3 running, 2 queued`, most important first; in short words if the long ones do not fit, and then as many as
    /// fit.
    private static func counts(_ tally: Tally, width: Int) -> String {
        let order: [TransferState] = [
            .running, .verifying, .failed, .waiting, .retrying, .paused, .queued, .completed, .cancelled,
        ]
        let present = order.filter { tally[$0] > 0 }
        let long = present.map { "\(tally[$0]) \(StateText.word($0))" }.joined(separator: ", ")
        if CellWidth.of(long) <= width { return long }
        var text = ""
        for state in present {
            let longer = text + (text.isEmpty ? "" : ", ") + "\(tally[state]) \(StateText.short(state))"
            guard CellWidth.of(longer) <= width else { break }
            text = longer
        }
        return text.isEmpty ? CellText.fit("\(tally.ended)/\(tally.count)", width: max(0, width), mark: "") : text
    }
}
