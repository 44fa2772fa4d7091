// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct SubscriptionTests {
    private static func params(_ line: String?) -> JSONValue? { line.flatMap { JSONValue($0)?["params"] } }

    @Test func sendsASnapshotThenChanges() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            #expect(await peer.ask("subscribe", #"{"subscription":5}"#)?["result"] == .object([:]))
            let first = Self.params(await peer.line())
            #expect(first?["subscription"] == .number(5))
            #expect(first?["snapshot"] != nil)
            stage.testQueue.progress(to: 2000)
            guard case .list(let events)? = Self.params(await peer.line())?["events"] else {
                return #expect(Bool(false))
            }
            #expect(events.first?["transfer"]?["bytes"] == .number(2000))
            stage.testQueue.end()
            #expect(Self.params(await peer.line()) == .object(["subscription": .number(5), "ended": .bool(true)]))
        }
    }

    @Test func rejectsANumberInUse() async throws {
        try await onStage(change: { $0.maximumSubscriptions = 2 }) { stage in
            let peer = try await stage.peer()
            #expect(await peer.ask("subscribe", id: 1)?["result"] != nil)
            #expect(await peer.ask("subscribe", id: 2)?["error"]?["code"] == .number(-32602))
            #expect(await peer.ask("subscribe", #"{"subscription":2}"#, id: 3)?["result"] != nil)
            #expect(await peer.ask("subscribe", #"{"subscription":3}"#, id: 4)?["error"]?["code"] == .number(-32602))
            #expect(await peer.ask("unsubscribe", id: 5)?["result"] != nil)
            #expect(await peer.ask("subscribe", id: 6)?["result"] != nil)
        }
    }

    @Test func disconnectionEndsSubscriptions() async throws {
        try await onStage { stage in
            do {
                let peer = try await stage.peer()
                #expect(await peer.ask("subscribe")?["result"] != nil)
                #expect(await eventually { stage.testQueue.listenerCount == 1 })
            }
            #expect(await eventually { stage.testQueue.listenerCount == 0 })
            let peer = try await stage.peer()
            #expect(await peer.ask("subscribe")?["result"] != nil)
            #expect(await eventually { stage.testQueue.listenerCount == 1 })
            #expect(await peer.ask("unsubscribe")?["result"] != nil)
            #expect(await eventually { stage.testQueue.listenerCount == 0 })
        }
    }

    /// One that does not read neither holds up others nor costs more than the bound, and finds the truth when it reads
    /// again.
    @Test func slowReadersGetASnapshot() async throws {
        try await onStage(change: { $0.outgoingLimit = 64 << 10 }) { stage in
            let slow = try await stage.peer()
            let quick = try await stage.peer()
            #expect(await slow.ask("subscribe")?["result"] != nil)
            #expect(await quick.ask("subscribe")?["result"] != nil)
            _ = await quick.line()
            #expect(await eventually { stage.testQueue.listenerCount == 2 })
            // Until the server has stopped listening for the slow one; the quick one reads all the while.
            var last: Int64 = 0
            while stage.testQueue.listenerCount == 2, last < 100_000 {
                last += 1
                stage.testQueue.progress(to: last)
                #expect(await quick.line() != nil)
            }
            #expect(stage.testQueue.listenerCount == 1)
            for _ in 0..<100 {
                last += 1
                stage.testQueue.progress(to: last)
                #expect(await quick.line() != nil)
            }
            #expect(stage.testQueue.subscriptions == 2)
            // It reads: what was kept, then a snapshot with the last change.
            var snapshots: [JSONValue] = []
            while snapshots.count < 2, let params = Self.params(await slow.line()) {
                if let snapshot = params["snapshot"] { snapshots.append(snapshot) }
            }
            guard case .list(let transfers)? = snapshots.last?["transfers"] else { return #expect(Bool(false)) }
            #expect(transfers.first?["bytes"] == .number(Double(last)))
            // From there on it receives everything.
            stage.testQueue.progress(to: last + 1)
            guard case .list(let events)? = Self.params(await slow.line())?["events"] else {
                return #expect(Bool(false))
            }
            #expect(events.first?["transfer"]?["bytes"] == .number(Double(last + 1)))
        }
    }

    /// A snapshot far above the bound is sent once, not over and over.
    @Test func largeSnapshotsAreNotDroppable() async throws {
        try await onStage(queue: .sample(more: 5000), change: { $0.outgoingLimit = 4096 }) { stage in
            let peer = try await stage.peer()
            #expect(await peer.ask("subscribe")?["result"] != nil)
            #expect(Self.params(await peer.line())?["snapshot"] != nil)
            stage.testQueue.progress(to: 7)
            #expect(Self.params(await peer.line())?["events"] != nil)
            #expect(stage.testQueue.subscriptions == 1)
        }
    }

    /// Unread replies stop the reading of requests.
    @Test func holdsBackRequestsOfANonReader() async throws {
        try await onStage(queue: .sample(more: 500), change: { $0.outgoingLimit = 4096 }) { stage in
            let peer = try await stage.peer()
            let request = #"{"jsonrpc":"2.0","id":1,"method":"snapshot"}"# + "\n"
            let flood = Array(String(repeating: request, count: 20_000).utf8)
            async let isSent = peer.send(flood)
            let other = try await stage.peer()
            #expect(await other.ask("list")?["result"] != nil)
            _ = shutdown(peer.descriptor, Int32(SHUT_RDWR))
            #expect(await isSent == false)
            #expect(await eventually { stage.server?.connectionCount == 1 })
        }
    }
}
