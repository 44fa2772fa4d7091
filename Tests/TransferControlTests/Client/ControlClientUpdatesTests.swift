// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ControlClientUpdatesTests {
    @Test func receivesASnapshotThenChanges() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            var updates = client.updates().makeAsyncIterator()
            #expect(await updates.next() == .snapshot(try await stage.testQueue.snapshot()))
            let ids = [2, 1].map(TransferID.init(rawValue:))
            let changes: [QueueUpdate] = [
                .order(ids), .removed(ids), .limits(QueueLimits(concurrent: 1, download: nil, upload: 3)),
                .events([]), .snapshot(QueueSnapshot()),
            ]
            for change in changes {
                stage.testQueue.post(change)
                #expect(await updates.next() == change)
            }
            stage.testQueue.end()
            #expect(await updates.next() == nil)
            #expect(client.failure == nil)
        }
    }

    /// What is called after `updates()` comes as a change.
    @Test func listensFromTheCallOn() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let updates = client.updates()
            try await client.perform(.pause, on: [TransferID(rawValue: 1)])
            var states: [TransferState] = []
            for await update in updates {
                switch update {
                case .snapshot(let snapshot): states.append(contentsOf: snapshot.transfers.prefix(1).map(\.state))
                case .events(let events): states.append(contentsOf: events.map(\.transfer.state))
                default: break
                }
                if states.last == .paused { break }
            }
            #expect(states.last == .paused)
        }
    }

    @Test func streamsAreIndependent() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            var first = client.updates().makeAsyncIterator()
            #expect(await first.next() != nil)
            do {
                var second = client.updates().makeAsyncIterator()
                #expect(await second.next() != nil)
                #expect(stage.testQueue.listenerCount == 2)
            }
            #expect(await eventually { stage.testQueue.listenerCount == 1 })
            stage.testQueue.progress(to: 9)
            guard case .events? = await first.next() else { return #expect(Bool(false)) }
        }
    }

    @Test func cancellingEndsTheStream() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let listening = Task { for await _ in client.updates() {} }
            #expect(await eventually { stage.testQueue.listenerCount == 1 })
            listening.cancel()
            await listening.value
            #expect(await eventually { stage.testQueue.listenerCount == 0 })
        }
    }

    /// A listener that does not listen holds a bounded number of bytes, and finds the truth when it comes back.
    @Test func slowListenersGetASnapshot() async throws {
        try await onStage { stage in
            let client = try await stage.client { $0.updateLimit = 4096 }
            var updates = client.updates().makeAsyncIterator()
            #expect(await updates.next() != nil)
            var last: Int64 = 0
            while stage.testQueue.listenerCount == 1, last < 10_000 {
                last += 1
                stage.testQueue.progress(to: last)
                _ = try await client.limits()
            }
            #expect(stage.testQueue.listenerCount == 0)
            guard case .snapshot(let snapshot)? = await updates.next() else { return #expect(Bool(false)) }
            #expect(snapshot.transfers.first?.bytes == last)
            stage.testQueue.progress(to: last + 1)
            guard case .events(let events)? = await updates.next() else { return #expect(Bool(false)) }
            #expect(events.first?.transfer.bytes == last + 1)
        }
    }

    @Test func infiniteRatesSurvive() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            var updates = client.updates().makeAsyncIterator()
            _ = await updates.next()
            var transfer = try await stage.testQueue.snapshot().transfers[0]
            transfer.setPace(.init(rate: .infinity, eta: -.infinity))
            let change = QueueUpdate.events([TransferEvent(time: 1, name: .progress, transfer: transfer)])
            stage.testQueue.post(change)
            #expect(await updates.next() == change)
        }
    }
}
