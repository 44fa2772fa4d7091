// SPDX-License-Identifier: MIT

import TransferModel

/// A line of the list.
enum ListRow: Hashable, Sendable {
    /// The heading of a group.
    case group(String)
    case transfer(TransferID)
}

/// A list in groups, in the order of their names, of which some are folded. Pure.
struct GroupedList: Sendable {
    struct Group: Sendable {
        let key: String
        /// In the order of the list.
        var members: [TransferID] = []
        var tally = Tally()
    }

    private(set) var groups: [Group] = []
    private(set) var rows: [ListRow] = []
    private(set) var folded: Set<String> = []
    /// Of all members. Addresses take long to parse, and change seldom.
    private var keys: [TransferID: String] = [:]
    private var places: [String: Int] = [:]

    subscript(key: String) -> Group? { places[key].map { groups[$0] } }

    /// The group of a member.
    func key(of id: TransferID) -> String? { keys[id] }

    func isFolded(_ key: String) -> Bool { folded.contains(key) }

    /// All members, as if no group were folded.
    var members: [TransferID] { groups.flatMap(\.members) }

    /// Replaces all members.
    /// - Parameter key: the name of a transfer's group, if it is not known.
    mutating func arrange(_ transfers: some Sequence<Transfer>, key: (Transfer) -> String) {
        let known = keys
        (groups, keys, places) = ([], [:], [:])
        for transfer in transfers {
            let name = known[transfer.id] ?? key(transfer)
            let place = places[name] ?? groups.count
            if place == groups.count {
                places[name] = place
                groups.append(Group(key: name))
            }
            keys[transfer.id] = name
            groups[place].members.append(transfer.id)
            groups[place].tally.add(transfer)
        }
        groups.sort { $0.key < $1.key }
        for (index, group) in groups.enumerated() { places[group.key] = index }
        layOut()
    }

    /// A member has changed, but stays in its group.
    mutating func replace(_ old: Transfer, with new: Transfer) {
        guard let place = keys[new.id].flatMap({ places[$0] }) else { return }
        groups[place].tally.remove(old)
        groups[place].tally.add(new)
    }

    /// What a transfer's group depends on has changed.
    mutating func forgetKey(of id: TransferID) { keys[id] = nil }

    mutating func forgetKeys() { keys = [:] }

    mutating func setFolded(_ isFolded: Bool, _ key: String) {
        if isFolded { folded.insert(key) } else { folded.remove(key) }
        layOut()
    }

    private mutating func layOut() {
        rows = []
        for group in groups {
            rows.append(.group(group.key))
            if !folded.contains(group.key) { rows += group.members.map { .transfer($0) } }
        }
    }
}
