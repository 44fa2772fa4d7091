// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The state of the interface. Takes updates and keys, returns effects; no I/O, no clock.
struct InterfaceState: Sendable {
    /// The view over the list.
    enum Overlay: Hashable, Sendable {
        case help, detail
        /// The output of a command line.
        case output(title: String, lines: [String])
    }

    var title = "fileq"
    /// Whether the queue is only watched.
    var isReadOnly = false
    /// The command line that equals a key, without ``program``.
    var commandLine: @Sendable (KeyedCommand) -> String? = { _ in nil }
    /// Whether the queue takes other files, addresses and starts.
    var canEdit = false
    /// Whether files can be opened.
    var canOpen = false
    /// Begins a command line in a shell.
    var program = "fileq"
    /// Of the command line; empty: there is none.
    var vocabulary = CommandVocabulary()
    /// Sentences about transfers.
    var words = InterfaceWords.plain
    /// Shown as `~` in paths.
    var homeFolder: String?
    /// The base of relative paths.
    var workingFolder: String?
    /// Where downloads go unless another folder is typed.
    var saveFolder = ""
    /// Local times.
    var clock = LocalClock.utc
    var keyMap = KeyMap.standard
    /// Seconds since 1970, for countdowns.
    var now: Double = 0
    var columns = 80
    var rows = 24

    // The queue, as last reported.
    var transfers = TransferTable()
    /// Its rows, and sums over it.
    var listing = QueueListing()
    var order: [TransferID] { listing.order }
    var limits = QueueLimits()
    var tally: Tally { listing.tally }
    var rates = RateFacts()
    /// Seconds since 1970 of the last byte of each running transfer.
    var lastMoved: [TransferID: Double] = [:]
    /// Seconds since 1970 when a transfer began to run last; `nil`: none while this screen was open.
    var startedAt: Double?
    /// False until the first snapshot.
    var isLoaded = false

    var details = LoadedDetails()
    var panePlace = PanePlace.auto
    var history = HistoryList()
    /// Until it is loaded.
    var earlyActions: [Action.Name] = []
    var log = EventLog()
    /// Unfinished transfers that the queue no longer has, and of whose end no event came.
    var lost: [TransferID] = []

    // The user's view of it.
    var view = QueueView.all
    /// Of the configuration.
    var ownViews: [OwnView] = []
    /// Transfers in each of ``ownViews``.
    var ownCounts: [Int] { listing.counts }
    /// `nil`: the order of the queue.
    var listOrder: ListOrder?
    /// `nil`: as many as the window has room for.
    var listColumns: ListColumns?
    var drag: Drag?
    /// When a sorted list was last sorted.
    var sortedAt = 0.0
    /// Transfers of the view that match the filter, in its order.
    var visible: [TransferID] { shownHistory ?? listing.members }
    /// The same of the history, while that is shown.
    var shownHistory: [TransferID]?
    /// The text typed after `/`; set by ``setFilter(_:)``.
    var filter: String { listFilter.text }
    var listFilter = ListFilter("", now: 0)
    /// Of the filters, in seconds since 1970.
    var agesCountFrom = 0.0
    var selection: TransferID?
    /// Selected until it left the list, with no key since.
    var departed: TransferID?
    /// `nil`: the list has no groups.
    var grouping: Grouping?
    /// Those that are folded.
    var foldedGroups: Set<String> = []
    /// Those of ``visible``, if ``isGrouped``.
    var groups: GroupedList { listing.groups }
    /// Instead of ``selection``: the group whose heading is selected.
    var selectedGroup: String?
    var marks: Set<TransferID> = []
    /// While marks follow the selection.
    var range: MarkRange?
    var top = 0
    var overlay: Overlay?
    /// The first line an overlay shows.
    var overlayTop = 0
    var mode = Mode.list
    var lastPickFolder: String?
    var earlierLines = LineHistory()
    /// Entries of the log below the screen; 0: follows the end.
    var logBack = 0
    /// The last entry on the screen where it does not follow: what happens meanwhile moves nothing.
    var logAnchor: EventLog.Entry?
    var undoable = UndoableCommands()
    /// What the last command did, if undoing does not revert it: ``KeyedCommand/unreverted``.
    var unreverted: String?
    /// Whether a hint for undoing is of use.
    var canUndo: Bool { undoable.hasOne(at: now) }
    /// Seconds without a reply; `nil`: the queue replies.
    var silence: Int?
    /// A notice about the last action; cleared by the next key.
    var notice: Notice?

    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
        /// What it says about the queue, if that may change.
        var isHeld: Bool?

        init(text: String, isError: Bool = false) {
            (self.text, self.isError) = (isError ? Self.capitalized(text) : text, isError)
        }

        /// With a capital letter in front, unless that would change a name.
        private static func capitalized(_ text: String) -> String {
            let word = text.prefix { $0 != " " }
            guard word.count > 1, word.count < text.count, word != "fileq",
                word.utf8.allSatisfy({ (0x61...0x7a).contains($0) })
            else { return text }
            return text.prefix(1).uppercased() + text.dropFirst()
        }
    }

    init() {}

    /// Of the selected row.
    var selectedIndex: Int? {
        guard isGrouped else {
            return selection.flatMap { id in
                shownHistory.map { $0.firstIndex(of: id) } ?? listing.index(of: id)
            }
        }
        let row = selectedGroup.map(ListRow.group) ?? selection.map(ListRow.transfer)
        return row.flatMap { listing.index(of: $0) }
    }
    /// Not in the log, which keeps the selection for the other views.
    var selected: Transfer? { view == .log ? nil : selection.flatMap(transfer) }

    /// Of the queue, or of the history.
    func transfer(_ id: TransferID) -> Transfer? { transfers[id] ?? history.transfers[id] }

    /// Whether something covers the list that has no transfer.
    var isCovered: Bool { overlay != nil && overlay != .detail }

    var snapshot: QueueSnapshot { QueueSnapshot(transfers: order.compactMap { transfers[$0] }, limits: limits) }

    /// Whether something is selected that has details.
    var hasPane: Bool { view != .log && hasSelection }

    var layout: ScreenLayout { layout(columns: columns, rows: rows) }
    /// The width of the list.
    var listWidth: Int { usualLayout.listColumns }

    /// The number of transfers that fit into the window; under an overlay, of its lines.
    var pageRows: Int { overlay == nil ? layout.list.count : layout.body.count }

    /// The transfers on the screen.
    var onScreen: [TransferID] {
        let first = Viewport.top(top, selected: selectedIndex, count: rowCount, height: pageRows)
        return (first..<min(rowCount, first + pageRows)).compactMap { index in
            if case .transfer(let id) = row(index) { id } else { nil }
        }
    }

    /// Whether the screen shows a running time, so that it must be redrawn every second.
    var isCounting: Bool {
        let candidates = overlay == nil ? onScreen : selection.map { [$0] } ?? []
        return candidates.contains { id in
            guard let transfer = transfer(id) else { return false }
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
        if view == .log { clampLog() }
        closeOutdatedRowMenu()
        top = Viewport.top(top, selected: selectedIndex, count: rowCount, height: pageRows)
    }
}
