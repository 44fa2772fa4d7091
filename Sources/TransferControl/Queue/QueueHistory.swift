// SPDX-License-Identifier: MIT

public import TransferModel

/// A query for one page of finished transfers.
public struct HistoryQuery: Sendable, Hashable, Codable {
    /// Maximum entries of a reply.
    public static let maximumLimit = 1000

    public var filter: QueueFilter
    /// Only transfers that ended before this entry: the last one of the previous page.
    public var before: HistoryEntry.Place?
    /// Maximum entries, 1…``maximumLimit``.
    public var limit: Int

    public init(filter: QueueFilter = .init(), before: HistoryEntry.Place? = nil, limit: Int = 100) {
        self.filter = filter
        self.before = before
        self.limit = limit
    }
}

/// A finished transfer, as it was at its end.
public struct HistoryEntry: Sendable, Hashable, Codable {
    /// The position of an entry in the history: by time, then by ID.
    public struct Place: Sendable, Hashable, Codable {
        /// Seconds since 1970.
        public var endedAt: Double
        public var id: TransferID

        public init(endedAt: Double, id: TransferID) {
            self.endedAt = endedAt
            self.id = id
        }
    }

    /// Seconds since 1970.
    public var endedAt: Double
    public var transfer: Transfer

    public init(endedAt: Double, transfer: Transfer) {
        self.endedAt = endedAt
        self.transfer = transfer
    }

    public var place: Place { Place(endedAt: endedAt, id: transfer.id) }
}
