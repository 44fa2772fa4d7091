// SPDX-License-Identifier: MIT

/// Stored responses in memory, limited in size. A value; no I/O.
struct MemoryCache: Sendable {
    let capacity: Int
    private var responses: [String: CachedResponse] = [:]
    private var index = RecencyIndex()
    private var uses: Int64 = 0
    /// Incremented whenever a response is stored or removed.
    private(set) var changes = 0

    init(capacity: Int) { self.capacity = capacity }

    var size: Int { index.size }

    mutating func load(_ key: String) -> CachedResponse? {
        guard let response = responses[key] else { return nil }
        uses += 1
        index.touch(key, lastUse: uses)
        return response
    }

    /// Replaces the response for `key`; if `response` is too large, nothing remains.
    mutating func store(_ response: CachedResponse, _ key: String) {
        remove(key)
        let cost = response.cost
        guard cost <= capacity / 20 else { return }
        for evicted in index.evict(to: capacity - cost) { responses[evicted] = nil }
        uses += 1
        responses[key] = response
        index.insert(key, size: cost, lastUse: uses)
    }

    mutating func remove(_ key: String) {
        changes += 1
        responses[key] = nil
        index.remove(key)
    }

    /// - Parameter time: seconds since 1970; `nil`: all.
    mutating func removeAll(since time: Int64?) {
        changes += 1
        for (key, response) in responses where time.map({ response.storedTime >= $0 }) ?? true { remove(key) }
    }
}
