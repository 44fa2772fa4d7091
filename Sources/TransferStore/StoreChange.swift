// SPDX-License-Identifier: MIT

import TransferModel

/// The present truth of one transfer, and what happened on the way to it. Everything in it is committed together.
public struct StoreChange: Sendable, Equatable {
    /// How soon it must be committed.
    public enum Urgency: Int, Sendable, Comparable {
        /// With the next batch, at most twice a second: progress.
        case soon
        /// At once: what may not be lost, such as ends and what somebody was told.
        case now

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var transfer: StoredTransfer
    public var urgency: Urgency
    /// The latest of each number counts.
    public var attempts: [StoredAttempt]
    /// For the delegate of the transfer's session, oldest first.
    public var events: [[UInt8]]
    /// What must be on the disk before the change may be.
    public var syncing: [SyncTarget]

    public init(_ transfer: StoredTransfer, urgency: Urgency = .soon, attempts: [StoredAttempt] = [], events: [[UInt8]] = [],
                syncing: [SyncTarget] = []) {
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

/// An open file, or an open folder whose entries changed, that `fdatasync` makes durable.
public struct SyncTarget: Sendable, Equatable {
    public let descriptor: Int32
    /// Keeps the descriptor open until it is synced.
    private let owner: any AnyObject & Sendable

    public init(descriptor: Int32, owner: any AnyObject & Sendable) {
        self.descriptor = descriptor
        self.owner = owner
    }

    public static func == (left: Self, right: Self) -> Bool { left.descriptor == right.descriptor && left.owner === right.owner }
}
