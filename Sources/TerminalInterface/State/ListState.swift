// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The transfers of the queue and of its history, and the user's view of them: filter, order, groups, selection and
/// marks.
struct ListState: Sendable {
    /// While marks follow the selection.
    struct MarkRange: Hashable, Sendable {
        /// The transfer where the range begins.
        var anchor: TransferID
        var marksBefore: Set<TransferID>
        var view: QueueView
    }

    // The queue, as last reported.
    var transfers = TransferTable()
    /// The rows of the queue, and its totals.
    var listing = QueueListing()
    var history = HistoryList()
    /// Seconds since 1970 of the last byte of each running transfer.
    var lastMoved: [TransferID: Double] = [:]
    /// Seconds since 1970 when a transfer began to run last; `nil`: none while this screen was open.
    var startedAt: Double?
    /// False until the first snapshot.
    var isLoaded = false
    /// Unfinished transfers that the queue no longer has, and of whose end no event came.
    var lost: [TransferID] = []

    // The user's view of it.
    var view = QueueView.all
    /// Views that the configuration defines.
    var ownViews: [OwnView] = []
    /// `nil`: the order of the queue.
    var listOrder: ListOrder?
    /// When a sorted list was last sorted.
    private(set) var sortedAt = 0.0
    /// Transfers of the history that match the filter, in its order, while that is shown.
    private(set) var shownHistory: [TransferID]?
    private(set) var listFilter = ListFilter("", now: 0)
    /// The time from which filters count ages, in seconds since 1970.
    private(set) var agesCountFrom = 0.0
    /// `nil`: the list has no groups.
    var grouping: Grouping?
    /// Names of the folded groups; of batches, of those that are unfolded.
    var foldedGroups: Set<String> = [ListingSpec.finished]
    var selection: TransferID?
    /// Instead of ``selection``: the group whose heading is selected.
    var selectedGroup: String?
    /// When another row took the place of the selected one, not by a key.
    var slidAt: Double?
    /// When each transfer came to an end, or a question of it was answered, for ``freshness`` seconds.
    var fresh: [TransferID: Double] = [:]
    /// Selected until it left the list, with no key since.
    var departed: TransferID?
    var marks: Set<TransferID> = []
    var range: MarkRange?
    var top = 0

    var order: [TransferID] { listing.order }
    var tally: Tally { listing.tally }
    /// Transfers of the view that match the filter, in its order.
    var visible: [TransferID] { shownHistory ?? listing.members }
    /// The text typed after `/`.
    var filter: String { listFilter.text }

    /// A transfer of the queue or of the history.
    func transfer(_ id: TransferID) -> Transfer? { transfers[id] ?? history.transfers[id] }

    // MARK: Views

    /// Seconds after which ages in filters count from now again.
    static let agePeriod = 10.0

    /// Whether the view, its count or the filter depends on the time.
    var hasAges: Bool { listFilter.hasAges || ownViews.contains(where: \.filter.hasAges) }

    mutating func setFilter(_ text: String, now: Double) {
        listFilter = ListFilter(text, now: now)
        if listFilter.hasAges { agesCountFrom = now }
    }

    /// Lets ages in filters count from now, if they have counted from an earlier moment for long.
    /// - Returns: whether that is so.
    mutating func countAges(from now: Double) -> Bool {
        guard hasAges, abs(now - agesCountFrom) >= Self.agePeriod else { return false }
        agesCountFrom = now
        if listFilter.hasAges { listFilter = ListFilter(filter, now: now) }
        for index in ownViews.indices { ownViews[index].count(from: now) }
        return true
    }

    /// Views with tabs, in their order.
    var views: [QueueView] { QueueView.allCases.filter { $0.ownPlace ?? -1 < ownViews.count } }

    /// `nil` for a view that is not of the configuration, or does not exist.
    private func own(_ view: QueueView) -> OwnView? {
        view.ownPlace.flatMap { ownViews.indices.contains($0) ? ownViews[$0] : nil }
    }

    func title(_ view: QueueView) -> String { own(view)?.title ?? view.title }

    /// `nil`: not counted.
    func count(_ view: QueueView) -> Int? {
        if let place = view.ownPlace { return listing.counts.indices.contains(place) ? listing.counts[place] : nil }
        return view.count(tally)
    }

    // MARK: Rows

    /// Computes the rows for view, filter, order and groups, and keeps the selection on a row.
    mutating func refilter(near index: Int?, _ setup: InterfaceSetup, now: Double) {
        if view == .history {
            let shown = history.order.compactMap { history.transfers[$0] }.filter { transfer in
                listFilter.isEmpty || listFilter.takes(transfer, reason: setup.words.reason)
            }
            shownHistory = listOrder?.sorted(shown) ?? shown.map(\.id)
        } else {
            shownHistory = nil
            showListing(setup)
            listing.reorder()
            sortedAt = now
        }
        let before = selectedRow
        keepSelection(near: index)
        if before != nil, selectedRow != before { slidAt = now }
    }

    /// Gives the listing what it is to show.
    mutating func showListing(_ setup: InterfaceSetup) {
        var spec = ListingSpec()
        spec.view = view.listing
        spec.filters = [own(view)?.filter.text, listFilter.isEmpty ? nil : filter].compactMap(\.self)
        spec.counted = ownViews.map(\.filter.text)
        (spec.order, spec.folded, spec.home) = (listOrder, foldedGroups, setup.homeFolder)
        // A batch has one row, except in a search, which is for single transfers.
        spec.grouping = grouping ?? (view == .now && listFilter.isEmpty ? .batch : nil)
        let transfers = transfers
        listing.reason = setup.words.reason
        listing.show(spec, agesFrom: agesCountFrom) { transfers[$0] }
    }

    /// Whether groups have names, by which they are sorted.
    var hasNamedGroups: Bool { grouping != nil && !view.hasOwnList }

    /// Whether it stands below a heading.
    func isIndented(_ id: TransferID) -> Bool {
        hasNamedGroups && grouping != .batch || listing.key(of: id).map(Grouping.isBatch) ?? false
    }

    /// Whether the view has groups, be it that of what has finished.
    var isGrouped: Bool { hasNamedGroups || view == .now }

    /// The groups of ``visible``, if ``isGrouped``.
    var groups: GroupedList { listing.groups }

    var rowCount: Int { isGrouped ? groups.rowCount : visible.count }

    /// - Parameter index: below ``rowCount``.
    func row(_ index: Int) -> ListRow { isGrouped ? groups.row(index) : .transfer(visible[index]) }

    /// All transfers of the view in the order of the screen, also those of folded groups.
    var inOrderOfScreen: [TransferID] { isGrouped ? groups.members : visible }

    /// Those of the view that are not in the folded line of what has finished.
    var open: [TransferID] {
        guard hiddenCount > 0 else { return visible }
        return visible.filter { listing.key(of: $0) != ListingSpec.finished }
    }

    /// How many are in that line.
    var hiddenCount: Int {
        view == .now && groups.isFolded(ListingSpec.finished) ? groups[ListingSpec.finished]?.members.count ?? 0 : 0
    }

    mutating func fold(_ key: String, _ isFolded: Bool, _ setup: InterfaceSetup) {
        if isFolded != Grouping.isBatch(key) { foldedGroups.insert(key) } else { foldedGroups.remove(key) }
        showListing(setup)
    }
}
