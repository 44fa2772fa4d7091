// SPDX-License-Identifier: MIT

package import TransferModel

/// The present truth of one transfer, and what happened on the way to it. Everything in it is committed together.
package struct StoreChange: Sendable, Equatable {
    /// How soon it must be committed.
    package enum Urgency: Int, Sendable, Comparable {
        /// With the next batch, at most twice a second: progress.
        case soon
        /// At once, so that it survives the end of the process; a power cut may take it back, and what led to it
        /// happens again.
        case kept
        /// At once, power cuts included.
        case now

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package var transfer: Transfer
    package var urgency: Urgency
    /// The latest of each number counts.
    package var attempts: [TransferAttempt]
    /// For the delegate of the transfer's session, oldest first.
    package var events: [[UInt8]]
    /// What must be on the disk before the change may be.
    package var syncing: [SyncTarget]

    package init(
        _ transfer: Transfer, urgency: Urgency = .soon, attempts: [TransferAttempt] = [], events: [[UInt8]] = [],
        syncing: [SyncTarget] = []
    ) {
        self.transfer = transfer
        self.urgency = urgency
        self.attempts = attempts
        self.events = events
        self.syncing = syncing
    }

    /// Puts `newer`, of the same transfer, on top: its truth holds, and nothing that happened is left out.
    mutating func absorb(_ newer: StoreChange) {
        transfer = newer.transfer
        urgency = max(urgency, newer.urgency)
        attempts += newer.attempts
        events += newer.events
        for target in newer.syncing where !syncing.contains(target) { syncing.append(target) }
    }
}

/// A file whose bytes and name must be on the disk.
package struct SyncTarget: Sendable, Hashable {
    package let path: String
    /// Of the file system it is on: one sync of that serves many files.
    package let device: UInt64
    /// The bytes are on the disk; the name is what is left.
    package let areBytesDurable: Bool

    package init(path: String, device: UInt64, areBytesDurable: Bool = false) {
        self.path = path
        self.device = device
        self.areBytesDurable = areBytesDurable
    }
}
