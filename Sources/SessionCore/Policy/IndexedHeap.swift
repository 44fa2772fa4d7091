// SPDX-License-Identifier: MIT

/// A heap whose members have keys, so that any member can be removed or re-ranked. O(log n) each.
public struct IndexedHeap<Key: Hashable & Sendable, Rank: Comparable & Sendable>: Sendable {
    @usableFromInline var members: [(key: Key, rank: Rank)] = []
    @usableFromInline var places: [Key: Int] = [:]

    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { members.isEmpty }
    /// The member with the smallest rank.
    @inlinable public var first: (key: Key, rank: Rank)? { members.first }

    /// `nil` for a key that is not a member.
    @inlinable public func rank(of key: Key) -> Rank? { places[key].map { members[$0].rank } }

    /// Approximately the first members, in order.
    @inlinable public func leading(_ count: Int) -> [Key] {
        members.prefix(count).sorted { $0.rank < $1.rank }.map(\.key)
    }

    /// Adds a member, or changes its rank.
    @inlinable public mutating func set(_ key: Key, _ rank: Rank) {
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

    @inlinable public mutating func remove(_ key: Key) {
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
        while place > 0, member.rank < members[(place - 1) / 2].rank {
            move((place - 1) / 2, to: place)
            place = (place - 1) / 2
        }
        while let child = lesserChild(of: place), members[child].rank < member.rank {
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

    @inlinable func lesserChild(of place: Int) -> Int? {
        let left = 2 * place + 1
        guard left < members.count else { return nil }
        return left + 1 < members.count && members[left + 1].rank < members[left].rank ? left + 1 : left
    }
}
