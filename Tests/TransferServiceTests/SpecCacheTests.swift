// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferService

@Suite struct SpecCacheTests {
    private func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }
    private func spec() throws -> Spec {
        Spec(url: try TransferURL("http://h/a"), operation: .download(.init(destination: .file(path: "/d/a"))))
    }

    @Test func newSpecsStayUpToItsCapacity() throws {
        var cache = SpecCache()
        let spec = try spec()
        let ids = (0..<(SpecCache.capacity + 10)).map { id($0) }
        cache.put(ids.map { _ in spec }, of: ids)
        #expect(cache.known(ids[SpecCache.capacity - 1]) != nil)
        #expect(cache.known(ids[SpecCache.capacity]) == nil)
        cache.put([spec], of: [id(99_999)])
        #expect(cache.known(ids[0]) != nil, "none is dropped for new ones")
    }

    @Test func specsOfSmallDownloadsAreFetchedBeforeTheyAreNeeded() throws {
        var cache = SpecCache()
        let spec = try spec()
        let upcoming = (1...1000).map { id($0) }
        let first = cache.nextPrefetch { Array(upcoming.prefix($0)) }
        #expect(first == Array(upcoming.prefix(SpecCache.largePortion)))
        #expect(cache.nextPrefetch { Array(upcoming.prefix($0)) } == nil, "one fetch at a time")
        #expect(cache.fetched(first ?? []).waiting.isEmpty)
        for id in first ?? [] { cache.put(spec, id) }
        #expect(cache.nextPrefetch { Array(upcoming.prefix($0)) } == nil, "enough are here")
        for id in (first ?? []).prefix(SpecCache.largePortion / 2 + 1) { cache.forget(id) }
        #expect(cache.nextPrefetch { _ in first ?? [] }?.count == SpecCache.largePortion / 2 + 1)
    }

    /// Those behind would keep the ones between from being prefetched.
    @Test(arguments: [false, true]) func lateOnesOfALongListStayOnlyIfAllDo(_ keepsAll: Bool) throws {
        var cache = SpecCache(keepsAll: keepsAll)
        let specs = [try spec()]
        cache.put(specs[...], of: [id(1)], from: SpecCache.capacity - 1)
        cache.put(specs[...], of: [id(2)], from: SpecCache.capacity)
        #expect(cache.known(id(1)) != nil && (cache.known(id(2)) != nil) == keepsAll)
    }

    @Test func aQueueThatKeepsAllFetchesNone() {
        var cache = SpecCache(keepsAll: true)
        #expect(cache.nextPrefetch { _ in [id(1)] } == nil)
    }
}
