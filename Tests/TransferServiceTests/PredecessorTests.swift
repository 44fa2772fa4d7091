// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Transfers that start after others.
@Suite(.timeLimit(.minutes(5))) struct PredecessorTests {
    // MARK: The rule

    private static func ids(_ numbers: Int...) -> [TransferID] { numbers.map(TransferID.init(rawValue:)) }

    /// 1…4 are in these states; 5 is in none of them.
    private static func queue(_ states: [TransferState], after: [Int: [Int]] = [:]) -> TransferQueue {
        var queue = TransferQueue()
        for (index, state) in states.enumerated() {
            var transfer = Transfer(
                id: TransferID(rawValue: index + 1), kind: .download, url: "http://a.test/", file: "a", state: state)
            transfer.after = after[index + 1]?.map(TransferID.init(rawValue:))
            queue.add(transfer)
        }
        return queue
    }

    @Test(
        arguments: [
            ([1], nil, nil), ([2], [2], nil), ([1, 2], [2], nil), ([3], [3], .predecessor(ids(3)[0], .failed)),
            ([2, 4], [2, 4], .predecessor(ids(4)[0], .cancelled)), ([5], [5], .predecessor(ids(5)[0], nil)),
        ] as [([Int], [Int]?, TransferNote?)])
    func waitsForThoseThatHaveNotCompleted(_ after: [Int], _ open: [Int]?, _ obstacle: TransferNote?) {
        let queue = Self.queue([.completed, .running, .failed, .cancelled])
        var transfer = Transfer(id: Self.ids(9)[0], kind: .download, url: "http://a.test/", file: "a")
        transfer.after = after.map(TransferID.init(rawValue:))
        let found = queue.predecessors(of: transfer)
        #expect(found.open?.map(\.rawValue) == open && found.obstacle == obstacle)
    }

    /// 2 starts after 1, 3 after 2.
    @Test(arguments: [([1], [1], true), ([1], [3], true), ([3], [1], false), ([4, 2], [3], true), ([4], [3, 4], true)])
    func seesCycles(_ ids: [Int], _ after: [Int], _ isCycle: Bool) {
        let queue = Self.queue([.queued, .queued, .queued, .queued], after: [2: [1], 3: [2]])
        let (ids, after) = (ids.map(TransferID.init(rawValue:)), after.map(TransferID.init(rawValue:)))
        #expect(queue.isCycle(ids, after: after) == isCycle)
    }

    @Test func whatWaitsForOthersIsInNoLine() {
        var queue = Self.queue([.queued, .queued], after: [1: [2]])
        #expect(queue.nextToStart(at: 0) == TransferID(rawValue: 2))
        queue.update(TransferID(rawValue: 2)) { $0.status = .paused(.by(.transfer)) }
        #expect(queue.nextToStart(at: 0) == nil)
        #expect(!queue.isIdle)
        queue.update(TransferID(rawValue: 1)) { $0.after = nil }
        #expect(queue.nextToStart(at: 0) == TransferID(rawValue: 1))
    }

    // MARK: The queue

    /// Finds all but `/missing`.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.contains("/missing") {
                    connection.answer("404 Not Found")
                } else {
                    connection.answer("200 OK", body: [1])
                }
            }
        }
    }

    private let stage: DurableStage
    private let server: ScriptedServer

    init() throws { (stage, server) = (try DurableStage(), try Self.server()) }

    private func add(
        _ path: String, paused: Bool = false, after: TransferID...
    ) async throws -> TransferID {
        let name = String(path.dropFirst())
        let terms = TransferTerms(paused: paused, after: after.isEmpty ? nil : after)
        return try await stage.queue.add([stage.download(server.url(path), name: name)], on: terms)[0]
    }

    private func transfer(_ id: TransferID) async throws -> Transfer {
        try #require(try await stage.queue.snapshot().transfers.first { $0.id == id })
    }

    @Test(arguments: [false, true]) func startsOnceTheOthersHaveCompleted(_ isReopened: Bool) async throws {
        let first = try await add("/a", paused: true)
        let second = try await add("/b", paused: true)
        let last = try await add("/c", after: first, second)
        #expect(try await transfer(last).state == .queued)
        if isReopened { try await stage.reopen() }
        #expect(try await transfer(last).after == [first, second])
        try await stage.queue.perform(.resume, on: [first])
        try await stage.wait(for: last) { $0.after == [second] && $0.state == .queued }
        try await stage.queue.perform(.resume, on: [second])
        try await stage.wait(for: last) { $0.state == .completed && $0.after == nil }
        // What has completed counts, whether it is still in the list or not.
        try await stage.queue.perform(.dismiss, on: [first])
        try await stage.end(of: try await add("/d", after: first, second))
    }

    @Test(arguments: [false, true]) func isHeldByOneThatFails(_ isReopened: Bool) async throws {
        let first = try await add("/missing", paused: true)
        let next = try await add("/b", after: first)
        let last = try await add("/c", after: next)
        try await stage.queue.perform(.resume, on: [first])
        let held = try await stage.wait(for: next) { $0.state == .paused }
        #expect(held.note == .predecessor(first, .failed) && held.isHeldByPredecessor && !held.isResumedWithQueue)
        if isReopened { try await stage.reopen() }
        #expect(try await transfer(next).status == held.status)
        #expect(try await transfer(last).state == .queued)
        // It waits again while that is tried again, and is held again.
        try await stage.queue.perform(.retry, on: [first])
        try await stage.wait(for: next) { $0.state == .paused && $0.after == [first] }
        try await stage.queue.perform(.resume, on: [next])
        for id in [next, last] { #expect(try await stage.end(of: id).state == .completed) }
        #expect(try await transfer(first).state == .failed)
    }

    @Test func isReleasedByARetryThatCompletes() async throws {
        let first = try await add("/a", paused: true)
        let next = try await add("/b", after: first)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [first])
        let held = try await stage.wait(for: next) { $0.state == .paused }
        #expect(held.note == .predecessor(first, .cancelled))
        // Paused as it was before.
        try await stage.queue.perform(.retry, on: [first])
        #expect(try await transfer(next).state == .queued)
        try await stage.queue.perform(.resume, on: [first])
        #expect(try await stage.end(of: next).state == .completed)
    }

    @Test func aHeldQueueStartsNothing() async throws {
        let first = try await add("/a", paused: true)
        let next = try await add("/b", after: first)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [first])
        try await stage.wait(for: next) { $0.isHeldByPredecessor }
        try await stage.queue.setHeld(true)
        try await stage.queue.perform(.retry, on: [first])
        try await stage.queue.perform(.resume, on: [first])
        try await stage.end(of: first)
        #expect(try await stage.wait(for: next) { $0.after == nil }.pausedBy == .queue)
        try await stage.queue.setHeld(false)
        #expect(try await stage.end(of: next).state == .completed)
    }

    @Test func oneThatIsGoneHolds() async throws {
        let first = try await add("/missing")
        try await stage.end(of: first)
        let next = try await add("/b", paused: true, after: first)
        try await stage.queue.perform(.dismiss, on: [first])
        try await stage.queue.perform(.resume, on: [next])
        try await stage.wait(for: next) { $0.note == .predecessor(first, nil) }
        // Nothing else may follow it: an unknown ID is a mistake.
        try await stage.queue.perform(.remove, on: [first])
        let error = await #expect(throws: TransferError.self) { _ = try await self.add("/c", after: first) }
        #expect(error?.code == .usage)
        try await stage.queue.perform(.after([]), on: [next])
        #expect(try await stage.end(of: next).state == .completed)
    }

    @Test func isSetAndUndone() async throws {
        let first = try await add("/a", paused: true)
        let next = try await add("/b", paused: true)
        try await stage.queue.perform(.after([first]), on: [next])
        #expect(try await transfer(next).after == [first])
        for (ids, after) in [([first], [next]), ([first, next], [first]), ([next], [TransferID(rawValue: 99)])] {
            let error = await #expect(throws: TransferError.self) {
                try await stage.queue.perform(.after(after), on: ids)
            }
            #expect(error?.code == .usage)
        }
        #expect(try await transfer(first).after == nil)
        let undone = try await stage.queue.undo()
        #expect(undone.command == "after" && undone.ids == [next])
        #expect(try await transfer(next).after == nil)
    }
}
