// SPDX-License-Identifier: MIT

package import TransferModel

/// The current record of one transfer, with its attempts and events. All of it is committed together.
package struct StoreChange: Sendable, Equatable {
    /// How soon it must be committed.
    package enum Urgency: Int, Sendable, Comparable {
        /// With the next batch, at most twice a second: progress.
        case soon
        /// Immediately, so that it survives the end of the process; a power cut may revert it, and its cause happens
        /// again.
        case kept
        /// Immediately, and it survives power cuts.
        case now

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Which columns differ from what is stored.
    package enum Columns: Sendable {
        case all
        /// Those of a download that completes in its first attempt, and of which nothing was stored but its adding.
        case completion
    }

    package var transfer: Transfer
    package var urgency: Urgency
    /// The latest of each number is stored.
    package var attempts: [TransferAttempt]
    /// For the delegate of the transfer's session, oldest first.
    package var events: [[UInt8]]
    /// The files to sync before the commit.
    package var syncing: [SyncTarget]
    package var columns: Columns
    /// It must survive a power cut; also if its commit failed and is repeated, less urgently.
    var isDurable: Bool

    package init(
        _ transfer: Transfer, urgency: Urgency = .soon, attempts: [TransferAttempt] = [], events: [[UInt8]] = [],
        syncing: [SyncTarget] = [], columns: Columns = .all
    ) {
        self.columns = columns
        isDurable = urgency == .now || !syncing.isEmpty
        self.transfer = transfer
        self.urgency = urgency
        self.attempts = attempts
        self.events = events
        self.syncing = syncing
    }

    /// Merges `newer`, of the same transfer, into this change: its record replaces this one's, attempts and events are
    /// kept.
    mutating func absorb(_ newer: StoreChange) {
        transfer = newer.transfer
        columns = .all
        urgency = max(urgency, newer.urgency)
        isDurable = isDurable || newer.isDurable
        attempts += newer.attempts
        events += newer.events
        for target in newer.syncing where !syncing.contains(target) { syncing.append(target) }
    }
}

/// A file whose bytes and name must be durable.
package struct SyncTarget: Sendable, Hashable {
    package let path: String
    /// The device number of its file system: one sync of that serves many files.
    package let device: UInt64
    /// The bytes are on disk; only the name must be synced.
    package let areBytesDurable: Bool

    package init(path: String, device: UInt64, areBytesDurable: Bool = false) {
        self.path = path
        self.device = device
        self.areBytesDurable = areBytesDurable
    }
}
