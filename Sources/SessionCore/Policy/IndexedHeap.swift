// SPDX-License-Identifier: MIT

/// A heap whose members have keys, so that any member can be removed or re-ranked. O(log n) each.
package struct IndexedHeap<Key: Hashable & Sendable, Rank: Comparable & Sendable>: Sendable {
    @usableFromInline var members: [(key: Key, rank: Rank)] = []
    @usableFromInline var places: [Key: Int] = [:]

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { members.isEmpty }
    /// The member with the smallest rank.
    @inlinable package var first: (key: Key, rank: Rank)? { members.first }

    /// `nil` for a key that is not a member.
    @inlinable package func rank(of key: Key) -> Rank? { places[key].map { members[$0].rank } }

    /// Approximately the first members, in order.
    @inlinable package func leading(_ count: Int) -> [Key] {
        members.prefix(count).sorted { $0.rank < $1.rank }.map(\.key)
    }

    /// Adds a member, or changes its rank.
    @inlinable package mutating func set(_ key: Key, _ rank: Rank) {
        if let place = places[key] {
            guard members[place].rank != rank else { return }
            members[place].rank = rank
            restoreOrder(place)
        } else {
            members.append((key, rank))
            places[key] = members.count - 1
            restoreOrder(members.count - 1)
        }
    }

    @inlinable package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        let last = members.removeLast()
        guard place < members.count else { return }
        members[place] = last
        places[last.key] = place
        restoreOrder(place)
    }

    /// Moves the member at `start` up or down to where it belongs.
    @inlinable mutating func restoreOrder(_ start: Int) {
        let member = members[start]
        var place = start
        while place > 0, member.rank < members[(place - 1) / Self.width].rank {
            move((place - 1) / Self.width, to: place)
            place = (place - 1) / Self.width
        }
        while let child = leastChild(of: place), members[child].rank < member.rank {
            move(child, to: place)
            place = child
        }
        guard place != start else { return }
        members[place] = member
        places[member.key] = place
    }

    @inlinable mutating func move(_ source: Int, to target: Int) {
        members[target] = members[source]
        places[members[target].key] = target
    }

    /// Children of a member: a move costs more than a comparison, because the place is in a dictionary, too.
    @inlinable static var width: Int { 4 }

    @inlinable func leastChild(of place: Int) -> Int? {
        let first = Self.width * place + 1
        guard first < members.count else { return nil }
        var least = first
        for child in first + 1..<max(first + 1, min(first + Self.width, members.count))
        where members[child].rank < members[least].rank { least = child }
        return least
    }
}
