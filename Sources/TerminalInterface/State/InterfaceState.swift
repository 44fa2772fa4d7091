// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The state of the interface. Takes updates and keys, returns effects; no I/O, no clock.
struct InterfaceState: Sendable {
    /// The view over the list.
    enum Overlay: Hashable, Sendable {
        case detail
        /// The output of a command line.
        case output(title: String, lines: [String])
    }

    var setup = InterfaceSetup()
    /// Seconds since 1970, for countdowns.
    var now: Double = 0
    var columns = 80
    var rows = 24

    /// The transfers, and the user's view of them.
    var list = ListState()
    var limits = QueueLimits()
    var rates = RateFacts()
    var details = LoadedDetails()
    var panePlace = PanePlace.auto
    /// Keys for the history, until that is loaded.
    var earlyActions: [Action.Name] = []
    var log = EventLog()
    /// `nil`: as many as the window has room for.
    var listColumns: ListColumns?
    var drag: ColumnDrag?
    var overlay: Overlay?
    /// The first line an overlay shows.
    var overlayTop = 0
    var mode = Mode.list
    var lastPickFolder: String?
    var earlierLines = LineHistory()
    var logScroll = LogScroll()
    var undoable = UndoableCommands()
    var commanded = CommandedRows()
    /// The effect of the last command, if undo cannot revert it: ``KeyedCommand/unreverted``.
    var unreverted: String?
    /// Whether a hint for undoing is of use.
    var canUndo: Bool { undoable.hasOne(at: now) }
    /// Seconds without a reply; `nil`: the queue replies.
    var silence: Int?
    /// The connection has ended, and the next one is sought.
    var isLost = false
    /// Why the list may be outdated; `nil`: the queue replies.
    var outage: String? {
        guard isLost else { return silence.map { "the service has not replied for \($0) s" } }
        let time = silence.map { " (\($0) s)" } ?? ""
        return "connection to \(setup.machine ?? "the service") lost, reconnecting\(time)"
    }
    /// A notice about the last action; cleared by the next key.
    var notice: Notice?

    init() {}

    /// Whether something covers the list that has no transfer.
    var isCovered: Bool { overlay != nil && overlay != .detail }

    var snapshot: QueueSnapshot {
        QueueSnapshot(transfers: list.order.compactMap { list.transfers[$0] }, limits: limits)
    }

    /// Whether something is selected that has details.
    var hasPane: Bool { list.view != .log && list.hasSelection }

    var layout: ScreenLayout { layout(columns: columns, rows: rows) }
    /// The width of the list.
    var listWidth: Int { usualLayout.listColumns }

    /// The number of transfers that fit into the window; under an overlay, of its lines.
    var pageRows: Int { overlay == nil ? layout.list.count : layout.body.count }

    /// The row at the top of the list.
    var firstRow: Int {
        Viewport.top(list.top, selected: list.selectedIndex, count: list.rowCount, height: pageRows)
    }

    /// The transfers on the screen.
    var onScreen: [TransferID] {
        let first = firstRow
        return (first..<min(list.rowCount, first + pageRows)).compactMap { index in
            if case .transfer(let id) = list.row(index) { id } else { nil }
        }
    }

    /// Whether the screen shows a running time, so that it must be redrawn every second.
    var isCounting: Bool {
        // They look different, or leave, when they no longer are.
        if !list.fresh.isEmpty { return true }
        let candidates = overlay == nil ? onScreen : list.selection.map { [$0] } ?? []
        return candidates.contains { id in
            guard let transfer = list.transfer(id) else { return false }
            return switch transfer.state {
            case .retrying: transfer.retryAt.map { $0 > now } ?? false
            case .waiting: transfer.waitingSince != nil
            case .queued: transfer.earliestBegin.map { $0 > now } ?? false
            case .running: true
            default: false
            }
        }
    }

    mutating func resize(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        normalize()
    }

    /// Scrolls the list to the selection. Called after every change.
    mutating func normalize() {
        if list.view == .log { clampLog() }
        // The keys of a row that is gone are not those of its neighbour.
        if let menu = mode.rowMenu, menu.row != list.selectedRow { mode = .list }
        list.top = firstRow
    }
}
