// SPDX-License-Identifier: MIT

/// Every decision about one transfer of a queue: events in, operations out. No clock, no I/O, no reference to anything
/// that acts; docs/dev/Life.md has the table.
///
/// At most one operation is outstanding (``op``). It is awaited whatever the user wants meanwhile: a reply is a fact
/// about files, a server or the store. Each operation ends in exactly one reply, with the serial it was given. A reply
/// with another one is that of a withdrawn fetch, or of an executor that replied twice: it is refused.
package struct Life: Hashable, Sendable, BitwiseCopyable {
    package enum Phase: Hashable, Sendable, BitwiseCopyable {
        /// No operation: queued, paused, or awaiting the next attempt.
        /// → opening, stocked, checking, securing, committing, copying, removing, ended, left
        case idle
        /// Operation `open`: the spec, a pending name, an existing file, the partial file, the source of an upload.
        /// → moving, committing, copying, idle, removing, ended, left
        case opening
        /// Operation `stock`: at the transport, which starts it without a task when it has a slot. The only operation
        /// that is withdrawn: its bytes are in memory alone. → opening, securing, naming, committing, idle, copying,
        /// ended, left
        case stocked(isStarted: Bool)
        /// Operation `attempt`, with a slot: bytes move.
        /// → parked, stopping, checking, securing, naming, committing, idle, ended, left
        case moving
        /// Operation `attempt`, suspended or without a network, and without a slot. → as moving, and moving
        case parked
        /// Operation `attempt`, which is being ended. → as moving, and copying, removing
        case stopping
        /// Operation `copy`: the partial files are copied to another file system.
        /// - Parameter ended: how the transfer had ended, if it had. → idle, ended, removing, left
        case copying(ended: End?)
        /// Operation `digest`: the bytes are compared with a checksum. → securing, naming, idle, removing, ended, left
        case checking
        /// Operation `secure`: the bytes and the intention to name them become durable.
        /// → naming, removing, ended, left
        case securing
        /// Operation `name`: the file gets its name, and the name becomes durable.
        /// → committing, securing, removing, ended, left
        case naming
        /// Operation `commit`: the store commits the completion. → ended, left
        case committing
        /// Operation `remove`: partial bytes are deleted. → ended, left
        case removing
        /// → idle, copying
        case ended(End)
        /// The queue has ended, or the lease is lost: another process continues from the record. Final.
        case left
    }

    package enum End: UInt8, Hashable, Sendable, BitwiseCopyable { case completed, failed, cancelled }
    package enum Origin: UInt8, Hashable, Sendable, BitwiseCopyable { case transfer, queue }
    package enum Cancel: UInt8, Hashable, Sendable, BitwiseCopyable { case keeping, discarding }

    /// The user's wish, in every phase, and stored with the record. Obeyed at once before `checking`; from there a
    /// cancel before `naming`, a pause before another attempt. Without effect from `committing` on.
    package struct Wish: Hashable, Sendable, BitwiseCopyable {
        package var pause: Origin?
        package var cancel: Cancel?

        package init(pause: Origin? = nil, cancel: Cancel? = nil) { (self.pause, self.cancel) = (pause, cancel) }

        package var isRun: Bool { pause == nil && cancel == nil }
    }

    /// The reason why a transfer that is to run does not.
    package enum Obstacle: UInt8, Hashable, Sendable, BitwiseCopyable {
        case none
        /// Until ``Life/due``.
        case retry
        case space, question, network
    }

    package struct Facts: OptionSet, Hashable, Sendable, BitwiseCopyable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The file is to be on the disk before it is completed.
        package static let syncs = Facts(rawValue: 1 << 0)
        package static let hasDigest = Facts(rawValue: 1 << 1)
        /// A download without a file: its bytes have left.
        package static let isStream = Facts(rawValue: 1 << 2)
        /// Files are open and locked.
        package static let hasFiles = Facts(rawValue: 1 << 3)
        /// Bytes may be on the disk.
        package static let hasBytes = Facts(rawValue: 1 << 4)
        /// The last byte came while it was paused.
        package static let isWhole = Facts(rawValue: 1 << 5)
        /// Its request or response needs a task.
        package static let isUnfit = Facts(rawValue: 1 << 6)
        /// The file may have its name, which is not recorded or not durable: `open` finds out.
        package static let mayBeNamed = Facts(rawValue: 1 << 7)
        /// The store has the intention to name it.
        package static let isIntended = Facts(rawValue: 1 << 8)
        /// All bytes are here.
        package static let isInTail = Facts(rawValue: 1 << 9)
        /// The attempt is suspended, or the copy was stopped.
        package static let isSuspended = Facts(rawValue: 1 << 10)
        /// It has another address or file since the operation began: another attempt follows at once.
        package static let isRelocated = Facts(rawValue: 1 << 11)
        /// Its files are copied once nothing uses them.
        package static let isToBeCopied = Facts(rawValue: 1 << 12)
        /// It starts after others, of which one has not completed.
        package static let isAfter = Facts(rawValue: 1 << 13)
        /// One of these has ended without completing.
        package static let isBarred = Facts(rawValue: 1 << 14)
        /// Another process may have the transfer: nothing more is recorded, named or deleted.
        package static let isLost = Facts(rawValue: 1 << 15)
    }

    /// When `due` is to be called, on the scheduler's clock; infinite: never.
    package internal(set) var due = Double.infinity
    /// Rises with each operation.
    package internal(set) var serial: UInt32 = 0
    package internal(set) var facts: Facts
    package internal(set) var attempt: UInt16 = 1
    package internal(set) var phase = Phase.idle
    package internal(set) var wish = Wish()
    package internal(set) var obstacle = Obstacle.none
    package internal(set) var holdsSlot = false

    package init(_ facts: Facts) { self.facts = facts }
}
