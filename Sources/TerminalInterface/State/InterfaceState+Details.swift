// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The tabs of the details of a transfer.
enum DetailTab: Int, Sendable, CaseIterable {
    case info, attempts, log, pieces, headers

    var title: String {
        switch self {
        case .info: "Info"
        case .attempts: "Attempts"
        case .log: "Log"
        case .pieces: "Pieces"
        case .headers: "Headers"
        }
    }

    /// Whether it shows what the list does not have.
    var needsDetails: Bool { self == .attempts || self == .pieces || self == .headers }
}

/// Details of one transfer that its row does not have.
struct LoadedDetails: Hashable, Sendable {
    /// The tab is kept when another transfer is selected.
    var tab = DetailTab.info
    /// Beyond the last line: attempts begin there, where the present one is.
    static let end = 1_000_000
    /// The first line that the pane shows, and of which transfer.
    var paneTop = 0
    var paneOf: TransferID?
    /// The time span of the graphs.
    var span = GraphSpan.minute
    /// `nil`: not loaded, or refused.
    var info: TransferInfo?
    /// The one that was asked for last, and as what.
    private var asked: Transfer?
    private var askedAt = -Double.infinity
    private var isPending = false

    /// Seconds between two requests for one that moves, and until a missing reply is asked for again.
    private static let interval = 1.0, patience = 10.0

    /// - Returns: whether to ask for `transfer` now.
    mutating func asks(for transfer: Transfer, at now: Double) -> Bool {
        let isOther = asked?.id != transfer.id
        if isPending, !isOther, now - askedAt < Self.patience { return false }
        // Its clock may have been set back.
        let isDue = abs(now - askedAt) >= Self.interval
        guard isOther || isDue && asked != transfer else { return false }
        if isOther { info = nil }
        (asked, askedAt, isPending) = (transfer, now, true)
        return true
    }

    mutating func receive(_ info: TransferInfo?, of id: TransferID) {
        guard asked?.id == id else { return }
        isPending = false
        self.info = info
    }
}

extension InterfaceState {
    /// Whether details are on the screen, in a pane or over the list.
    var showsDetails: Bool {
        guard list.selected != nil else { return false }
        return overlay == .detail || overlay == nil && usualLayout.pane != nil
    }

    /// The transfer whose own graph is on the screen.
    var graphed: TransferID? { showsDetails && details.tab == .info ? list.selected?.id : nil }

    /// Its samples, if any are known.
    var graphedSamples: [Double?] {
        guard let rates = rates.transfer, rates.id == list.selection else { return [] }
        return RateFacts.samples(rates.series, details.span)
    }

    /// Seconds that a column stands for, of the finest graph on the screen that is not empty: as long as it moves on.
    /// `nil`: all are empty.
    var graphStep: Double? {
        if usualLayout.header != nil, columns >= Frame.graphFrom, rates.hasTraffic { return 1 }
        guard graphed != nil, let selected = list.selected else { return nil }
        // That of a transfer that has ended stands still.
        let own = selected.state.isEnded ? [] : graphedSamples
        let all = rates.samples(selected.kind, details.span)
        return (own + all).contains { $0 ?? 0 > 0 } ? Double(details.span.rawValue) : nil
    }

    /// The loaded details of the selected transfer.
    var detailInfo: TransferInfo? { details.info.flatMap { $0.transfer.id == list.selection ? $0 : nil } }

    /// To the right of the list, or below it.
    mutating func movePane() {
        panePlace = usualLayout.isPaneRight ? .bottom : .right
        let setting = "pane = \"\(panePlace.rawValue)\" in [interface] of config.toml"
        log.add(.note, "\(setting) has the details there in each screen", at: now)
        notice = Notice(text: "Details \(panePlace == .right ? "at the right" : "below"); \(setting) keeps them there")
    }

    /// Where a tab begins.
    private var tabTop: Int { details.tab == .attempts ? LoadedDetails.end : 0 }

