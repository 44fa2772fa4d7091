// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import FileServer

/// Links that have expired or are used up do not count.
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

    /// `nil` if the link is used up.
    private func granted(_ reservation: ShareStore.Reservation) throws -> ShareCharge? {
        switch reservation {
        case .granted(let charge): return charge
        case .usedUp: return nil
        case .later: throw Refusal(.serviceUnavailable, "later")
        }
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
            let first = try #require(try granted(store.reserve(0..<10, of: "a", at: 0)))
            let second = try #require(try granted(store.reserve(0..<10, of: "a", at: 0)))
            #expect(first.download == 1 && second.download == 2)
            #expect(try granted(store.reserve(0..<10, of: "a", at: 0)) == nil)
            first.sent(10)
            first.end()
            // The other response may return some of it.
            #expect(!store.hasRoom(at: 0))
            second.sent(6)
            second.end()
            #expect(!store.hasRoom(at: 0))
            let third = try #require(try granted(store.reserve(6..<10, of: "a", at: 0)))
            #expect(third.download == 2)
            third.sent(4)
            third.end()
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
            #expect(try granted(store.reserve(0..<10, of: "b", at: 0))?.download == 1)
            _ = try open(99)
            #expect(try names() == ["a.json"])
            _ = try open(100)
            #expect(try names() == [])
        }
    }

    /// The server notices a broken connection late: its client must not be refused permanently.
    @Test func whatARunningResponseMayReturnIsRefusedForNow() throws {
        try with { open, _ in
            let store = try open(0)
            #expect(try store.add(Self.share("a", downloads: 1), at: 0))
            let broken = try #require(try granted(store.reserve(0..<10, of: "a", at: 0)))
            broken.sent(6)
            #expect(throws: Refusal.self) { try granted(store.reserve(4..<10, of: "a", at: 0)) }
            #expect(try granted(store.reserve(0..<10, of: "a", at: 0)) == nil, "never again from the beginning")
            broken.end()
            let rest = try #require(try granted(store.reserve(4..<10, of: "a", at: 0)))
            #expect(rest.download == 1)
            rest.sent(6)
            // Everything was sent, if not ended.
            #expect(try granted(store.reserve(4..<10, of: "a", at: 0)) == nil)
        }
    }

    /// The first response is for the whole file; another connection takes over its end.
    @Test func connectionsOfOneDownloadTakeOverFromEachOther() throws {
        try with { open, _ in
            let store = try open(0)
            #expect(try store.add(Self.share("a", downloads: 2), at: 0))
            let whole = try #require(try granted(store.reserve(0..<10, of: "a", at: 0)))
            whole.sent(3)
            let middle = try #require(try granted(store.reserve(4..<7, of: "a", at: 0)))
            let end = try #require(try granted(store.reserve(7..<10, of: "a", at: 0)))
            #expect(middle.download == 1 && end.download == 1)
            #expect(store.find("a", at: 0)?.downloadsLeft == 1)
            // In all, at most the size of the file a second time: the next one is a download of its own.
            #expect(try granted(store.reserve(3..<9, of: "a", at: 0))?.download == 2)
            #expect(throws: Refusal.self) { try granted(store.reserve(3..<10, of: "a", at: 0)) }
            let beginning = try granted(store.reserve(0..<3, of: "a", at: 0))
            #expect(beginning?.download == 2)
        }
    }

    /// Those count bytes instead of beginnings.
    @Test func linksOfEarlierVersionsRemain() throws {
        for (spent, downloadsLeft) in [(0, 3), (1, 2), (10, 2), (11, 1), (100, 0)] as [(Int, Int64)] {
            let record = """
                {"downloads":3,"entityTag":"","id":"a","name":"a","path":["a"],"size":10,"spent":\(spent),"version":1}
                """
            let share = try JSONDecoder().decode(Share.self, from: Data(record.utf8))
            #expect(share.downloadsLeft == downloadsLeft && share.open.isEmpty, "\(spent)")
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("shares-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let record = #"{"entityTag":"","id":"a","name":"a","path":["a"],"size":10,"spent":7,"version":1}"#
        try Data(record.utf8).write(to: url.appendingPathComponent("a.json"))
        try Data("{}".utf8).write(to: url.appendingPathComponent("b.json"))
        let store = try ShareStore(folder: FolderDescriptor(path: url.path), syncs: false, most: 2, now: 0)
        #expect(store.find("a", at: 0)?.begun == 1 && store.hasRoom(at: 0), "what cannot be read does not count")
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == ["a.json", "b.json"])
    }

    /// A response that ends after the removal of its link does not write that again.
    @Test func removedLinksStayRemoved() throws {
        try with { open, names in
            let store = try open(0)
            #expect(try store.add(Self.share("a", downloads: 1), at: 0))
            let charge = try #require(try granted(store.reserve(0..<10, of: "a", at: 0)))
            store.remove("a")
            charge.end()
            #expect(try names() == [])
            DispatchQueue.concurrentPerform(iterations: 100) { number in
                let id = String(number % 2)
                if number % 5 == 0 {
                    store.remove(id)
                } else {
                    _ = try? store.add(Self.share(id, downloads: 1000), at: 0)
                    if case .granted(let charge)? = try? store.reserve(0..<10, of: id, at: 0) { charge.end() }
                }
            }
            for id in ["0", "1"] { #expect(try names().contains(id + ".json") == (store.find(id, at: 0) != nil)) }
            let stored = try open(0)
            for id in ["0", "1"] { #expect(stored.find(id, at: 0) == store.find(id, at: 0)) }
        }
    }

    @Test func aLinkThatCannotBeStoredIsNone() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("shares-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let store = try ShareStore(folder: FolderDescriptor(path: url.path), syncs: false, most: 2, now: 0)
        try FileManager.default.removeItem(at: url)
        #expect(throws: (any Error).self) { try store.add(Self.share("a"), at: 0) }
        #expect(store.find("a", at: 0) == nil)
    }

    // MARK: Passwords

    @Test func onlyUnknownPasswordsAreDerived() throws {
        try with { open, _ in
            let store = try open(0)
            var share = Self.share("a")
            #expect(store.verdict(on: nil, of: share) == true)
            share.password = SharePassword("right", rounds: 2)
            #expect(store.verdict(on: nil, of: share) == false)
            #expect(store.verdict(on: "right", of: share) == nil)
            #expect(!store.check("wrong", of: share))
            #expect(store.check("right", of: share))
            #expect(store.verdict(on: "right", of: share) == true)
            #expect(store.verdict(on: "wrong", of: share) == nil)
            share.password = nil
            #expect(store.check("right", of: share))
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
