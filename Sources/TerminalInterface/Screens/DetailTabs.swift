// SPDX-License-Identifier: MIT

import TransferModel

/// The tabs of the details, and what each shows.
enum DetailTabs {
    /// `[Info]  Attempts 2  Log  Pieces  Headers`; where that does not fit, the one that is shown.
    static func titles(of transfer: Transfer, _ tab: DetailTab, room: Int) -> String {
        let line = texts(of: transfer, tab).joined(separator: "  ")
        return CellWidth.of(line) <= room ? line : "[\(tab.title)]"
    }

    /// The tab whose title is at a column of ``titles(of:_:room:)``; `nil` between them.
    static func tab(at column: Int, of transfer: Transfer, _ tab: DetailTab, room: Int) -> DetailTab? {
        let texts = texts(of: transfer, tab)
        guard CellWidth.of(texts.joined(separator: "  ")) <= room else { return nil }
        var start = 0
        for (other, text) in zip(DetailTab.allCases, texts) {
            let end = start + CellWidth.of(text)
            if (start..<end).contains(column) { return other }
            start = end + 2
        }
        return nil
    }

    private static func texts(of transfer: Transfer, _ tab: DetailTab) -> [String] {
        DetailTab.allCases.map { other in
            let number = other == .attempts ? transfer.shownAttempt.map { " \($0)" } ?? "" : ""
            let title = other.title + number
            return other == tab ? "[\(title)]" : title
        }
    }

    /// - Parameter isNamed: whether the transfer's ID and name stand above.
    static func lines(
        of transfer: Transfer, _ tab: DetailTab, _ state: InterfaceState, width: Int, _ capabilities: Capabilities,
        isNamed: Bool
    ) -> [StyledLine] {
        switch tab {
        case .info: []
        case .attempts: AttemptsTab.lines(of: transfer, state.detailInfo, state, width: width, capabilities)
        case .pieces: PiecesTab.lines(of: transfer, state.detailInfo, width: width, capabilities)
        case .headers: HeadersTab.lines(of: transfer, state.detailInfo, width: width, capabilities)
        case .log: log(of: transfer, state, width: width, capabilities, isNamed: isNamed)
        }
    }

    /// The events of the transfer, the latest first.
    private static func log(
        of transfer: Transfer, _ state: InterfaceState, width: Int, _ capabilities: Capabilities, isNamed: Bool
    ) -> [StyledLine] {
        let entries = EventLog.folded(state.log.entries.filter { $0.id == transfer.id }).reversed()
        guard !entries.isEmpty else {
            let start = state.log.feed.began == nil ? "this screen was opened" : "the service began"
            return [StyledLine("nothing since \(start)", .faint)]
        }
        let title = EventLog.Entry.title(of: transfer)
        return entries.flatMap { entry in
            // Under an earlier name it has that.
            let hasTitle = !isNamed || entry.title != title
            return LogView.lines(of: entry, hasTitle: hasTitle, state.setup.clock, width: width, capabilities)
        }
    }
}
