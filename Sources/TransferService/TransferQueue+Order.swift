// SPDX-License-Identifier: MIT

package import TransferControl
package import TransferModel

/// Changes of the order.
extension TransferQueue {
    /// The effect of a change of the order.
    package struct Reordering: Sendable, Equatable {
        package var isOrderChanged = false
        /// Transfers whose priority has changed.
        package var reprioritized: [TransferID] = []
        /// Whether all have another place than before, not only those that were moved.
        package var isRenumbered = false
    }

    // MARK: Lists

    /// Those that match, in order. IDs are looked up, and nothing behind the limit is visited.
    package func transfers(matching filter: QueueFilter) -> [Transfer] {
        let (matcher, limit) = (QueueFilterMatcher(filter), max(0, filter.limit ?? .max))
        var found: [Transfer] = []
        if let ids = filter.ids {
            found = Set(ids).compactMap { self[$0] }.filter(matcher.takes)
            // The rank of each once, not at each comparison.
            let ranked = found.map { (rank: QueueRank($0), transfer: $0) }.sorted { $0.rank < $1.rank }
            return ranked.prefix(limit).map(\.transfer)
        }
        for priorityClass in classes {
            for id in priorityClass.ids {
                guard found.count < limit else { return found }
                guard let index = entries.index(forKey: id), matcher.takes(entries[at: index].transfer) else {
                    continue
                }
                found.append(entries[at: index].transfer)
            }
        }
        return found
    }

    // MARK: Moves

    /// Moves transfers in their current order, whatever the order of `ids`; unknown ones are ignored.
    ///
    /// The highest priority always starts first. So a transfer that is moved past another takes over its priority, and
    /// one that is moved to the top starts next.
    package mutating func move(_ ids: [TransferID], _ move: QueueMove) -> Reordering {
        let moved = Set(ids.filter { entries[$0] != nil })
        let old = order
        var new = old
        switch move {
        case .top: new = old.filter(moved.contains) + old.filter { !moved.contains($0) }
        case .bottom: new = old.filter { !moved.contains($0) } + old.filter(moved.contains)
        case .up:
            for index in new.indices.dropFirst() where moved.contains(new[index]) && !moved.contains(new[index - 1]) {
                new.swapAt(index, index - 1)
            }
        case .down:
            for index in new.indices.dropLast().reversed()
            where moved.contains(new[index]) && !moved.contains(new[index + 1]) {
                new.swapAt(index, index + 1)
            }
        }
        guard new != old else { return Reordering() }
        let isUpward = move == .top || move == .up
        return apply(new, Self.runs(of: moved, in: new, unlike: old), isUpward: isUpward)
    }

    /// Adjacent moved transfers, as ranges. A transfer that was at the end already has not moved.
    private static func runs(of moved: Set<TransferID>, in new: [TransferID], unlike old: [TransferID]) -> [Range<Int>]
    {
        var runs: [Range<Int>] = []
        for index in new.indices where new[index] != old[index] && moved.contains(new[index]) {
            let start = runs.last?.upperBound == index ? runs.removeLast().lowerBound : index
            runs.append(start..<index + 1)
        }
        return runs
    }

    /// Assigns the moved transfers the priority of the one they have passed, and ranks beside it.
    private mutating func apply(_ new: [TransferID], _ runs: [Range<Int>], isUpward: Bool) -> Reordering {
        var result = Reordering(isOrderChanged: true)
        var sizes = Dictionary(uniqueKeysWithValues: classes.map { ($0.priority, $0.ids.count) })
        var hasGap = true
        for run in runs {
            let passed = isUpward ? run.upperBound : run.lowerBound - 1
            let beyond = isUpward ? run.lowerBound - 1 : run.upperBound
            guard new.indices.contains(passed), let neighbour = entries[new[passed]] else { continue }
            let priority = neighbour.rank.priority
            for id in new[run] {
                guard let own = entries[id]?.rank.priority, own != priority else { continue }
                sizes[own, default: 0] -= 1
                sizes[priority, default: 0] += 1
                entries.update(id) { $0.transfer.priority = neighbour.transfer.priority }
                result.reprioritized.append(id)
            }
            let other = new.indices.contains(beyond) ? entries[new[beyond]]?.rank : nil
            let far = other?.priority == priority ? other?.place : nil
            hasGap =
                placeRun(
                    isUpward ? new[run].reversed() : Array(new[run]), from: neighbour.rank.place, to: far,
                    direction: isUpward ? -1 : 1) && hasGap
        }
        var start = 0
        classes = sizes.sorted { $0.key > $1.key }.compactMap { priority, size in
            defer { start += size }
            return size > 0 ? PriorityClass(priority: priority, ids: Array(new[start..<start + size])) : nil
        }
        if !hasGap {
            renumber()
            result.isRenumbered = true
        }
        return result
    }

