// SPDX-License-Identifier: MIT

package import TransferModel

/// Which rows of a list a client holds: those around one.
package struct WindowRequest: Hashable, Sendable {
    package var spec = ListingSpec()
    /// The row that stays in the window wherever it moves; once it has left the list, the row at its index takes its
    /// place. `nil`: the row at ``index``.
    package var anchor: ListRow?
    /// Where the anchor is, or was last.
    package var index = 0
    /// Rows before the anchor, and from it on.
    package var before = 0
    package var after = 128

    /// The most rows of a window.
    package static let mostRows = 512

    package init(_ spec: ListingSpec = ListingSpec()) { self.spec = spec }

    /// - Throws: code `usage`.
    package func check() throws(TransferError) {
        guard index >= 0, before >= 0, after >= 1, before <= Self.mostRows, after <= Self.mostRows - before else {
            throw TransferError(ParameterProblem(nil, .rows, upTo: Self.mostRows))
        }
        try spec.check()
    }
}

/// A window of a list, and the sums beside it.
package struct QueueWindow: Hashable, Sendable {
    /// The index of the first of ``rows``.
    package var first = 0
    /// The number of rows of the whole list.
    package var count = 0
    /// The index of the anchor, or of the row that took its place; `nil` in an empty list.
    package var anchor: Int?
    package var rows: [ListRow] = []
    /// The transfers of the rows.
    package var transfers: [TransferID: Transfer] = [:]
    /// The sums of the groups among the rows, by name.
    package var groups: [String: GroupSum] = [:]
    /// Over the whole queue.
    package var sums = ListingSums()
    /// The number of matches of each filter in ``ListingSpec/counted``.
    package var counts: [Int] = []

    package init() {}

    /// What a holder of `old` lacks; `nil`: nothing.
    /// - Parameter old: `nil`: the holder has none.
    package func update(since old: QueueWindow?) -> WindowUpdate? {
        guard self != old else { return nil }
        var update = WindowUpdate(first: first, count: count, anchor: anchor)
        if rows != old?.rows { update.rows = rows }
        // In the order of the rows.
        var (changed, sums): ([Transfer], [GroupSum]) = ([], [])
        for row in rows {
            switch row {
            case .transfer(let id):
                if let transfer = transfers[id], transfer != old?.transfers[id] { changed.append(transfer) }
            case .group(let key):
                if let group = groups[key], group != old?.groups[key] { sums.append(group) }
            }
        }
        if !changed.isEmpty { update.transfers = changed }
        if !sums.isEmpty { update.groups = sums }
        if self.sums != old?.sums { update.sums = self.sums }
        if counts != old?.counts ?? [] { update.counts = counts }
        return update
    }

    package mutating func apply(_ update: WindowUpdate) {
        (first, count, anchor) = (update.first, update.count, update.anchor)
        for transfer in update.transfers ?? [] { transfers[transfer.id] = transfer }
        for group in update.groups ?? [] { groups[group.key] = group }
        if let sums = update.sums { self.sums = sums }
        if let counts = update.counts { self.counts = counts }
        guard let rows = update.rows else { return }
        self.rows = rows
        let (oldTransfers, oldGroups) = (transfers, groups)
        (transfers, groups) = ([:], [:])
        for row in rows {
            switch row {
            case .transfer(let id): transfers[id] = oldTransfers[id]
            case .group(let key): groups[key] = oldGroups[key]
            }
        }
    }
}

/// A change of a window. Members that are `nil` are as before.
package struct WindowUpdate: Hashable, Sendable, Codable {
    package var first: Int
    package var count: Int
    package var anchor: Int?
    /// All rows of the window, in their order.
    package var rows: [ListRow]?
    /// The transfers of rows that are new or have changed.
    package var transfers: [Transfer]?
    package var groups: [GroupSum]?
    package var sums: ListingSums?
    package var counts: [Int]?

    package init(first: Int, count: Int, anchor: Int?) {
        self.first = first
        self.count = count
        self.anchor = anchor
    }
}

extension QueueListing {
    /// - Parameter lookUp: each transfer of the queue.
    package func window(_ request: WindowRequest, transfers lookUp: (TransferID) -> Transfer?) -> QueueWindow {
        var window = QueueWindow()
        (window.sums, window.counts, window.count) = (ListingSums(tally), counts, rowCount)
        guard rowCount > 0 else { return window }
        let anchor = request.anchor.flatMap { shownIndex(of: $0) } ?? min(max(0, request.index), rowCount - 1)
        window.anchor = anchor
        window.first = max(0, anchor - request.before)
        for index in window.first..<min(rowCount, anchor + request.after) {
            let shown = row(index)
            window.rows.append(shown)
            switch shown {
            case .transfer(let id): window.transfers[id] = lookUp(id)
            case .group(let key):
                window.groups[key] = groups[key].map { group in
                    GroupSum(key: key, isFolded: groups.isFolded(key) ? true : nil, sums: ListingSums(group.tally))
                }
            }
        }
        return window
    }

    /// The heading of its group for a transfer that is hidden.
    private func shownIndex(of row: ListRow) -> Int? {
        if let index = index(of: row) { return index }
        guard case .transfer(let id) = row, contains(id), let key = key(of: id) else { return nil }
        return index(of: .group(key))
    }
}
