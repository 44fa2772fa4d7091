// SPDX-License-Identifier: MIT

import SessionCore
package import TransferControl
package import TransferModel

/// The queue as a value: who is in it, in which order, in which state, and who may start. Pure.
///
/// Its snapshots are the one record of every transfer's state; whoever carries transfers out changes them through
/// ``update(_:_:)`` and keeps no copy. The order is that of starting: the highest priority first, and within one
/// priority as they were added. Adding, changing and starting cost O(log n); what gives the whole order back, or
/// changes it, O(n).
package struct TransferQueue: Sendable {
    struct Entry: Sendable {
        var transfer: Transfer
        var rank: QueueRank
        var line = Line.none
        /// All of it is here and waits for the disk alone: its slot is another's.
        var hasFreedSlot = false
        /// Stands in no line although it is queued: the transport starts it (``TransferQueue/reserve(_:)``).
        var isReserved = false

        var occupiesPlace: Bool { transfer.state.occupiesPlace && !hasFreedSlot }

        /// Whether it belongs in a line.
        var mayStart: Bool { transfer.state == .queued && !isReserved }

        mutating func becomes(_ new: Transfer) {
            line = .none
            transfer = new
            if new.state != .verifying { hasFreedSlot = false }
        }
    }

    /// Where one that is queued stands.
    enum Line: Sendable {
        case none
        /// Its time has not come.
        case later
        case ordinary
        /// Starts when nothing else wants to and the network costs nothing.
        case discretionary
    }

    /// All of one priority, in order.
    struct PriorityClass: Sendable {
        var priority: Int
        var ids: [TransferID]
    }

    package private(set) var limits: QueueLimits
    /// Whether the network costs nothing now; nobody who asks for that starts while it is false.
    package var isNetworkFree = true
    var entries: [TransferID: Entry] = [:]
    /// The highest first; none is empty.
    var classes: [PriorityClass] = []
    private var nextID = 1
    var nextPlace = 0

    // Who may start: see TransferQueue+Start.swift.
    var ordinary = StartLines()
    var discretionary = StartLines()
    var later = IndexedHeap<TransferID, Double>()
    /// By host, where they are limited; else all under one name.
    var occupiedByHost: [String: Int] = [:]
    var occupied = 0
    /// Of those that occupy a place: how many are not discretionary.
    var occupiedByOrdinary = 0
    var waiting = 0
    private var unsettled = 0
    /// How many are reserved.
    var reserved = 0
    /// Those under which an earlier process crashed: of them one runs at a time.
    private(set) var suspects: Set<TransferID> = []
    private(set) var isSuspectRunning = false

    package init(limits: QueueLimits = .init()) { self.limits = limits }

    package subscript(id: TransferID) -> Transfer? { entries[id]?.transfer }
    func isCompleted(_ id: TransferID) -> Bool {
        guard let index = entries.index(forKey: id) else { return false }
        return entries.values[index].transfer.state == .completed
    }
    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// All, in the order in which they start.
    package var order: [TransferID] {
        classes.count == 1 ? classes[0].ids : classes.flatMap(\.ids)
    }

    package var snapshot: QueueSnapshot { QueueSnapshot(transfers: order.compactMap { self[$0] }, limits: limits) }

    /// Whether anything runs now.
    package var isBusy: Bool { occupied > 0 }

    /// Whether nothing will happen any more unless somebody asks for it.
    package var isSettled: Bool { unsettled == 0 }

    package mutating func setLimits(_ limits: QueueLimits) {
        let isAnotherHostLimit = limits.perHost != self.limits.perHost
        self.limits = limits
        if isAnotherHostLimit { lineUpAnew() }
    }

    // MARK: Who is in it

    /// Adds behind all of the same priority, under a number of the queue's own.
    package mutating func add(_ make: (TransferID) -> Transfer) -> TransferID {
        let id = TransferID(rawValue: nextID)
        add(make(id))
        return id
    }

    /// Adds behind all of the same priority, under the number that it bears.
    /// - Returns: `false`, and nothing was done, where that number is taken.
    @discardableResult
    package mutating func add(_ transfer: Transfer) -> Bool {
        let id = transfer.id
        guard entries[id] == nil else { return false }
        nextID = max(nextID, id.rawValue + 1)
        let rank = QueueRank(priority: QueueRank.priority(transfer.priority), place: nextPlace)
        nextPlace += Self.placeStep
        let entry = Entry(transfer: transfer, rank: rank)
        entries[id] = entry
        let index = classIndex(rank.priority)
        if index < classes.count, classes[index].priority == rank.priority {
            classes[index].ids.append(id)
        } else {
            classes.insert(PriorityClass(priority: rank.priority, ids: [id]), at: index)
        }
        count(entry, 1)
        lineUp(id)
        return true
    }

    /// Adds what was remembered, in the order in which it was.
    /// - Parameter nextID: the next number to give, where the numbers of those that are gone must not come again.
    package mutating func restore(_ transfers: [Transfer], nextID: Int = 1) {
        entries.reserveCapacity(entries.count + transfers.count)
        for transfer in transfers { add(transfer) }
        self.nextID = max(self.nextID, nextID)
    }

    /// Forgets transfers that have ended; others stay.
    /// - Returns: those that were forgotten.
    package mutating func remove(_ ids: [TransferID]) -> [TransferID] {
        let gone = Set(ids.filter { self[$0]?.state.isEnded == true })
        guard !gone.isEmpty else { return [] }
        let priorities = Set(gone.compactMap { entries[$0]?.rank.priority })
        for index in classes.indices where priorities.contains(classes[index].priority) {
            classes[index].ids.removeAll(where: gone.contains)
        }
        classes.removeAll { $0.ids.isEmpty }
        for id in gone { entries[id] = nil }
        var told: Set<TransferID> = []
        return ids.filter { gone.contains($0) && told.insert($0).inserted }
    }

    /// Changes a transfer's record, all but its priority (see ``setPriority(_:of:)``). A change of state that
    /// ``TransferModel/TransferState/canBecome(_:)`` forbids is left out, with all that came with it.
    /// - Returns: the record afterwards; `nil` when nothing was changed.
    @discardableResult
    package mutating func update(_ id: TransferID, _ change: (inout Transfer) -> Void) -> Transfer? {
        guard let index = entries.index(forKey: id) else { return nil }
        let old = entries.values[index].transfer
        var new = old
        change(&new)
        new.priority = old.priority
        let (before, after) = (old.state, new.state)
        guard before == after || before.canBecome(after) else { return nil }
        // Most changes are of progress, which the order does not depend on.
        if before == after, old.url == new.url, old.earliestBegin == new.earliestBegin,
            old.isDiscretionary == new.isDiscretionary
        {
            entries.values[index].transfer = new
        } else {
            replace(id, at: index, with: new)
        }
        return new
    }

    /// Stores a record whose state, host or terms differ, and its place in the lines.
    private mutating func replace(_ id: TransferID, at index: Dictionary<TransferID, Entry>.Index, with new: Transfer) {
        leaveLine(id)
        count(entries.values[index], -1)
        entries.values[index].becomes(new)
        if new.state != .queued, entries.values[index].isReserved {
            entries.values[index].isReserved = false
            reserved -= 1
        }
        count(entries.values[index], 1)
        lineUp(id)
        if suspects.contains(id) { lineUpSuspects() }
    }

    mutating func setSuspects(_ ids: Set<TransferID>) {
        let released = suspects.subtracting(ids)
        suspects = ids
        lineUpSuspects()
        for id in released where entries[id]?.line == Line.none { lineUp(id) }
    }

    /// Takes suspects out of line while one of them runs.
    private mutating func lineUpSuspects() {
        isSuspectRunning = suspects.contains { self[$0]?.state.occupiesPlace == true }
        for id in suspects {
            leaveLine(id)
            lineUp(id)
        }
    }

    /// The first class that is not above `priority`.
    func classIndex(_ priority: Int) -> Int {
        var (low, high) = (0, classes.count)
        while low < high {
            let middle = (low + high) / 2
            if classes[middle].priority > priority { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A transfer in state `verifying` waits for the disk alone from now on: another may have its slot.
    mutating func freeSlot(of id: TransferID) {
        guard let entry = entries[id], entry.transfer.state == .verifying, !entry.hasFreedSlot else { return }
        occupy(entry.transfer, -1)
        entries[id]?.hasFreedSlot = true
    }

    private mutating func count(_ entry: Entry, _ change: Int) {
        let transfer = entry.transfer
        if !transfer.state.isEnded, transfer.state != .paused { unsettled += change }
        if transfer.state == .waiting { waiting += change }
        if entry.occupiesPlace { occupy(transfer, change) }
    }
}
