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
        let end = entries.count - state.shownLogBack(of: entries.count)
        let shown = entries[max(0, end - rows.count)..<end]
        for (entry, row) in zip(shown, rows) {
            line(of: entry, state.clock, width: grid.columns, capabilities).write(to: &grid, row: row)
        }
    }

    /// Time and text, in a narrow window the text alone.
    static func line(
        of entry: EventLog.Entry, _ clock: LocalClock, width: Int, _ capabilities: Capabilities
    ) -> StyledLine {
        let time = time(of: entry, clock, width: width)
        let text = CellText.fit(
            text(of: entry, capabilities), width: max(1, width - CellWidth.of(time)),
            mark: capabilities.glyphs.ellipsis)
        return StyledLine(time, .faint) + StyledLine(text, style(of: entry.kind))
    }

    /// The same with the whole text, below each other.
    static func lines(
        of entry: EventLog.Entry, _ clock: LocalClock, width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        let time = time(of: entry, clock, width: width)
        let columns = CellWidth.of(time)
        let texts = CellText.wrap(text(of: entry, capabilities), width: max(1, width - columns))
        return texts.enumerated().map { index, text in
            StyledLine(index == 0 ? time : CellText.spaces(columns), .faint)
                + StyledLine(text, style(of: entry.kind))
        }
    }

    private static func time(of entry: EventLog.Entry, _ clock: LocalClock, width: Int) -> String {
        width < 40 ? "" : clock.seconds(entry.time) + "  "
    }

    private static func text(of entry: EventLog.Entry, _ capabilities: Capabilities) -> String {
        (entry.kind == .command ? "$ " : "") + capabilities.shown(entry.text)
    }

    /// `2 of 40`, or that it follows.
    static func position(_ state: InterfaceState) -> String {
        let count = state.logEntries.count
        guard count > 0 else { return "" }
        let back = state.shownLogBack(of: count)
        return back == 0 ? "\(count) lines, follows" : "\(count - back)/\(count)"
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