    /// - Parameter far: the rank's `place` of the next transfer of this priority behind them; `nil` if there is none.
    /// - Returns: whether the gap was large enough for all.
    private mutating func placeRun(
        _ ids: [TransferID], from near: Int64, to far: Int64?, direction: Int64
    ) -> Bool {
        let step = far.map { abs($0 - near) / Int64(ids.count + 1) } ?? QueueRank.spacing
        for (index, id) in ids.enumerated() {
            dequeue(id)
            let place = near + direction * step * Int64(index + 1)
            entries.update(id) { $0.transfer.place = place }
            nextPlace = max(nextPlace, place + QueueRank.spacing)
            enqueue(id)
        }
        return step > 0
    }

    private mutating func renumber() {
        numbering += 1
        for priorityClass in classes {
            for id in priorityClass.ids {
                let place = nextPlace
                entries.update(id) { $0.transfer.place = place }
                nextPlace += QueueRank.spacing
            }
        }
        rebuildQueues()
    }

    // MARK: Earlier places

    /// Where a transfer stood.
    package struct OldPlace: Sendable, Hashable {
        package var id: TransferID
        var priority: Double?
        var place: Int64
        var numbering: Int
    }

    /// Unknown ones are omitted.
    package func places(of ids: [TransferID]) -> [OldPlace] {
        ids.compactMap { id in
            entries[id].map {
                OldPlace(
                    id: id, priority: $0.transfer.priority, place: $0.transfer.place, numbering: numbering)
            }
        }
    }

    /// Returns transfers to earlier places, among those that are there now.
    /// - Returns: those that stand there; not the unknown ones, nor those whose place was numbered differently.
    package mutating func restore(_ places: [OldPlace]) -> (change: Reordering, restored: [TransferID]) {
        let wanted = places.filter { $0.numbering == numbering && entries[$0.id] != nil }
        guard !wanted.isEmpty else { return (Reordering(), []) }
        let old = order
        let moved = Set(wanted.map(\.id))
        for index in classes.indices { classes[index].ids.removeAll(where: moved.contains) }
        classes.removeAll { $0.ids.isEmpty }
        var result = Reordering()
        for place in wanted.sorted(by: { ($0.place, $0.id.rawValue) < ($1.place, $1.id.rawValue) }) {
            if entries[place.id]?.transfer.priority != place.priority { result.reprioritized.append(place.id) }
            dequeue(place.id)
            entries.update(place.id) { entry in
                entry.transfer.priority = place.priority
                entry.transfer.place = place.place
            }
            let rank = QueueRank.priority(place.priority)
            let index = classIndex(rank)
            if index == classes.count || classes[index].priority != rank {
                classes.insert(PriorityClass(priority: rank, ids: []), at: index)
            }
            classes[index].ids.insert(place.id, at: position(of: place.id, in: classes[index].ids))
            enqueue(place.id)
        }
        result.isOrderChanged = order != old
        return (result, wanted.map(\.id))
    }

    // MARK: Priorities

    /// Sorts transfers into their new priority by the order in which they were added.
    /// - Parameter priority: 0…1, rounded to thousandths.
    package mutating func setPriority(_ priority: Double, of ids: [TransferID]) -> Reordering {
        let rank = QueueRank.priority(priority)
        var seen: Set<TransferID> = []
        let changed = ids.filter { id in
            guard let own = entries[id]?.rank.priority else { return false }
            return own != rank && seen.insert(id).inserted
        }
        guard !changed.isEmpty else { return Reordering() }
        let old = order
        for index in classes.indices where classes[index].priority != rank {
            classes[index].ids.removeAll(where: seen.contains)
        }
        classes.removeAll { $0.ids.isEmpty }
        let index = classIndex(rank)
        if index == classes.count || classes[index].priority != rank {
            classes.insert(PriorityClass(priority: rank, ids: []), at: index)
        }
        let placed = changed.map { ($0, entries[$0]?.transfer.place ?? 0) }
            .sorted { ($0.1, $0.0.rawValue) < ($1.1, $1.0.rawValue) }
        for (id, _) in placed {
            dequeue(id)
            entries.update(id) { $0.transfer.priority = rank == 500 ? nil : priority }
            classes[index].ids.insert(id, at: position(of: id, in: classes[index].ids))
            enqueue(id)
        }
        return Reordering(isOrderChanged: order != old, reprioritized: changed)
    }

    /// Behind all that its rank is behind of.
    private func position(of id: TransferID, in ids: [TransferID]) -> Int {
        guard let rank = entries[id]?.rank else { return ids.count }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if let other = entries[ids[middle]]?.rank, other < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
