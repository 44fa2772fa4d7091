// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TransferControl
import TransferModel

@testable import TransferService

@Suite struct UpdateHubTests {
    private final class Source: Sendable {
        let hub = Mutex(UpdateHub())

        func stream(limit: Int) -> AsyncStream<QueueUpdate> {
            UpdateFeed(limit: limit).stream { feed in
                self.hub.withLock { $0.add(feed, first: QueueSnapshot()) }
            } leave: { feed in
                self.hub.withLock { $0.remove(feed) }
            }
        }

        var hasListeners: Bool { hub.withLock { $0.hasListeners } }
        func post(_ update: QueueUpdate) { hub.withLock { $0.post(update) } }
    }

    @Test(arguments: [true, false]) func listenersThatHaveLeftAreForgotten(_ hasRead: Bool) async {
        let source = Source()
        var stream: AsyncStream<QueueUpdate>? = source.stream(limit: 10)
        #expect(source.hasListeners)
        if hasRead { #expect(await stream?.first { _ in true } == .snapshot(QueueSnapshot())) }
        stream = nil
        #expect(!source.hasListeners)
    }

    /// A listener that has fallen behind costs nothing until it asks again.
    @Test func aSlowListenerGetsASnapshotInstead() async {
        let source = Source()
        var updates = source.stream(limit: 2).makeAsyncIterator()
        for _ in 1...2 { source.post(.order([])) }
        #expect(source.hasListeners)
        source.post(.order([]))
        #expect(!source.hasListeners)
        #expect(await updates.next() == .snapshot(QueueSnapshot()))
        source.post(.removed([]))
        #expect(await updates.next() == .removed([]))
    }

    /// Each has all IDs of the queue.
    @Test func ordersOfManyCostMore() {
        let source = Source()
        let updates = source.stream(limit: 5)
        source.post(.order((1...3).map(TransferID.init(rawValue:))))
        #expect(source.hasListeners)
        source.post(.order((1...3).map(TransferID.init(rawValue:))))
        #expect(!source.hasListeners)
        withExtendedLifetime(updates) {}
    }

    /// Also one that was behind at the end reads how it ended.
    @Test func theLastSnapshotIsSentAfterTheEnd() async {
        let source = Source()
        var updates = source.stream(limit: 0).makeAsyncIterator()
        source.post(.order([]))
        source.hub.withLock { $0.finish() }
        #expect(await updates.next() == .snapshot(QueueSnapshot()))
        #expect(await updates.next() == nil)
    }
}