    /// The first line that the pane shows; each transfer begins where its tab does.
    var paneTop: Int { details.paneOf == list.selection ? details.paneTop : tabTop }

    /// The first line of the details over the list.
    var coverTop: Int { overlay == .detail ? tabTop : 0 }

    /// The first line of an overlay of so many lines.
    func shownTop(of count: Int) -> Int { min(max(0, overlayTop), max(0, count - layout.cover(count).text.count)) }

    /// Lines of what covers the list.
    var coverLines: Int {
        switch overlay {
        case .output(_, let lines): CoverText.lines(of: lines, width: columns, .unicode).count
        case .detail, nil: DetailView.lines(of: self).count
        }
    }

    /// Lines above and below the visible part.
    var hiddenLines: (above: Int, below: Int) {
        let count = coverLines
        let top = shownTop(of: count)
        return (top, max(0, count - top - layout.cover(count).text.count))
    }

    /// With the usual height of the pane. The columns of the list and of the pane are those of ``layout``.
    var usualLayout: ScreenLayout { ScreenLayout(columns: columns, rows: rows, hasPane: hasPane, place: panePlace) }

    /// The rows that a short list leaves empty are for the details below it, as far as they have lines for them.
    func layout(columns: Int, rows: Int) -> ScreenLayout {
        let usual = ScreenLayout(columns: columns, rows: rows, hasPane: hasPane, place: panePlace)
        guard let pane = usual.pane, !usual.isPaneRight, overlay == nil, list.selectedGroup == nil,
            list.selected != nil, list.rowCount < usual.list.count
        else { return usual }
        // Lines in ASCII may be others; rows stay where the mouse finds them.
        let lines = DetailView.lines(of: self, columns: paneText(usual), inPane: true).count
        guard lines >= pane.count else { return usual }
        return ScreenLayout(
            columns: columns, rows: rows, hasPane: hasPane, place: panePlace, listRows: list.rowCount, paneLines: lines)
    }

    /// The width of the text of the tab that is shown.
    func paneText(_ layout: ScreenLayout) -> Int {
        let panels = details.tab == .info ? layout.panePanels : 1
        return panels > 1 ? layout.paneColumns.count / panels - layout.paneInset - 1 : layout.paneText
    }

    /// Lines of details in the pane.
    var paneRows: Int { max(0, (layout.pane?.count ?? 0) - 1) }

    /// Scrolls the pane by half of its lines.
    mutating func scrollPane(_ step: Int) {
        let count = DetailView.lines(of: self, columns: paneText(layout), inPane: true).count
        // One line says which are shown.
        let last = max(0, count - max(1, paneRows - 1))
        let top = min(max(0, min(paneTop, last) + step * max(1, paneRows / 2)), last)
        (details.paneTop, details.paneOf) = (top, list.selection)
    }

    /// Whether the pane has more lines than room.
    var canScrollPane: Bool {
        guard overlay == nil, usualLayout.pane != nil, list.selected != nil else { return false }
        return DetailView.lines(of: self, columns: paneText(layout), inPane: true).count > paneRows
    }

    mutating func showTab(after step: Int) {
        let count = DetailTab.allCases.count
        open(DetailTab(rawValue: (details.tab.rawValue + step + count) % count) ?? .info)
    }

    mutating func open(_ tab: DetailTab) {
        (details.tab, details.paneOf) = (tab, nil)
        overlayTop = coverTop
    }

    /// A request for the selected one, if its tab needs one.
    mutating func dueDetails() -> Effect? {
        let hasAttempts = details.tab == .info && overlay == nil && usualLayout.panePanels > 1
        guard showsDetails, details.tab.needsDetails || hasAttempts, let transfer = list.selected,
            details.asks(for: transfer, at: now)
        else { return nil }
        return .inform(transfer.id)
    }

    mutating func receive(_ info: TransferInfo) { details.receive(info, of: info.transfer.id) }
    mutating func detailsRefused(_ id: TransferID) { details.receive(nil, of: id) }
}
