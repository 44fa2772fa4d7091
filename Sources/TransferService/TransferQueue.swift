// SPDX-License-Identifier: MIT

import SessionCore
package import TransferControl
package import TransferModel

/// The queue as a value: its transfers, their order and state, and which may start. Pure.
///
/// It holds the only record of every transfer's state; the coordinator changes it through ``update(_:_:)`` and keeps no
/// copy. The order is the order of starting: the highest priority first, and within one priority as added. Adding,
/// changing and starting cost O(log n); returning or changing the whole order costs O(n).
package struct TransferQueue: Sendable {
    struct Entry: Sendable {
        var transfer: Transfer
        var line = Line.none
        /// All bytes are here, only the sync is pending: another transfer has its slot.
        var hasFreedSlot = false
        /// Stands in no line although it is queued: the transport starts it (``TransferQueue/reserve(_:)``).
        var isReserved = false

        var rank: QueueRank { QueueRank(transfer) }
        var occupiesSlot: Bool { transfer.state.occupiesSlot && !hasFreedSlot }

        /// Whether it belongs in a line.
        var mayStart: Bool { transfer.state == .queued && !isReserved && transfer.after == nil }

        mutating func becomes(_ new: Transfer) {
            line = .none
            transfer = new
            if new.state != .verifying { hasFreedSlot = false }
        }
    }

    /// Where a queued transfer is registered.
    enum Line: Sendable {
        case none
        /// Its start time has not come.
        case later
        case ordinary
        /// Starts when no other transfer is queued and the network is free of cost.
        case discretionary
    }

    /// All transfers of one priority, in order.
    struct PriorityClass: Sendable {
        var priority: Int
        var ids: [TransferID]
    }

    package private(set) var limits: QueueLimits
    /// The most that run at the same time while the system has no room for more; `nil`: as many as ``limits`` allow.
    package var ceiling: Int?
    /// Whether the network is free of cost now; no discretionary transfer starts while it is not.
    package var isNetworkFree = true
    var entries = ChunkedTable<TransferID, Entry>()
    /// Highest priority first; none is empty.
    var classes: [PriorityClass] = []
    private var nextID = 1
    var nextPlace: Int64 = 0
    /// How often all places were numbered again: earlier ones cannot be compared with later ones.
    var numbering = 0

    // Which transfers may start: see TransferQueue+Start.swift.
    var ordinary = StartQueues()
    var discretionary = StartQueues()
    var later = IndexedHeap<TransferID, Double>()
    /// By host if hosts are limited; else all under one name.
    var occupiedByHost: [String: Int] = [:]
    var occupied = 0
    /// Of those that occupy a slot: how many are not discretionary.
    var occupiedByOrdinary = 0
    var waiting = 0
    private var unfinished = 0
    /// Whether a transfer could run since ``becameIdle()`` was last true.
    private var hasWorked = false
    /// The number of reserved transfers.
    var reserved = 0
    /// Transfers during which an earlier process crashed: only one of them runs at a time.
    private(set) var suspects: Set<TransferID> = []
    private(set) var isSuspectRunning = false
    /// By transfer those that start after it; some may do so no more.
    var successors: [TransferID: Set<TransferID>] = [:]

    package init(limits: QueueLimits = .init()) { self.limits = limits }

    package subscript(id: TransferID) -> Transfer? { entries[id]?.transfer }
    @inline(__always) func isCompleted(_ id: TransferID) -> Bool {
        guard let index = entries.index(forKey: id) else { return false }
        return entries[at: index].transfer.state == .completed
    }
    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// All, in starting order.
    package var order: [TransferID] {
        classes.count == 1 ? classes[0].ids : classes.flatMap(\.ids)
    }

    package var snapshot: QueueSnapshot { QueueSnapshot(transfers: order.compactMap { self[$0] }, limits: limits) }

    /// Whether any transfer occupies a slot.
    package var isBusy: Bool { occupied > 0 }

    /// Whether nothing more will happen without a command.
    package var isIdle: Bool { unfinished == 0 }

    /// Whether the queue is idle and a transfer could run before: true once, and not again for those that are cancelled
    /// while they are paused.
    package mutating func becameIdle() -> Bool {
        guard isIdle, hasWorked else { return false }
        hasWorked = false
        return true
    }

    package mutating func setLimits(_ limits: QueueLimits) {
        let isAnotherHostLimit = limits.perHost != self.limits.perHost
        self.limits = limits
        if isAnotherHostLimit { rebuildQueues() }
    }

    // MARK: Who is in it

    /// Appends to its priority, under an ID that the queue assigns.
    package mutating func add(_ make: (TransferID) -> Transfer) -> TransferID {
        let id = TransferID(rawValue: nextID)
        add(make(id))
        return id
    }

    /// Appends to its priority, under its own ID.
    /// - Returns: `false`, without effect, if that ID is in use.
    @discardableResult
    package mutating func add(_ transfer: Transfer) -> Bool {
        let id = transfer.id
        guard entries[id] == nil else { return false }
        nextID = max(nextID, id.rawValue + 1)
        var entry = Entry(transfer: transfer)
        entry.transfer.place = place(for: transfer)
        nextPlace = entry.transfer.place + QueueRank.spacing
        let rank = entry.rank
        count(entryAt: entries.set(id, entry), 1)
        noteSuccessor(entry.transfer)
        let index = classIndex(rank.priority)
        if index < classes.count, classes[index].priority == rank.priority {
            classes[index].ids.append(id)
        } else {
            classes.insert(PriorityClass(priority: rank.priority, ids: [id]), at: index)
        }
        enqueue(id)
        return true
    }

    /// That of the store, unless others stand behind it.
    private func place(for transfer: Transfer) -> Int64 {
        let isBehindAll = entries.isEmpty || transfer.place > nextPlace - QueueRank.spacing
        return isBehindAll && abs(transfer.place) < QueueRank.placeLimit ? transfer.place : nextPlace
    }

    /// Adds what was remembered, in the order in which it was.
    /// - Parameter nextID: the next number to give, where the numbers of those that are gone must not come again.
    package mutating func restore(_ transfers: [Transfer], nextID: Int = 1) {
        entries.reserveCapacity(entries.count + transfers.count)
        for transfer in transfers { add(transfer) }
        self.nextID = max(self.nextID, nextID)
    }

    /// Removes transfers that have ended; others stay.
    /// - Returns: those that were removed.
    package mutating func remove(_ ids: [TransferID]) -> [TransferID] {
        let gone = Set(ids.filter { self[$0]?.state.isEnded == true })
        guard !gone.isEmpty else { return [] }
        let priorities = Set(gone.compactMap { entries[$0]?.rank.priority })
        for index in classes.indices where priorities.contains(classes[index].priority) {
            classes[index].ids.removeAll(where: gone.contains)
        }
        classes.removeAll { $0.ids.isEmpty }
        for id in gone { entries.remove(id) }
        var seen: Set<TransferID> = []
        return ids.filter { gone.contains($0) && seen.insert($0).inserted }
    }

    /// Changes a transfer's record, except its priority (see ``setPriority(_:of:)``). A change of state that
    /// ``TransferModel/TransferState/canBecome(_:)`` forbids is ignored, with all that came with it.
    /// - Returns: the record afterwards; `nil` when nothing was changed.
    @discardableResult
    package mutating func update(_ id: TransferID, _ change: (inout Transfer) -> Void) -> Transfer? {
        guard let index = entries.index(forKey: id) else { return nil }
        let old = entries[at: index].transfer
        var new = old
        change(&new)
        new.priority = old.priority
        new.place = old.place
        let (before, after) = (old.state, new.state)
        guard before == after || before.canBecome(after) else { return nil }
        // Most changes are of progress, which the order does not depend on.
        if before == after, old.url == new.url, old.earliestBegin == new.earliestBegin,
            old.isDiscretionary == new.isDiscretionary, old.after == new.after
        {
            entries[at: index].transfer = new
        } else {
            replace(id, at: index, with: new)
        }
        return new
    }

    /// Stores a record whose state, host or terms differ, and its place in the lines.
    private mutating func replace(_ id: TransferID, at index: Int, with new: Transfer) {
        dequeue(id)
        count(entryAt: index, -1)
        entries[at: index].becomes(new)
        noteSuccessor(new)
        if new.state != .queued, entries[at: index].isReserved {
            entries[at: index].isReserved = false
            reserved -= 1
        }
        count(entryAt: index, 1)
        enqueue(id)
        if suspects.contains(id) { requeueSuspects() }
    }

    mutating func setSuspects(_ ids: Set<TransferID>) {
        let released = suspects.subtracting(ids)
        suspects = ids
        requeueSuspects()
        for id in released where entries[id]?.line == Line.none { enqueue(id) }
    }

    /// Dequeues suspects while one of them runs.
    private mutating func requeueSuspects() {
        isSuspectRunning = suspects.contains { self[$0]?.state.occupiesSlot == true }
        for id in suspects {
            dequeue(id)
            enqueue(id)
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

    /// A transfer in state `verifying` only waits for the sync from now on: another may have its slot.
    mutating func freeSlot(of id: TransferID) {
        guard let entry = entries[id], entry.transfer.state == .verifying, !entry.hasFreedSlot else { return }
        occupy(entry.transfer, -1)
        entries.update(id) { $0.hasFreedSlot = true }
    }

    private mutating func count(entryAt index: Int, _ change: Int) {
        let state = entries[at: index].transfer.state
        if !state.isEnded, state != .paused {
            unfinished += change
            hasWorked = true
        }
        if state == .waiting { waiting += change }
        if state.occupiesSlot, !entries[at: index].hasFreedSlot { occupy(entries[at: index].transfer, change) }
    }
}
