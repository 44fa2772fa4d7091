// SPDX-License-Identifier: MIT

import TransferControl
package import TransferModel

/// A view of the configuration: the transfers that match a filter.
package struct OwnView: Sendable {
    /// The most that have keys.
    package static let most = 3
    /// Columns of a title.
    private static let titleColumns = 12

    /// Fits into the line of the views.
    let title: String
    private(set) var filter: ListFilter

    /// - Parameters:
    ///   - filter: as typed after `/`.
    ///   - now: seconds since 1970, the base of ages.
    /// - Throws: code `usage` if one is empty, or the filter has a mistake.
    package init(name: String, filter text: String, now: Double) throws(TransferError) {
        let clean = TextSanitizer.clean(name)
        guard !clean.allSatisfy(\.isWhitespace) else { throw TransferError(.usage, "a view has a name") }
        var shown = Substring(CellText.fit(clean, width: min(Self.titleColumns, CellWidth.of(clean))))
        while shown.last == " " { shown.removeLast() }
        title = String(shown)
        filter = ListFilter(text, now: now)
        if let error = filter.error { throw error }
        guard !filter.isEmpty else { throw TransferError(.usage, "a view has a filter, such as \"size>1G\"") }
    }
}

extension OwnView {
    /// - Parameter now: seconds since 1970, from which ages count.
    mutating func count(from now: Double) { if filter.hasAges { filter = ListFilter(filter.text, now: now) } }
}

extension InterfaceState {
    /// Seconds after which ages in filters count from now again.
    static let agePeriod = 10.0

    /// Whether the view, its count or the filter depends on the time.
    var hasAges: Bool { listFilter.hasAges || ownViews.contains(where: \.filter.hasAges) }

    /// Lets ages in filters count from now, if they have counted from an earlier moment for long.
    mutating func countAges() {
        guard hasAges, abs(now - agesCountFrom) >= Self.agePeriod else { return }
        agesCountFrom = now
        if listFilter.hasAges { listFilter = ListFilter(filter, now: now) }
        ownViews = ownViews.map { view in
            var view = view
            view.count(from: now)
            return view
        }
        let index = selectedIndex
        showListing()
        refilter(near: index)
    }

    /// Those with tabs, in their order.
    var views: [QueueView] { QueueView.allCases.filter { $0.ownPlace ?? -1 < ownViews.count } }

    /// `nil` for a view that is not of the configuration, or does not exist.
    func own(_ view: QueueView) -> OwnView? {
        view.ownPlace.flatMap { ownViews.indices.contains($0) ? ownViews[$0] : nil }
    }

    func title(_ view: QueueView) -> String { own(view)?.title ?? view.title }

    /// `nil`: not counted.
    func count(_ view: QueueView) -> Int? {
        if let place = view.ownPlace { return ownCounts.indices.contains(place) ? ownCounts[place] : nil }
        return view.count(tally)
    }

    /// What the list is to show of the queue.
    var listingSpec: ListingSpec {
        var spec = ListingSpec()
        spec.view = view.listing
        spec.filters = [own(view)?.filter.text, listFilter.isEmpty ? nil : filter].compactMap(\.self)
        spec.counted = ownViews.map(\.filter.text)
        (spec.order, spec.grouping, spec.folded, spec.home) = (listOrder, grouping, foldedGroups, homeFolder)
        return spec
    }
}
