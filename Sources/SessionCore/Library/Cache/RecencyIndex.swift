// SPDX-License-Identifier: MIT

/// Sizes of entries and their last use; selects entries to evict. No I/O.
struct RecencyIndex: Sendable {
    private struct Entry {
        var size: Int
        var lastUse: Int64
    }

    private var entries: [String: Entry] = [:]
    /// Of all entries.
    private(set) var size = 0

    func contains(_ key: String) -> Bool { entries[key] != nil }

    /// Replaces an entry of the same key.
    mutating func insert(_ key: String, size: Int, lastUse: Int64) {
        remove(key)
        entries[key] = Entry(size: size, lastUse: lastUse)
        self.size += size
    }

    mutating func touch(_ key: String, lastUse: Int64) { entries[key]?.lastUse = lastUse }

    mutating func remove(_ key: String) {
        if let entry = entries.removeValue(forKey: key) { size -= entry.size }
    }

    /// Evicts the least recently used entries until the rest is `limit` or less.
    /// - Returns: their keys, in that order.
    mutating func evict(to limit: Int) -> [String] {
        var evicted: [String] = []
        // Usually one entry is evicted, which is found faster than by sorting.
        while size > limit, evicted.count < 4, let oldest = entries.min(by: Self.isOlder) {
            remove(oldest.key)
            evicted.append(oldest.key)
        }
        guard size > limit else { return evicted }
        for (key, _) in entries.sorted(by: Self.isOlder) {
            guard size > limit else { break }
            remove(key)
            evicted.append(key)
        }
        return evicted
    }

    private static func isOlder(_ one: (key: String, value: Entry), _ other: (key: String, value: Entry)) -> Bool {
        one.value.lastUse == other.value.lastUse ? one.key < other.key : one.value.lastUse < other.value.lastUse
    }
}
