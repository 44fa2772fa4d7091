// SPDX-License-Identifier: MIT

/// A heap, the least key first, whose elements can be found in it: each change is O(log n), a look at the first O(1).
struct IndexedHeap<Key: Comparable & Sendable, Element: Hashable & Sendable>: Sendable {
    private var nodes: [(key: Key, element: Element)] = []
    private var positions: [Element: Int] = [:]

    var isEmpty: Bool { nodes.isEmpty }
    var first: (key: Key, element: Element)? { nodes.first }

    /// Puts an element in, or gives it another key.
    mutating func set(_ element: Element, key: Key) {
        guard let position = positions[element] else {
            nodes.append((key, element))
            positions[element] = nodes.count - 1
            return rise(from: nodes.count - 1)
        }
        nodes[position].key = key
        settle(position)
    }

    /// About the first so many, in order; who is a little farther may be missing.
    func leading(_ count: Int) -> [Element] { nodes.prefix(count).sorted { $0.key < $1.key }.map(\.element) }

    mutating func remove(_ element: Element) {
        guard let position = positions.removeValue(forKey: element) else { return }
        let last = nodes.removeLast()
        guard position < nodes.count else { return }
        nodes[position] = last
        positions[last.element] = position
        settle(position)
    }

    private mutating func settle(_ position: Int) {
        if position > 0, nodes[position].key < nodes[(position - 1) / 2].key { rise(from: position) } else { sink(from: position) }
    }

    private mutating func rise(from start: Int) {
        var position = start
        while position > 0, nodes[position].key < nodes[(position - 1) / 2].key {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var position = start
        while true {
            var least = position
            for child in 2 * position + 1...2 * position + 2 where child < nodes.count && nodes[child].key < nodes[least].key {
                least = child
            }
            guard least != position else { return }
            swap(position, least)
            position = least
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        nodes.swapAt(one, other)
        positions[nodes[one].element] = one
        positions[nodes[other].element] = other
    }
}
