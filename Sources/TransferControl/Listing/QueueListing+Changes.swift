// SPDX-License-Identifier: MIT

package import TransferModel

/// Changes of the queue.
extension QueueListing {
    /// Replaces the queue.
    package mutating func replaceAll(_ transfers: [Transfer]) {
        (order, entries, tally, nextPlace) = ([], SlotTable(), Tally(), 0)
        counts = Array(repeating: 0, count: counted.count)
        order.reserveCapacity(transfers.count)
        entries.reserveCapacity(transfers.count)
        (queued, running) = ([], [])
        for transfer in transfers where entries[transfer.id] == nil { append(transfer) }
        arrange()
    }

    private mutating func append(_ transfer: Transfer) {
        var entry = Entry(share: Tally.Share(transfer), place: nextPlace)
        nextPlace += 1
        (entry.matches, entry.isMember) = (matches(transfer), isListed(transfer))
        describe(transfer, &entry)
        entries[transfer.id] = entry
        order.append(transfer.id)
        register(transfer.id, entry, 1)
        tally.add(entry.share)
        count(entry.matches, 1)
    }

    /// A transfer that is new, at the end of the queue, or has changed. ``layOut()`` follows the last one.
    /// - Returns: whether other rows are in the list than before, or in other places.
    package mutating func note(_ transfer: Transfer) -> Bool {
        let id = transfer.id
        guard let known = entries[id] else {
            append(transfer)
            if let entry = entries[id], entry.isMember { enter(id, entry) }
            return true
        }
        var entry = known
        entry.share = Tally.Share(transfer)
        if known.share.state != entry.share.state {
            register(id, known, -1)
            register(id, entry, 1)
        }
        tally.remove(known.share)
        tally.add(entry.share)
        if !counted.isEmpty {
            entry.matches = matches(transfer)
            count(known.matches, -1)
            count(entry.matches, 1)
        }
        entry.isMember = isListed(transfer)
        guard known.isMember, entry.isMember else {
            if known.isMember { leave(id, known) }
            describe(transfer, &entry)
            entries[id] = entry
            if entry.isMember { enter(id, entry) }
            return known.isMember != entry.isMember
        }
        if let value = spec.sorting?.value(of: transfer), !lingering.contains(id) {
            moved[id] = value == known.value ? nil : value
        }
        problems += (entry.share.isProblem ? 1 : 0) - (known.share.isProblem ? 1 : 0)
        guard spec.isGrouped, let oldKey = known.key else {
            entries[id] = entry
            return false
        }
        entry.source = source(of: transfer)
        if entry.source != known.source { entry.key = spec.group(of: transfer, isOpen: lingering.contains(id)) }
        defer { entries[id] = entry }
        guard let key = entry.key, key != oldKey else {
            return groups.replace(known.share, with: entry.share, in: oldKey)
        }
        let point = groups.point(in: oldKey) { precedes($0, known) }
        groups.remove(id, known.share, from: oldKey, at: point)
        let goal = groups.point(in: key) { precedes($0, entry) }
        groups.insert(id, entry.share, into: key, at: goal)
        return true
    }

    /// Among those that are queued or running.
    private mutating func register(_ id: TransferID, _ entry: Entry, _ sign: Int) {
        if entry.share.state.occupiesSlot {
            if sign > 0 { running.insert(id) } else { running.remove(id) }
        }
        guard entry.share.state == .queued else { return }
        // Most are added, one after the other.
        if sign > 0, entries[queued.last ?? id]?.place ?? 0 <= entry.place { return queued.append(id) }
        let index = queued.partitionPoint { entries[$0]?.place ?? 0 < entry.place }
        if sign > 0 {
            queued.insert(id, at: index)
        } else if index < queued.count, queued[index] == id {
            queued.remove(at: index)
        }
    }

    /// A member takes its place. Its entry is known.
    private mutating func enter(_ id: TransferID, _ entry: Entry) {
        members.insert(id, at: members.partitionPoint { precedes($0, entry) })
        if let key = entry.key {
            let point = groups.point(in: key) { precedes($0, entry) }
            groups.insert(id, entry.share, into: key, at: point)
        }
        if entry.share.isProblem { problems += 1 }
    }

    /// The reverse.
    private mutating func leave(_ id: TransferID, _ entry: Entry) {
        moved[id] = nil
        let index = members.partitionPoint { precedes($0, entry) }
        if index < members.count, members[index] == id { members.remove(at: index) }
        if let key = entry.key {
            let point = groups.point(in: key) { precedes($0, entry) }
            groups.remove(id, entry.share, from: key, at: point)
        }
        if entry.share.isProblem { problems -= 1 }
    }

    /// After changes: numbers the rows of groups.
    package mutating func layOut() { if isGrouped { groups.layOut() } }

    /// Moves the members of a sorted list whose values have changed to their places.
    package mutating func reorder() {
        guard !moved.isEmpty else { return }
        if moved.count > 64 + members.count / 16 {
            for (id, value) in moved { entries[id]?.value = value }
            return arrange()
        }
        for (id, value) in moved {
            guard var entry = entries[id] else { continue }
            leave(id, entry)
            entry.value = value
            entries[id] = entry
            enter(id, entry)
        }
        moved = [:]
        layOut()
    }

    package mutating func remove(_ ids: Set<TransferID>) {
        let known = ids.compactMap { id in entries[id].map { (id: id, entry: $0) } }
        lingering.subtract(ids)
        for (id, entry) in known {
            tally.remove(entry.share)
            count(entry.matches, -1)
            running.remove(id)
            if known.count <= 32 {
                register(id, entry, -1)
                if entry.isMember { leave(id, entry) }
                let index = order.partitionPoint { entries[$0]?.place ?? 0 < entry.place }
                if index < order.count, order[index] == id { order.remove(at: index) }
            }
            entries[id] = nil
        }
        if known.count > 32 {
            order.removeAll(where: ids.contains)
            queued.removeAll(where: ids.contains)
            for id in ids { moved[id] = nil }
            reorderAll()
        }
        layOut()
    }

    /// All members are sorted by what was noted last.
    private mutating func reorderAll() {
        for (id, value) in moved { entries[id]?.value = value }
        arrange()
    }

    /// The queue has another order.
    package mutating func setOrder(_ ids: [TransferID]) {
        let listed = ids.filter { entries[$0] != nil }
        let set = Set(listed)
        // One that the new order does not have stays, at the end.
        order = listed.count == set.count ? listed + order.filter { !set.contains($0) } : order
        nextPlace = order.count
        for (place, id) in order.enumerated() { entries[id]?.place = place }
        queued = order.filter { entries[$0]?.share.state == .queued }
        reorderAll()
    }
}
