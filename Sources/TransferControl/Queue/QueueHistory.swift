// SPDX-License-Identifier: MIT

public import TransferModel

/// One page of what has ended.
public struct HistoryQuery: Sendable, Hashable, Codable {
    /// The most entries one reply holds.
    public static let maximumLimit = 1000

    public var filter: QueueFilter
    /// Only what ended before this entry: the last one of the page before.
    public var before: HistoryEntry.Place?
    /// Entries at most, 1…``maximumLimit``.
    public var limit: Int

    public init(filter: QueueFilter = .init(), before: HistoryEntry.Place? = nil, limit: Int = 100) {
        self.filter = filter
        self.before = before
        self.limit = limit
    }
}

/// A transfer that has ended, as it was then.
public struct HistoryEntry: Sendable, Hashable, Codable {
    /// Where an entry stands in the history: by time, and by id among those of the same time.
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
