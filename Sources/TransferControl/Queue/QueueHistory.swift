// SPDX-License-Identifier: MIT

package import TransferModel

/// A query for one page of finished transfers.
package struct HistoryQuery: Sendable, Hashable, Codable {
    /// Maximum entries of a reply.
    package static let maximumLimit = 1000

    package var filter: QueueFilter
    /// Only transfers that ended before this entry: the last one of the previous page.
    package var before: HistoryEntry.Place?
    /// Maximum entries, 1…``maximumLimit``.
    package var limit: Int

    package init(filter: QueueFilter = .init(), before: HistoryEntry.Place? = nil, limit: Int = 100) {
        self.filter = filter
        self.before = before
        self.limit = limit
    }
}

/// A finished transfer, as it was at its end.
package struct HistoryEntry: Sendable, Hashable, Codable {
    /// The position of an entry in the history: by time, then by ID.
    package struct Place: Sendable, Hashable, Codable {
        /// Seconds since 1970.
        package var endedAt: Double
        package var id: TransferID

        package init(endedAt: Double, id: TransferID) {
            self.endedAt = endedAt
            self.id = id
        }
    }

    /// Seconds since 1970.
    package var endedAt: Double
    package var transfer: Transfer

    package init(endedAt: Double, transfer: Transfer) {
        self.endedAt = endedAt
        self.transfer = transfer
    }

    package var place: Place { Place(endedAt: endedAt, id: transfer.id) }
}
