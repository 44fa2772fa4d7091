// SPDX-License-Identifier: MIT

package import TransferModel

/// The rows of a list in groups, of which some are folded. Pure.
///
/// Groups are in the order of their names. But a batch stands before what has no heading as long as something of it is
/// to come, and after it from then on.
package struct GroupedList: Sendable {
    package struct Group: Sendable {
        package let key: String
        /// In the order of the list.
        package fileprivate(set) var members: [TransferID] = []
        package fileprivate(set) var tally = Tally()
        /// The row of its heading.
        fileprivate var row = 0
        /// The members of a group without a name have none.
        fileprivate var hasHeading: Bool { !key.isEmpty }
        fileprivate var firstMember: Int { row + (hasHeading ? 1 : 0) }

        /// The least stands first.
        fileprivate var rank: Int {
            guard Grouping.isBatch(key) else { return key == ListingSpec.finished ? 3 : 1 }
            return tally[.completed] + tally[.cancelled] == tally.count ? 2 : 0
        }
    }

    /// In the order of their names.
    package private(set) var groups: [Group] = []
    /// Places in ``groups``, in the order of the screen.
    private var shown: [Int] = []
    package private(set) var folded: Set<String> = []
    package private(set) var rowCount = 0

    package init() {}

    package subscript(key: String) -> Group? { place(of: key).map { groups[$0] } }

    package func isFolded(_ key: String) -> Bool { folded.contains(key) != Grouping.isBatch(key) }

    /// All members in the order of the screen, as if no group were folded.
    package var members: [TransferID] { shown.flatMap { groups[$0].members } }

    /// The number of members in the groups before this one.
    func membersBefore(_ key: String) -> Int {
        guard let place = place(of: key) else { return 0 }
        return shown.prefix { $0 != place }.reduce(0) { $0 + groups[$1].members.count }
    }

    /// - Parameter index: below ``rowCount``.
    package func row(_ index: Int) -> ListRow {
        let group = groups[shown[shown.partitionPoint { groups[$0].row <= index } - 1]]
        return index < group.firstMember ? .group(group.key) : .transfer(group.members[index - group.firstMember])
    }

    /// The row of a heading.
    package func row(ofGroup key: String) -> Int? {
        place(of: key).flatMap { groups[$0].hasHeading ? groups[$0].row : nil }
    }

    /// The row of the first member of a group, were it unfolded.
    func firstMember(of key: String) -> Int? { place(of: key).map { groups[$0].firstMember } }

    private func place(of key: String) -> Int? {
        let place = groups.partitionPoint { $0.key < key }
        return place < groups.count && groups[place].key == key ? place : nil
    }

    // MARK: Changes; the rows are right again after ``layOut()``.

    /// Replaces all members, which are in the order of the list.
    mutating func arrange(_ members: some Sequence<(id: TransferID, key: String, share: Tally.Share)>) {
        groups = []
        var places: [String: Int] = [:]
        for (id, key, share) in members {
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append(Group(key: key))
            }
            groups[place].members.append(id)
            groups[place].tally.add(share)
        }
        groups.sort { $0.key < $1.key }
        layOut()
    }

    /// Where a transfer stands in a group, or would stand.
    /// - Parameter precedes: whether a member stands before it.
    func point(in key: String, _ precedes: (TransferID) -> Bool) -> Int {
        place(of: key).map { groups[$0].members.partitionPoint(precedes) } ?? 0
    }

    mutating func insert(_ id: TransferID, _ share: Tally.Share, into key: String, at point: Int) {
        let place = groups.partitionPoint { $0.key < key }
        if place == groups.count || groups[place].key != key { groups.insert(Group(key: key), at: place) }
        groups[place].members.insert(id, at: point)
        groups[place].tally.add(share)
    }

    mutating func remove(_ id: TransferID, _ share: Tally.Share, from key: String, at point: Int) {
        guard let place = place(of: key), point < groups[place].members.count, groups[place].members[point] == id
        else { return }
        groups[place].members.remove(at: point)
        groups[place].tally.remove(share)
        if groups[place].members.isEmpty { groups.remove(at: place) }
    }

    /// A member has changed, but stays in its group.
    /// - Returns: whether the group has another place on the screen.
    mutating func replace(_ old: Tally.Share, with new: Tally.Share, in key: String) -> Bool {
        guard let place = place(of: key) else { return false }
        let rank = groups[place].rank
        groups[place].tally.remove(old)
        groups[place].tally.add(new)
        return groups[place].rank != rank
    }

    mutating func fold(_ keys: Set<String>) {
        folded = keys
        layOut()
    }

    /// Takes time in proportion to the number of groups.
    mutating func layOut() {
        let ranks = groups.map(\.rank)
        shown = groups.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        rowCount = 0
        for place in shown {
            groups[place].row = rowCount
            rowCount = groups[place].firstMember + (isFolded(groups[place].key) ? 0 : groups[place].members.count)
        }
    }
}

extension Array {
    /// How many elements stand in front, for which `isBefore` holds; all others stand behind them.
    func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
