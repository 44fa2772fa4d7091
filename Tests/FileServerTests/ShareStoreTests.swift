// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing

@testable import FileServer

/// Links that nobody can use any more do not count.
struct ShareStoreTests {
    private static func share(_ id: String, expires: Double? = nil, downloads: Int64? = nil) -> Share {
        Share(
            id: id, path: ["a"], name: "a", size: 10, entityTag: "", expires: expires, downloads: downloads)
    }

    private func with(
        _ body: (_ open: (Double) throws -> ShareStore, _ names: () throws -> [String]) throws -> Void
    )
        throws
    {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("shares-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(
            { try ShareStore(folder: FolderDescriptor(path: url.path), syncs: false, most: 2, now: $0) },
            { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() })
    }

    @Test func expiredLinksMakeRoom() throws {
        try with { open, names in
            let store = try open(0)
            #expect(try store.add(Self.share("a", expires: 100), at: 0))
            #expect(try store.add(Self.share("b"), at: 0))
            #expect(!store.hasRoom(at: 99))
            #expect(try !store.add(Self.share("c"), at: 99))
            #expect(try names() == ["a.json", "b.json"])
            #expect(try store.add(Self.share("c"), at: 100))
            #expect(try names() == ["b.json", "c.json"])
            #expect(store.find("c", at: 100) != nil && store.find("b", at: 100) != nil)
        }
    }

    @Test func usedUpLinksMakeRoomWhenTheirResponsesHaveEnded() throws {
        try with { open, names in
            let store = try open(0)
            #expect(try store.add(Self.share("a", downloads: 2), at: 0))
            #expect(try store.add(Self.share("b"), at: 0))
            #expect(try store.reserve(0..<10, of: "a", at: 0) == 1)
            #expect(try store.reserve(0..<10, of: "a", at: 0) == 2)
            #expect(try store.reserve(0..<10, of: "a", at: 0) == nil)
            store.ended(0..<10, sent: 10, of: "a", download: 1)
            // The other response may return some of it.
            #expect(!store.hasRoom(at: 0))
            store.ended(0..<10, sent: 6, of: "a", download: 2)
            #expect(!store.hasRoom(at: 0))
            #expect(try store.reserve(6..<10, of: "a", at: 0) == 2)
            store.ended(6..<10, sent: 4, of: "a", download: 2)
            // Bytes that were lost with the connection may be asked for again, but not for ever.
            #expect(!store.hasRoom(at: 0))
            #expect(store.hasRoom(at: ShareDownload.lifetime))
            #expect(try names() == ["b.json"])
        }
    }

    @Test func aStartRemovesThem() throws {
        try with { open, names in
            let store = try open(0)
            #expect(try store.add(Self.share("a", expires: 100), at: 0))
            #expect(try store.add(Self.share("b", downloads: 1), at: 0))
            #expect(try store.reserve(0..<10, of: "b", at: 0) == 1)
            _ = try open(99)
            #expect(try names() == ["a.json"])
            _ = try open(100)
            #expect(try names() == [])
        }
    }

    // MARK: Passwords

    @Test func onlyUnknownPasswordsAreDerived() throws {
        try with { open, _ in
            let store = try open(0)
            var share = Self.share("a")
            #expect(store.verdict(on: nil, of: share, at: 0) == .right)
            share.password = SharePassword("right", rounds: 2)
            #expect(store.verdict(on: nil, of: share, at: 0) == .wrong)
            #expect(store.verdict(on: "right", of: share, at: 0) == nil)
            #expect(store.check("right", of: share, at: 0) == .right)
            #expect(store.verdict(on: "right", of: share, at: 0) == .right)
            for _ in 0..<ShareStore.mostFailures {
                #expect(store.verdict(on: "wrong", of: share, at: 0) == nil)
                #expect(store.check("wrong", of: share, at: 0) == .wrong)
            }
            #expect(store.verdict(on: "wrong", of: share, at: 0) == .tooMany)
            #expect(store.check("wrong", of: share, at: 0) == .tooMany)
            #expect(store.verdict(on: "right", of: share, at: 0) == .right)
            #expect(store.verdict(on: "wrong", of: share, at: 3600) == nil)
        }
    }

    @Test func passwordsAreDerivedOneAtATime() async throws {
        let thread = PasswordThread()
        let running = Counted()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<16 {
                group.addTask { try await thread.run { running.during { number } } }
            }
            var results: Set<Int> = []
            for try await result in group { results.insert(result) }
            #expect(results == Set(0..<16))
        }
        #expect(running.most == 1)
        await #expect(throws: Refusal.notFound) { try await thread.run { throw Refusal.notFound } }
    }
}

/// How many run at the same time.
private final class Counted: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func during<Result>(_ work: () -> Result) -> Result {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        return work()
    }
}
