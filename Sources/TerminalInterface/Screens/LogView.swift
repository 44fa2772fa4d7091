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
    /// The width from which lines have a time, and the one from which names and texts have columns of their own.
    private static let timesFrom = 40, columnsFrom = 70
    /// Columns of a transfer's number, and the most of its name.
    private static let idWidth = 4, mostName = 40

    /// Time, sign, transfer and text; the text on as many lines as it needs.
    /// - Parameter rows: of the window: the beginning of each entry must be seen.
    static func lines(
        of entry: EventLog.Entry, hasTitle: Bool = true, _ clock: LocalClock, width: Int, rows: Int = mostLines,
        _ capabilities: Capabilities
    ) -> [StyledLine] {
        let sign = Self.sign(of: entry)
        var head = StyledLine(width < timesFrom ? "" : clock.seconds(entry.time) + "  ", .faint)
        if let sign { head = head + StyledLine(capabilities.drawn(sign.text) + " ", sign.style) }
        if sign == nil, width >= timesFrom { head = head + StyledLine("  ") }
        var text = entry.text
        if hasTitle, let title = entry.title {
            if width >= columnsFrom {
                head = head + StyledLine(self.title(title, width: width, capabilities) + "  ")
            } else {
                text = "\(title): \(text)"
            }
        }
        let columns = head.width
        let texts = NoticeView.lines(
            of: capabilities.shown(capabilities.drawn(text)), width: max(1, width - columns),
            most: max(1, min(mostLines, rows)), mark: capabilities.glyphs.ellipsis)
        return texts.enumerated().map { index, text in
            (index == 0 ? head : StyledLine(CellText.spaces(columns))) + StyledLine(text, style(of: entry.kind))
        }
    }

    /// The number ends, and the name begins, in line.
    private static func title(_ title: String, width: Int, _ capabilities: Capabilities) -> String {
        let id = title.prefix { $0 != " " }
        let name = CellText.name(
            capabilities.shown(String(title.dropFirst(id.count + 1))), width: min(mostName, (width - 14) * 2 / 5),
            mark: capabilities.glyphs.ellipsis)
        return "\(NumberText.right(String(id), idWidth)) \(name)"
    }

    private static func sign(of entry: EventLog.Entry) -> (text: String, style: Style)? {
        switch entry.kind {
        case .command: ("$", .key)
        case .error: ("✗", .failure)
        case .event, .note, .failure: entry.sign.map { (String($0.character), $0.style) }
        }
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
        case .command: .moving
        case .failure: Style(role: .failed)
        case .error: .failure
        }
    }
}
