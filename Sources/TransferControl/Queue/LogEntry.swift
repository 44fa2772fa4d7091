// SPDX-License-Identifier: MIT

package import TransferModel

/// An event of the queue's log, which holds the latest events since the queue began.
///
/// The queue numbers its events from 1. The numbers of another process mean other events, and its ``LogPage/began``
/// differs.
package struct LogEntry: Sendable, Hashable, Codable {
    /// Rises by 1 with each event.
    package var sequence: Int64
    /// Seconds since 1970.
    package var time: Double
    /// Neither ``TransferModel/TransferEvent/Name/progress`` nor ``TransferModel/TransferEvent/Name/changed``.
    package var name: TransferEvent.Name
    /// Whether the transfer was added then; absent: no.
    package var isNew: Bool?
    /// As it was then, without metrics.
    package var transfer: Transfer

    package init(sequence: Int64, time: Double, name: TransferEvent.Name, isNew: Bool? = nil, transfer: Transfer) {
        (self.sequence, self.time, self.name) = (sequence, time, name)
        (self.isNew, self.transfer) = (isNew, transfer)
    }
}

/// A query for one page of the log.
package struct LogQuery: Sendable, Hashable, Codable {
    /// Maximum entries of a reply.
    package static let maximumLimit = 1000

    /// Only events after this one, the first of them; `nil`: the last ones.
    package var after: Int64?
    /// Only events before this one.
    package var before: Int64?
    /// Only those of this transfer.
    package var id: TransferID?
    /// Maximum entries, 1…``maximumLimit``.
    package var limit: Int

    package init(after: Int64? = nil, before: Int64? = nil, id: TransferID? = nil, limit: Int = 100) {
        (self.after, self.before, self.id, self.limit) = (after, before, id, limit)
    }
}

/// One page of the log.
package struct LogPage: Sendable, Hashable, Codable {
    /// When the queue began, in seconds since 1970.
    package var began: Double
    /// The number of the oldest event that is kept; 1 if there is none yet.
    package var oldest: Int64
    /// The number of the latest event; 0 if there is none yet.
    package var latest: Int64
    /// Oldest first.
    package var entries: [LogEntry]

    package init(began: Double, oldest: Int64, latest: Int64, entries: [LogEntry]) {
        (self.began, self.oldest, self.latest, self.entries) = (began, oldest, latest, entries)
    }
}
