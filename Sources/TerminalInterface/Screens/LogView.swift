// SPDX-License-Identifier: MIT

/// The log: time and text, the newest at the bottom.
enum LogView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        let entries = state.logEntries
        guard !entries.isEmpty else {
            let text =
                state.filter.isEmpty ? "Nothing has happened since this screen was opened." : "No line has these words."
            grid.write(
                CellText.fit(text, width: grid.columns, mark: capabilities.glyphs.ellipsis), row: rows.lowerBound,
                column: 0, style: .faint)
            return
        }
        let end = max(0, entries.count - state.logBack)
        let shown = entries[max(0, end - rows.count)..<end]
        let isNarrow = grid.columns < 40
        for (entry, row) in zip(shown, rows) {
            let time = state.clock.seconds(entry.time)
            let start = isNarrow ? 0 : grid.write(time, row: row, column: 0, style: .faint) + 2
            let sign = entry.kind == .command ? "$ " : ""
            let text = CellText.fit(
                sign + capabilities.shown(entry.text), width: max(1, grid.columns - start),
                mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row, column: start, style: style(of: entry.kind))
        }
    }

    /// `2 of 40`, or that it follows.
    static func position(_ state: InterfaceState) -> String {
        let count = state.logEntries.count
        guard count > 0 else { return "" }
        return state.logBack == 0 ? "\(count) lines, follows" : "\(count - state.logBack)/\(count)"
    }

    private static func style(of kind: EventLog.Kind) -> Style {
        switch kind {
        case .event: .plain
        case .note: .faint
        case .command: .key
        case .failure: Style(role: .failed)
        case .error: .failure
        }
    }
}
