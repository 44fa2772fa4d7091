// SPDX-License-Identifier: MIT

extension Life {
    /// Commands, decisions of the queue, and replies of executors.
    package enum Event: Hashable, Sendable, BitwiseCopyable {
        // Commands.
        case pause(Origin), resume, cancel(Cancel), retry, relocate(Place), answered, declined
        /// An undo, which finds the transfer as the undone command has left it.
        case restore(Standing)
        case predecessors(Predecessors)

        // The scheduler and the queue.
        case slot, stock, due, recovered, endOfQueue, leaseLost
        /// The network carries more than before the attempt failed: the next one begins at this time, if that is
        /// earlier.
        case pathImproved(Double)

        // Replies, each to the outstanding operation.
        case opened(Opened), attemptEnded(AttemptEnd), secured(Secured), named(Named)
        case committed(isDurable: Bool), copied(isMoved: Bool), removed
        /// - Parameter next: `nil` if they are right.
        case digested(Next?)

        // Reports of an attempt: the network does not carry it; it does again.
        case waits, carries

        // Reports of the transport's stock. The last of them is the reply.
        case started, fetched, sent, handedOver, unfetched(Next)
        /// - Parameter isPlain: false if it needs a task.
        case returned(isPlain: Bool)
    }

    /// The part of a transfer that a relocation changes.
    package enum Place: UInt8, Hashable, Sendable, BitwiseCopyable {
        case address
        /// The files were renamed into another folder.
        case folder
        /// They are to be copied to another file system.
        case copy
    }

    package enum Predecessors: UInt8, Hashable, Sendable, BitwiseCopyable { case none, open, ended }

    package enum Opened: Hashable, Sendable, BitwiseCopyable {
        case ready
        /// The existing file is the one that was asked for.
        case exists
        /// An earlier process, or attempt, gave the file its name.
        case isNamed
        case failed(Next)
    }

    package enum AttemptEnd: Hashable, Sendable, BitwiseCopyable {
        /// All bytes of a download are here.
        case whole
        /// The server has the upload.
        case accepted
        /// The existing file is new enough.
        case spared
        case stopped
        case failed(Next)
    }

    package enum Secured: UInt8, Hashable, Sendable, BitwiseCopyable {
        case durable
        /// Any byte may be missing on the disk.
        case lost
        /// The store cannot take the intention now; nothing has changed.
        case unrecorded
    }

    package enum Named: UInt8, Hashable, Sendable, BitwiseCopyable {
        case named
        /// Another file has the name, and is to stay: there is nothing to do.
        case spared
        case refused
        /// Another file has the name; this one gets another.
        case takesOtherName
        /// The file has the name, whose sync failed.
        case notDurable
    }

    /// The course after a failure. Options, clock and earlier failures are considered before: how often an attempt may
    /// fail, response timers, portals, `Retry-After` and the bound on whole repeats decide nothing else.
    package enum Next: Hashable, Sendable, BitwiseCopyable {
        case end
        /// Seconds.
        case retry(after: Float)
        /// The same, at another address, and uncounted.
        case again(after: Float)
        case space, asks
    }

    /// Where a transfer stands between operations.
    package struct Standing: Hashable, Sendable, BitwiseCopyable {
        package var due: Double
        package var attempt: UInt16
        package var end: End?
        package var wish: Wish
        package var obstacle: Obstacle
    }

    package enum Op: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
        case open, stock, attempt, copy, digest, secure, name, commit, remove
    }

    /// Operations of executors.
    package enum Effect: Hashable, Sendable, BitwiseCopyable {
        /// One reply, with this serial.
        case begin(Op, UInt32)
        // The attempt.
        case suspend, resume
        /// Ends the attempt or the copy, which replies.
        case stop
        /// The fetch does not reply; what it has received is dropped.
        case withdraw
        /// Closes and unlocks the files.
        case release
    }

    /// Facts beside the life that an event is handled with.
    package struct Context: Sendable, BitwiseCopyable {
        /// On the scheduler's clock.
        package var now = 0.0
        package var isEnding = false
        /// The whole queue is held.
        package var isHeld = false
        /// A slot is free for this transfer.
        package var hasSlot = false
        /// See ``EnginePolicy/awaitsCommits``.
        package var awaitsCommits = true
        /// See ``EnginePolicy/interruptsAtEnd``.
        package var interruptsAtEnd = false

        package init() {}
    }

    /// Reused by its owner, so that no event allocates.
    package struct Effects: Sendable {
        package private(set) var list: [Effect] = []

        package init() { list.reserveCapacity(64) }

        @inline(__always) mutating func callAsFunction(_ effect: Effect) { list.append(effect) }
        package mutating func clear() { list.removeAll(keepingCapacity: true) }
    }
}

extension Life.Event {
    /// The operation that it answers.
    package var op: Life.Op? {
        switch self {
        case .opened: .open
        case .attemptEnded, .waits, .carries: .attempt
        case .copied: .copy
        case .digested: .digest
        case .secured: .secure
        case .named: .name
        case .committed: .commit
        case .removed: .remove
        case .started, .fetched, .sent, .handedOver, .returned, .unfetched: .stock
        case .pause, .resume, .cancel, .retry, .relocate, .answered, .declined, .restore, .predecessors, .slot, .stock,
            .due, .recovered, .endOfQueue, .leaseLost, .pathImproved:
            nil
        }
    }

    /// It answers an operation, which continues.
    package var isReport: Bool { self == .waits || self == .carries || self == .started }
}
