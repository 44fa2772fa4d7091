// SPDX-License-Identifier: MIT

package import TransferModel

/// The rows of a list over a queue, and sums over the queue and over groups. Pure.
///
/// It keeps no transfer, but what counts of each: state, sizes, place. A transfer that changes costs two searches and
/// the shift of an array of numbers; only another ``ListingSpec`` or another order of the queue costs a pass over all.
package struct QueueListing: Sendable {
    struct Entry: Sendable {
        var share: Tally.Share
        /// Its rank in the queue.
        var place: Int
        /// Which of the counted filters it matches, a bit each.
        var matches: UInt8 = 0
        var isMember = false
        /// The value by which a member of a sorted list was sorted last.
        var value: ListOrder.Value?
        /// The group of a member, in a list with groups.
        var key: String?
        /// A hash of that on which ``key`` depends.
        var source = 0
    }

    package private(set) var spec = ListingSpec()
    /// The order of the queue.
    package internal(set) var order: [TransferID] = []
    /// Over the whole queue.
    package internal(set) var tally = Tally()
    /// How many transfers of the queue match each filter of ``ListingSpec/counted``.
    package internal(set) var counts: [Int] = []
    /// The members in the order of the list, as if it had no groups.
    package internal(set) var members: [TransferID] = []
    /// The groups of the members.
    package internal(set) var groups = GroupedList()
    /// The queued transfers of the whole queue, in its order.
    package internal(set) var queued: [TransferID] = []
    /// The transfers of the whole queue that occupy a slot.
    package internal(set) var running: Set<TransferID> = []
    /// Members that do not progress.
    package internal(set) var problems = 0
    /// Members that have just finished: in ``ListingView/now`` they keep their places until they are noted again
    /// without being here.
    package var lingering: Set<TransferID> = []
    /// Why a transfer is as it is; filters search it.
    package var reason: @Sendable (Transfer) -> String?

    var entries = SlotTable<Entry>()
    private var filters: [ListFilter] = []
    private(set) var counted: [ListFilter] = []
    private var agesFrom = 0.0
    var nextPlace = 0
    /// Members whose value has changed since they were sorted.
    var moved: [TransferID: ListOrder.Value] = [:]

    package init(reason: @escaping @Sendable (Transfer) -> String? = { $0.note?.text }) { self.reason = reason }

    // MARK: Rows

    package var isGrouped: Bool { spec.isGrouped }
    package var rowCount: Int { isGrouped ? groups.rowCount : members.count }
    /// Whether members stand where an earlier value had put them.
    package var isOutdated: Bool { !moved.isEmpty }
    /// Whether the list depends on the time.
    package var hasAges: Bool { (filters + counted).contains(where: \.hasAges) }

    /// - Parameter index: below ``rowCount``.
    package func row(_ index: Int) -> ListRow { isGrouped ? groups.row(index) : .transfer(members[index]) }

    package func contains(_ id: TransferID) -> Bool { entries[id]?.isMember ?? false }

    /// The group of a member.
    package func key(of id: TransferID) -> String? { contains(id) ? entries[id]?.key : nil }

    /// Among ``members``.
    package func index(of id: TransferID) -> Int? {
        guard let entry = entries[id], entry.isMember else { return nil }
        return members.partitionPoint { precedes($0, entry) }
    }

    /// `nil` for a row that is not in the list, or hidden.
    package func index(of row: ListRow) -> Int? {
        switch row {
        case .group(let key): return isGrouped ? groups.row(ofGroup: key) : nil
        case .transfer(let id):
            guard isGrouped else { return index(of: id) }
            guard let entry = entries[id], let key = entry.key, entry.isMember, !groups.isFolded(key),
                let group = groups[key], let first = groups.firstMember(of: key)
            else { return nil }
            return first + group.members.partitionPoint { precedes($0, entry) }
        }
    }

    /// The number of members before it on the screen, those of folded groups included.
    package func membersBefore(_ id: TransferID) -> Int? {
        guard isGrouped else { return index(of: id) }
        guard let entry = entries[id], let key = entry.key, entry.isMember, let group = groups[key] else { return nil }
        return groups.membersBefore(key) + group.members.partitionPoint { precedes($0, entry) }
    }

    /// The number of queued ones before it, if it is queued.
    package func queuedBefore(_ id: TransferID) -> Int? {
        guard let entry = entries[id], entry.share.state == .queued else { return nil }
        return queued.partitionPoint { entries[$0]?.place ?? 0 < entry.place }
    }

    /// The members among `ids`, in the order of the list.
    package func inOrder(_ ids: Set<TransferID>) -> [TransferID] {
        if ids.count > members.count / 8 { return members.filter(ids.contains) }
        return ids.compactMap { index(of: $0) }.sorted().map { members[$0] }
    }

    // MARK: What is listed

    /// - Parameters:
    ///   - time: seconds since 1970, from which ages in filters count.
    ///   - lookUp: each transfer of the queue, as it was noted last.
    package mutating func show(
        _ new: ListingSpec, agesFrom time: Double = 0, transfers lookUp: (TransferID) -> Transfer?
    ) {
        let old = spec
        spec = new
        let isLater = time != agesFrom
        let isFiltered =
            new.view != old.view || new.filters != old.filters
            || isLater && filters.contains(where: \.hasAges)
        let isCounted = new.counted != old.counted || isLater && counted.contains(where: \.hasAges)
        let isOrdered = new.sorting != old.sorting
        let isGrouped =
            new.grouping != old.grouping || new.home != old.home
            || new.view != old.view && [new.view, old.view].contains(.now)
        agesFrom = time
        var isNarrower = false
        if isFiltered {
            let (wider, isAged) = (filters, isLater && filters.contains(where: \.hasAges))
            filters = new.filters.map { ListFilter($0, now: time) }
            isNarrower =
                new.view == old.view && !isAged && filters.count >= wider.count
                && zip(filters, wider).allSatisfy { $0.isNarrower(than: $1) }
        }
        if isCounted { counted = new.counted.map { ListFilter($0, now: time) } }
        if isFiltered || isCounted {
            // Others do not become members by a narrower filter.
            for id in isNarrower && !isCounted ? members : order {
                guard let slot = entries.slot(of: id), let transfer = lookUp(id) else { continue }
                if isCounted { entries.values[slot].matches = matches(transfer) }
                if isFiltered { entries.values[slot].isMember = isListed(transfer) }
            }
            if isCounted { recount() }
        }
        if isFiltered || isOrdered || isGrouped {
            describeMembers(isOrdered: isOrdered, isGrouped: isGrouped, lookUp)
            arrange()
        }
        if new.folded != groups.folded { groups.fold(new.folded) }
    }

    func isListed(_ transfer: Transfer) -> Bool {
        spec.view.contains(transfer) && filters.allSatisfy { $0.takes(transfer, reason: reason) }
    }

    func matches(_ transfer: Transfer) -> UInt8 {
        var bits: UInt8 = 0
        for (place, filter) in counted.prefix(ListingSpec.mostCounted).enumerated()
        where filter.takes(transfer, reason: reason) { bits |= 1 << UInt8(place) }
        return bits
    }

    /// Values and names of groups take long to find, and stay where the order or the grouping does: also those of
    /// transfers that a filter hides for now.
    private mutating func describeMembers(isOrdered: Bool, isGrouped: Bool, _ lookUp: (TransferID) -> Transfer?) {
        if isOrdered {
            for slot in entries.values.indices { entries.values[slot].value = nil }
        } else {
            for (id, value) in moved { entries[id]?.value = value }
        }
        if isGrouped {
            for slot in entries.values.indices { entries.values[slot].key = nil }
        }
        guard spec.sorting != nil || spec.isGrouped else { return }
        for id in order {
            guard let slot = entries.slot(of: id), entries.values[slot].isMember else { continue }
            let lacksValue = spec.sorting != nil && entries.values[slot].value == nil
            let lacksKey = spec.isGrouped && entries.values[slot].key == nil
            guard lacksValue || lacksKey, let transfer = lookUp(id) else { continue }
            var entry = entries.values[slot]
            describe(transfer, &entry)
            entries.values[slot] = entry
        }
    }

    /// Sets the values by which a member is sorted and grouped.
    func describe(_ transfer: Transfer, _ entry: inout Entry) {
        guard entry.isMember else {
            (entry.value, entry.key) = (nil, nil)
            return
        }
        entry.value = spec.sorting?.value(of: transfer)
        guard spec.isGrouped else { return entry.key = nil }
        entry.source = source(of: transfer)
        entry.key = spec.group(of: transfer, isOpen: lingering.contains(transfer.id))
    }

    func source(of transfer: Transfer) -> Int {
        var hasher = Hasher()
        if spec.view == .now {
            hasher.combine(ListingView.done.contains(transfer) && !lingering.contains(transfer.id))
            guard spec.grouping != nil, spec.grouping != .batch else { return hasher.finalize() }
        }
        hasher.combine(transfer.url)
        hasher.combine(transfer.file)
        return hasher.finalize()
    }

    private mutating func recount() {
        counts = Array(repeating: 0, count: counted.count)
        for entry in entries.values { count(entry.matches, 1) }
    }

    mutating func count(_ bits: UInt8, _ sign: Int) {
        guard bits != 0 else { return }
        for place in counts.indices where bits & (1 << UInt8(place)) != 0 { counts[place] += sign }
    }

    /// Sorts all members.
    mutating func arrange() {
        moved = [:]
        members = order.filter { entries[$0]?.isMember ?? false }
        problems = members.count { entries[$0]?.share.isProblem ?? false }
        if let listOrder = spec.sorting {
            let keyed = members.compactMap { id in
                entries[id].flatMap { entry in entry.value.map { (value: $0, place: entry.place, id: id) } }
            }
            members = keyed.sorted { listOrder.precedes($0.value, $0.place, $1.value, $1.place) }.map(\.id)
        }
        let known = entries
        groups.arrange(
            members.lazy.compactMap { id in
                known[id].flatMap { entry in entry.key.map { (id: id, key: $0, share: entry.share) } }
            })
    }

    func precedes(_ id: TransferID, _ entry: Entry) -> Bool {
        guard let other = entries[id] else { return false }
        guard let order = spec.sorting, let left = other.value, let right = entry.value else {
            return other.place < entry.place
        }
        return order.precedes(left, other.place, right, entry.place)
    }
}
