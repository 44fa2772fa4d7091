// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What is kept in a folder. Caches here have no memory, so that every answer comes from its file.
@Suite struct DiskCacheTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("above/cache")
    }

    private func cache(
        capacity: Int = 1_000_000, memory: Int = 0, clock: @escaping @Sendable () -> Int64 = ResponseCache.systemClock
    )
        -> ResponseCache
    {
        ResponseCache(memoryCapacity: memory, diskCapacity: capacity, folder: path, clock: clock)
    }

    private func url(_ name: String) throws -> TransferURL { try TransferURL("http://a.test/\(name)") }

    private func answer(
        _ body: [UInt8] = [1, 2, 3], _ fields: [(String, String)] = [("ETag", "\"a\"")],
        time: Int64 = CacheSamples.start
    )
        throws -> CachedResponse
    {
        CachedResponse(
            answering: try CacheSamples.request([("Accept", "a")]), head: try CacheSamples.head(200, fields),
            body: body,
            requestTime: time - 2, storedTime: time)
    }

    private func fileName(_ name: String) throws -> String {
        "above/cache/" + CacheFolder.name(of: try url(name).string)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private var answers: [String] {
        folder.names.isEmpty ? [] : (CacheFolder(path: path)?.entries().map(\.name).sorted() ?? [])
    }

    @Test func responsesSurviveTheProcess() throws {
        let stored = try answer(
            [0, 10, 255, 10],
            [
                ("ETag", "\"ü\""), ("Vary", "Accept"), ("X", "one"), ("X", "two\" \\n"), ("Empty", ""),
            ])
        cache().store(stored, for: try url("one"))
        #expect(cache().cachedResponse(for: try url("one")) == stored)
        #expect(cache().cachedResponse(for: try url("two")) == nil)
        cache().store(try answer([]), for: try url("one"))
        #expect(cache().cachedResponse(for: try url("one"))?.body == [])
        #expect(answers.count == 1)
    }

    @Test func creationWritesNothing() throws {
        _ = cache()
        #expect(folder.names.isEmpty)
        #expect(cache().cachedResponse(for: try url("one")) == nil)
        #expect(folder.exists("above/cache"))
    }

    @Test func filesArePrivate() throws {
        cache().store(try answer(), for: try url("one"))
        #expect(mode(folder.file("above")) == 0o700)
        #expect(mode(path) == 0o700)
        #expect(mode(folder.file(try fileName("one"))) == 0o600)
        #expect(mode(folder.file("above/cache/lock")) == 0o600)
    }

    @Test func secretsStayInMemory() throws {
        let both = cache(memory: 1_000_000)
        both.store(try answer(), for: try url("one"))
        var secret = try answer([9])
        secret.storagePolicy = .allowedInMemoryOnly
        both.store(secret, for: try url("one"))
        #expect(both.cachedResponse(for: try url("one"))?.body == [9])
        #expect(answers.isEmpty)
    }

    @Test func memoryIsReadBeforeDisk() throws {
        cache().store(try answer([7]), for: try url("one"))
        let both = cache(memory: 1_000_000)
        #expect(both.cachedResponse(for: try url("one"))?.body == [7])
        #expect(both.currentMemoryUsage > 0)
        cache().removeAll()
        #expect(both.cachedResponse(for: try url("one"))?.body == [7])
        both.remove(for: try url("one"))
        #expect(both.cachedResponse(for: try url("one")) == nil)
    }

    // MARK: Damage

    @Test func detectsEveryDamage() throws {
        let store = cache()
        let name = try fileName("one")
        store.store(try answer([1, 2, 3, 4, 5, 6, 7, 8, 9]), for: try url("one"))
        let good = try folder.read(name)
        for index in good.indices {
            var bad = good
            bad[index] ^= 1 << UInt8(index % 8)
            #expect(CacheFile.decode(bad, key: try url("one").string) == nil, "byte \(index)")
            #expect(CacheFile.decode(Array(good[..<index]), key: try url("one").string) == nil, "cut at \(index)")
        }
        #expect(CacheFile.decode(good + [0], key: try url("one").string) == nil)
        #expect(CacheFile.decode(good, key: try url("two").string) == nil)
        #expect(CacheFile.decode(good, key: try url("one").string) != nil)
    }

    @Test(
        arguments: [
            [], Array("x".utf8), Array("0123456789abcdef\n{}\n".utf8), Array(repeating: 10, count: 5000),
            Array(repeating: 0, count: 60_000),
        ] as [[UInt8]])
    func foreignFilesAreRemoved(_ bytes: [UInt8]) throws {
        let store = cache()
        store.store(try answer(), for: try url("one"))
        let name = try fileName("one")
        try folder.write(bytes, to: name)
        #expect(store.cachedResponse(for: try url("one")) == nil)
        #expect(!folder.exists(name))
        #expect(store.currentDiskUsage == 0)
        store.store(try answer([5]), for: try url("one"))
        #expect(store.cachedResponse(for: try url("one"))?.body == [5])
    }

    @Test func rejectsInvalidContentWithAValidChecksum() throws {
        func head(_ status: String, _ fields: String) -> String {
            #"{"version":1,"key":"k","variant":[],"requestTime":0,"storedTime":0,"response":{"reasonPhrase":"","#
                + #""pseudoHeaderFields":[\#(status)],"headerFields":[\#(fields)]}}"#
        }
        func decode(_ json: String) -> CachedResponse? {
            let rest = Array("\(json)\nbody".utf8)
            return CacheFile.decode(Array("\(CacheHash.checksum(rest[...]))\n".utf8) + rest, key: "k")
        }
        let ok = #"{"name":":status","value":"200"}"#
        #expect(decode(head(ok, ""))?.body == Array("body".utf8))
        for json in [
            "", "null", "{}", "[]", #"{"version":1}"#, #"{"version":2,"key":"k"}"#, String(repeating: "[", count: 9000),
            head("", ""), head(#"{"name":":status","value":"99999"}"#, ""),
            head(#"{"name":":status","value":"x"}"#, ""),
            head(ok, #"{"name":":path","value":"x"}"#), head(ok, #"{"name":"a b","value":"x"}"#),
            head(ok, "").replacing("\"k\"", with: "\"j\""), head(ok, "").replacing(":0", with: ":1e99"),
        ] {
            #expect(decode(json) == nil, "\(json.prefix(80))")
        }
    }

    @Test func detectsHashCollisions() throws {
        let store = cache()
        store.store(try answer(), for: try url("one"))
        rename(folder.file(try fileName("one")), folder.file(try fileName("two")))
        #expect(store.cachedResponse(for: try url("two")) == nil)
        #expect(answers.isEmpty)
    }

    @Test func doesNotFollowLinks() throws {
        let outside = try folder.write([1, 2, 3], to: "outside")
        let store = cache()
        store.store(try answer(), for: try url("one"))
        let name = folder.file(try fileName("one"))
        unlink(name)
        #expect(symlink(outside, name) == 0)
        #expect(store.cachedResponse(for: try url("one")) == nil)
        store.store(try answer([8]), for: try url("one"))
        #expect(store.cachedResponse(for: try url("one"))?.body == [8])
        #expect(try folder.read("outside") == [1, 2, 3])

        #expect(symlink(path, folder.file("link")) == 0)
        for suffix in ["", "/"] {
            let through = ResponseCache(memoryCapacity: 0, folder: folder.file("link") + suffix)
            through.removeAll()
            #expect(through.currentDiskUsage == 0)
        }
        #expect(store.cachedResponse(for: try url("one"))?.body == [8])
    }

    @Test func ignoresAFolderOpenToOthers() throws {
        let store = cache()
        store.store(try answer(), for: try url("one"))
        #expect(chmod(path, 0o770) == 0)
        #expect(cache().cachedResponse(for: try url("one")) == nil)
        #expect(chmod(path, 0o750) == 0)
        #expect(cache().cachedResponse(for: try url("one")) != nil)
    }

    @Test func toleratesAFolderThatCannotBeCreated() throws {
        try folder.write([], to: "above")
        let store = cache(memory: 1_000_000)
        store.store(try answer(), for: try url("one"))
        #expect(store.cachedResponse(for: try url("one")) != nil)
        #expect(store.currentDiskUsage == 0)
    }

    @Test func keepsOtherFiles() throws {
        let store = cache()
        store.store(try answer(), for: try url("one"))
        let others = ["notes.answer", "lock", String(repeating: "g", count: 32) + ".answer", "abc.writing"]
        for name in others where name != "lock" { try folder.write([1], to: "above/cache/\(name)") }
        store.removeAll()
        #expect(answers.isEmpty)
        for name in others { #expect(folder.exists("above/cache/\(name)"), "\(name)") }
    }

    @Test func removesIncompleteFiles() throws {
        cache().store(try answer(), for: try url("one"))
        let abandoned = "above/cache/0123456789abcdef.writing"
        let busy = folder.file("above/cache/fedcba9876543210.writing")
        try folder.write([1, 2], to: abandoned)
        let writer = open(busy, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(writer) }
        #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
        #expect(cache().currentDiskUsage > 0)
        #expect(!folder.exists(abandoned))
        #expect(access(busy, F_OK) == 0)
    }

    // MARK: Size

    @Test func limitsItsSize() throws {
        let one = try #require(CacheFile.encode(try answer(patternedBytes(1000)), key: try url("00").string)).count
        let store = cache(capacity: one * 20)
        for index in 10..<30 { store.store(try answer(patternedBytes(1000)), for: try url("\(index)")) }
        #expect(store.currentDiskUsage == one * 20)
        #expect(store.cachedResponse(for: try url("10")) != nil)
        store.store(try answer(patternedBytes(1000)), for: try url("30"))
        #expect(store.currentDiskUsage == one * 20)
        #expect(store.cachedResponse(for: try url("10")) != nil)
        #expect(store.cachedResponse(for: try url("11")) == nil)
        // A byte above a twentieth: not stored, and the older answer is gone.
        store.store(try answer(patternedBytes(1001)), for: try url("10"))
        #expect(store.cachedResponse(for: try url("10")) == nil)
        #expect(store.currentDiskUsage == one * 19)
    }

    @Test func keepsSizeAndOrderAfterARestart() throws {
        let time = Counter()
        let clock: @Sendable () -> Int64 = {
            time.add()
            return 1_000_000_000 * Int64(time.count)
        }
        let one = try #require(CacheFile.encode(try answer(patternedBytes(100)), key: try url("00").string)).count
        let first = cache(capacity: one * 40, clock: clock)
        for index in 10..<50 { first.store(try answer(patternedBytes(100)), for: try url("\(index)")) }
        #expect(first.cachedResponse(for: try url("12")) != nil)
        let second = cache(capacity: one * 20, clock: clock)
        #expect(second.currentDiskUsage == one * 20)
        #expect(answers.count == 20)
        for name in ["12", "31", "49"] { #expect(second.cachedResponse(for: try url(name)) != nil, "\(name)") }
        for name in ["10", "11", "13", "30"] { #expect(second.cachedResponse(for: try url(name)) == nil, "\(name)") }
        #expect(cache(capacity: one * 5).currentDiskUsage == 0)
        #expect(answers.isEmpty)
    }

    @Test func removesRecentEntries() throws {
        for (name, time) in [("old", 100), ("then", 200), ("new", 300)] as [(String, Int64)] {
            cache().store(try answer(time: time), for: try url(name))
        }
        let store = cache()
        #expect(store.cachedResponse(for: try url("old")) != nil)
        store.removeAll(since: 200)
        #expect(store.cachedResponse(for: try url("old")) != nil)
        #expect(store.cachedResponse(for: try url("then")) == nil)
        #expect(store.cachedResponse(for: try url("new")) == nil)
        #expect(answers.count == 1)
    }

    // MARK: Several on one folder

    @Test func cachesSeeEachOthersChanges() throws {
        let (one, two) = (cache(), cache())
        one.store(try answer([1]), for: try url("a"))
        #expect(two.cachedResponse(for: try url("a"))?.body == [1])
        two.store(try answer([2]), for: try url("a"))
        #expect(one.cachedResponse(for: try url("a"))?.body == [2])
        one.store(try answer([3]), for: try url("b"))
        #expect(one.currentDiskUsage == two.currentDiskUsage)
        two.remove(for: try url("a"))
        #expect(one.cachedResponse(for: try url("a")) == nil)
        #expect(one.currentDiskUsage == two.currentDiskUsage)
        two.removeAll()
        #expect(one.currentDiskUsage == 0)
    }

    @Test func limitsTheSizeOfAllProcesses() throws {
        let one = try #require(CacheFile.encode(try answer(patternedBytes(100)), key: try url("00").string)).count
        let caches = [cache(capacity: one * 20), cache(capacity: one * 20)]
        for index in 10..<60 {
            caches[index % 2].store(try answer(patternedBytes(100)), for: try url("\(index)"))
            #expect(answers.count == min(20, index - 9))
        }
        #expect(caches[0].cachedResponse(for: try url("59")) != nil)
        #expect(caches[1].cachedResponse(for: try url("58")) != nil)
    }

    @Test func lockWaitsAreBounded() throws {
        let store = cache()
        store.store(try answer([1]), for: try url("a"))
        let holder = open(path + "/lock", O_RDWR | O_CLOEXEC)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        store.store(try answer([2]), for: try url("a"))
        #expect(store.cachedResponse(for: try url("a"))?.body == [2])
        store.remove(for: try url("a"))
        #expect(store.cachedResponse(for: try url("a")) == nil)
        #expect(store.currentDiskUsage == 0)
    }

    @Test func aDamagedLockRecountsTheSize() throws {
        let store = cache()
        store.store(try answer([1]), for: try url("a"))
        try folder.write([1, 2], to: "above/cache/lock")
        store.store(try answer([2]), for: try url("b"))
        #expect(cache().cachedResponse(for: try url("b"))?.body == [2])
        #expect(try folder.read("above/cache/lock").count == 8)
    }

    @Test(arguments: [("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964")])
    func namesAreFNV(_ key: String, _ expected: String) {
        #expect(CacheHash.name(of: key) == expected)
    }
}
