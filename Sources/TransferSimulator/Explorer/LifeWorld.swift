// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// Everything around one life: executors that reply as they like and when they like, a disk, a store, a user. Small
/// enough to be explored to its closure: any number of commands, faults and ends of the process.
struct LifeWorld {
    enum Bytes: UInt8 { case none, some, whole, synced }
    enum Name: UInt8 { case none, unsynced, durable }
    enum Exchange: UInt8 { case none, running, waiting, suspended, suspendedWaiting, stopping }
    enum Stock: UInt8 { case none, waiting, started }
    enum Promise: UInt8 { case none, paused, cancelled, runs }

    /// Options of a course.
    struct Kind: OptionSet {
        let rawValue: UInt16

        static let upload = Kind(rawValue: 1 << 0)
        /// A queue that ends with its process, without a store.
        static let local = Kind(rawValue: 1 << 1)
        static let powerCuts = Kind(rawValue: 1 << 2)
        /// The transport's stock may take it.
        static let stock = Kind(rawValue: 1 << 3)
        /// Cancels that delete the partial file, too.
        static let discards = Kind(rawValue: 1 << 4)
        /// Pauses and releases of the whole queue.
        static let holds = Kind(rawValue: 1 << 5)
        /// Other addresses and folders.
        static let places = Kind(rawValue: 1 << 6)
        /// Folders on other file systems.
        static let copies = Kind(rawValue: 1 << 7)
        /// The transfer starts after others.
        static let predecessors = Kind(rawValue: 1 << 8)
        static let undo = Kind(rawValue: 1 << 9)
        /// Other processes take transfers over.
        static let leases = Kind(rawValue: 1 << 10)

        static let all: Kind = [
            .powerCuts, .stock, .discards, .holds, .places, .copies, .predecessors, .undo, .leases,
        ]
    }

    /// The largest number stands for any.
    struct Budget: Hashable {
        var commands = UInt8.max
        var faults = UInt8.max
        /// Ends of the process and of the lease.
        var ends = UInt8.max
    }

    let kind: Kind
    var life: Life
    var budget: Budget
    var bytes = Bytes.none
    var name = Name.none
    var nameHasSyncedBytes = false
    /// The file has no name before its last one.
    var isNameless = false
    /// An existing file is taken in place of the transfer's own.
    var isSpared = false
    var isLocked = false
    var exchange = Exchange.none
    var stock = Stock.none
    /// Under way, until its reply is delivered.
    var op: Life.Op?
    var box = LifeMailbox()
    /// The serial of the latest withdrawn fetch: its replies may come at any time.
    var stale: UInt32?
    /// The record in the store, the one that survives a power cut, and the one that was given to the store.
    var stored: Life.Record
    var durable: Life.Record
    var pending: Life.Record?
    /// The latest command that has no reply yet, and what the latest reply promised.
    var asked = Promise.none
    var promise = Promise.none
    var isAnnounced = false
    /// The commit syncs the name that an earlier process gave.
    var commitSyncs = false
    var isEnding = false

    init(_ facts: Life.Facts, _ kind: Kind = [], _ budget: Budget = Budget()) {
        (self.kind, self.budget) = (kind, budget)
        life = Life(kind.contains(.stock) ? facts : facts.union(.isUnfit))
        stored = life.record
        durable = stored
    }

    var syncs: Bool { life.facts.contains(.syncs) }
    /// Its completion is a file of its own.
    var makesFile: Bool { !kind.contains(.upload) && !life.facts.contains(.isStream) }
}

extension LifeWorld: Explorable {
    var key: ExplorationKey {
        var key = ExplorationKey()
        key.add(min(budget.commands, 3), 2)
        key.add(min(budget.faults, 3), 2)
        key.add(min(budget.ends, 3), 2)
        key.add(true)
        key.add(life)
        key.add(life.attempt > 1 && kind.contains(.stock))
        key.add(bytes.rawValue, 2)
        key.add(name.rawValue, 2)
        key.add(nameHasSyncedBytes)
        key.add(isNameless)
        key.add(isSpared)
        key.add(isLocked)
        key.add(isAnnounced)
        key.add(commitSyncs)
        key.add(isEnding)
        key.add(exchange.rawValue, 3)
        key.add(stock.rawValue, 2)
        key.add(op.map { $0.rawValue + 1 } ?? 0, 4)
        key.add(box.replies.0.rawValue, 6)
        key.add(box.replies.1.rawValue, 6)
        key.add(box.replies.2.rawValue, 6)
        key.add(stored)
        key.add(durable)
        key.add(pending != nil)
        key.add(pending ?? stored)
        key.add(asked.rawValue, 2)
        key.add(promise.rawValue, 2)
        return key
    }

    mutating func calm() { budget = Budget(commands: .max, faults: 0, ends: 0) }

    /// A queue that ends with its process completes nothing afterwards.
    var isDone: Bool { life.state == .completed || kind.contains(.local) && isEnding && life.hasEnded }

    func calmMove(_ bug: LifeBug?) -> LifeMove {
        if !box.isEmpty { return .deliver() }
        var found: [LifeMove] = []
        moves(bug, &found)
        for move in found {
            switch move {
            case .reply, .happen(.due, _), .happen(.slot, _), .restart: return move
            default: continue
            }
        }
        if pending != nil { return .flush }
        let isPaused = life.state == .paused
        if life.facts.contains(.isAfter), !isPaused, !life.hasEnded { return .happen(.predecessors(.none)) }
        return .happen(isPaused ? .resume : .retry)
    }
}
