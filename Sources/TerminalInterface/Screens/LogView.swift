// SPDX-License-Identifier: MIT

/// The log: time and text, the newest at the bottom.
enum LogView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        let entries = state.logEntries
        guard !entries.isEmpty else {
            let text =
                state.list.filter.isEmpty
                ? "Nothing has happened since this screen was opened." : "No line has these words."
            grid.write(
                CellText.fit(text, width: grid.columns, mark: capabilities.glyphs.ellipsis), row: rows.lowerBound,
                column: 0, style: .faint)
            return
        }
        let end = entries.count - state.logWindow.back(state.logScroll)
        var (first, next) = (end, end)
        var shown: [StyledLine] = []
        let width = grid.columns
        while first > 0, shown.count < rows.count {
            first -= 1
            shown = lines(of: entries[first], state.setup.clock, width: width, rows: rows.count, capabilities) + shown
        }
        shown = Array(shown.suffix(rows.count))
        // From the oldest one on, those that follow fill the screen.
        while next < entries.count, shown.count < rows.count {
            shown += lines(of: entries[next], state.setup.clock, width: width, rows: rows.count, capabilities)
            next += 1
        }
        for (line, row) in zip(shown, rows) { line.write(to: &grid, row: row) }
    }

    /// Of an entry; more are cut.
    static let mostLines = 6

    /// Time and text, in a narrow window the text alone, on as many lines as the text needs.
    /// - Parameter rows: of the window: the beginning of each entry must be seen.
    static func lines(
        of entry: EventLog.Entry, hasTitle: Bool = true, _ clock: LocalClock, width: Int, rows: Int = mostLines,
        _ capabilities: Capabilities
    ) -> [StyledLine] {
        let time = time(of: entry, clock, width: width)
        let columns = CellWidth.of(time)
        let texts = NoticeView.lines(
            of: text(hasTitle ? entry.line : entry.text, of: entry.kind, capabilities), width: max(1, width - columns),
            most: max(1, min(mostLines, rows)), mark: capabilities.glyphs.ellipsis)
        return texts.enumerated().map { index, text in
            StyledLine(index == 0 ? time : CellText.spaces(columns), .faint)
                + StyledLine(text, style(of: entry.kind))
        }
    }

    private static func time(of entry: EventLog.Entry, _ clock: LocalClock, width: Int) -> String {
        width < 40 ? "" : clock.seconds(entry.time) + "  "
    }

    private static func text(_ text: String, of kind: EventLog.Kind, _ capabilities: Capabilities) -> String {
        (kind == .command ? "$ " : "") + capabilities.shown(capabilities.drawn(text))
    }

    /// `2/40`, or how many lines there are and, unless that `isShort`, that it follows.
    static func position(_ state: InterfaceState, isShort: Bool = false) -> String {
        let entries = state.logEntries
        let count = entries.count
        guard count > 0 else { return "" }
        let back = state.logWindow.back(state.logScroll)
        guard back == 0 else { return "\(count - back)/\(count)" }
        return "\(count) \(count == 1 ? "line" : "lines")" + (isShort ? "" : ", follows")
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
