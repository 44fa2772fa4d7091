// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What is kept in memory, and the store as a whole without a folder.
@Suite struct ResponseCacheTests {
    private func url(_ name: String) throws -> TransferURL { try TransferURL("http://a.test/\(name)") }

    /// Costs a little more than 1000 bytes.
    private func answer(_ body: UInt8 = 0, count: Int = 400) throws -> CachedResponse {
        try CacheSamples.stored([], body: Array(repeating: body, count: count))
    }

    @Test func storesResponses() throws {
        let cache = ResponseCache()
        let one = try url("one")
        #expect(cache.cachedResponse(for: one) == nil)
        cache.store(try answer(1), for: one)
        cache.store(try answer(2), for: try url("two"))
        #expect(cache.cachedResponse(for: one)?.body.first == 1)
        cache.store(try answer(3), for: one)
        #expect(cache.cachedResponse(for: one)?.body.first == 3)
        #expect(cache.currentDiskUsage == 0)
        cache.remove(for: one)
        #expect(cache.cachedResponse(for: one) == nil)
        cache.removeAll()
        #expect(cache.cachedResponse(for: try url("two")) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func evictsTheLeastRecentlyUsedResponse() throws {
        let cost = try answer().cost
        let cache = ResponseCache(memoryCapacity: cost * 20)
        for index in 0..<20 { cache.store(try answer(), for: try url("\(index)")) }
        #expect(cache.currentMemoryUsage == cost * 20)
        #expect(cache.cachedResponse(for: try url("0")) != nil)
        cache.store(try answer(), for: try url("20"))
        #expect(cache.cachedResponse(for: try url("0")) != nil)
        #expect(cache.cachedResponse(for: try url("1")) == nil)
        #expect(cache.cachedResponse(for: try url("2")) != nil)
        #expect(cache.currentMemoryUsage == cost * 20)
    }

    @Test func limitsOneResponseToATwentieth() throws {
        let cost = try answer(count: 5000).cost
        let cache = ResponseCache(memoryCapacity: cost * 20)
        #expect(cache.entryLimit == cost)
        cache.store(try answer(count: 5000), for: try url("a"))
        #expect(cache.cachedResponse(for: try url("a")) != nil)
        // What is too large does not leave an older answer behind.
        cache.store(try answer(count: 5001), for: try url("a"))
        #expect(cache.cachedResponse(for: try url("a")) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func uncacheableResponsesRemoveTheEntry() throws {
        let cache = ResponseCache()
        let one = try url("one")
        cache.store(try answer(), for: one)
        var refused = try answer()
        refused.storagePolicy = .notAllowed
        cache.store(refused, for: one)
        #expect(cache.cachedResponse(for: one) == nil)
    }

    @Test func removesRecentEntries() throws {
        let cache = ResponseCache()
        for (name, time) in [("old", 100), ("then", 200), ("new", 300)] as [(String, Int64)] {
            cache.store(
                CachedResponse(
                    answering: try CacheSamples.request(), head: try CacheSamples.head(), body: [], requestTime: time,
                    storedTime: time), for: try url(name))
        }
        cache.removeAll(since: 200)
        #expect(cache.cachedResponse(for: try url("old")) != nil)
        #expect(cache.cachedResponse(for: try url("then")) == nil)
        #expect(cache.cachedResponse(for: try url("new")) == nil)
    }

    @Test(arguments: [(0, 0), (-5, -5)]) func zeroCapacityStoresNothing(_ memory: Int, _ disk: Int) throws {
        let folder = try TemporaryFolder()
        let cache = ResponseCache(memoryCapacity: memory, diskCapacity: disk, folder: folder.file("cache"))
        cache.store(try answer(), for: try url("a"))
        #expect(cache.cachedResponse(for: try url("a")) == nil)
        #expect(cache.entryLimit == 0)
        #expect(folder.names.isEmpty)
    }

    @Test func isThreadSafe() async throws {
        let folder = try TemporaryFolder()
        let cache = ResponseCache(memoryCapacity: 200_000, diskCapacity: 200_000, folder: folder.file("cache"))
        let names = try (0..<8).map { try url("\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<25 {
                        let name = names[(worker + round) % names.count]
                        cache.store(try answer(UInt8(round)), for: name)
                        if let found = cache.cachedResponse(for: name) { #expect(found.body.count == 400) }
                        if round % 5 == 0 { cache.remove(for: name) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.currentDiskUsage <= 200_000)
        cache.removeAll()
        for name in names { #expect(cache.cachedResponse(for: name) == nil) }
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func theIndexEvictsTheOldestFirst() {
        var index = RecencyIndex()
        for (key, time) in [("c", 3), ("a", 1), ("b", 2), ("d", 3)] as [(String, Int64)] {
            index.insert(key, size: 10, lastUse: time)
        }
        index.insert("b", size: 20, lastUse: 2)
        #expect(index.size == 50)
        #expect(index.evict(to: 50) == [])
        index.touch("a", lastUse: 9)
        #expect(index.evict(to: 25) == ["b", "c"])
        index.remove("a")
        index.remove("nothing")
        #expect(index.size == 10)
        #expect(index.evict(to: -1) == ["d"])
    }
}
