// SPDX-License-Identifier: MIT

/// Values by key, without order. A dictionary of large values reserves up to three times what it stores, and copies all
/// of it to grow; this one grows by chunks, and only the small places are hashed.
struct ChunkedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var chunkSize: Int { 1024 }

    private var places: [Key: Int32] = [:]
    private var keys: [Key] = []
    /// All but the last are full.
    private var chunks: [[Value]] = []

    var count: Int { keys.count }
    var isEmpty: Bool { keys.isEmpty }
    /// In any order.
    var allKeys: [Key] { keys }

    mutating func reserveCapacity(_ count: Int) {
        places.reserveCapacity(count)
        keys.reserveCapacity(count)
    }

    /// Valid until a value is removed.
    func index(forKey key: Key) -> Int? { places[key].map(Int.init) }

    subscript(at index: Int) -> Value {
        _read { yield chunks[index / Self.chunkSize][index % Self.chunkSize] }
        _modify { yield &chunks[index / Self.chunkSize][index % Self.chunkSize] }
    }

    subscript(key: Key) -> Value? { index(forKey: key).map { self[at: $0] } }

    /// - Returns: the result of `change`; `nil`, without a call, for an unknown key.
    @discardableResult
    mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
        guard let index = index(forKey: key) else { return nil }
        return change(&self[at: index])
    }

    /// Adds a value, or replaces that of a known key.
    /// - Returns: its index.
    @discardableResult
    mutating func set(_ key: Key, _ value: Value) -> Int {
        if let index = index(forKey: key) {
            self[at: index] = value
            return index
        }
        let index = keys.count
        if index % Self.chunkSize == 0 {
            chunks.append([])
            // Most tables are short: the first chunk grows.
            if index > 0 { chunks[chunks.count - 1].reserveCapacity(Self.chunkSize) }
        }
        chunks[chunks.count - 1].append(value)
        keys.append(key)
        places[key] = Int32(index)
        return index
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        let index = Int(place)
        // The last takes its place.
        guard let lastKey = keys.popLast(), let last = chunks[chunks.count - 1].popLast() else { return nil }
        if chunks[chunks.count - 1].isEmpty { chunks.removeLast() }
        guard index < keys.count else { return last }
        let removed = self[at: index]
        self[at: index] = last
        keys[index] = lastKey
        places[lastKey] = place
        return removed
    }
}
