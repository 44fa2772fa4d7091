// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting
@testable import TransferService

/// Hosts, hours, and those that wait for a network without cost.
@Suite struct TransferQueueStartTests {
    private func transfer(
        _ id: Int, _ url: String = "http://a.test/", discretionary: Bool? = nil, begin: Double? = nil,
        state: TransferState = .queued
    ) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: url, file: "a", state: state)
        (transfer.isDiscretionary, transfer.earliestBegin) = (discretionary ?? false, begin)
        return transfer
    }

    /// A queue behind a reference, so that an expectation may change it.
    private final class Subject {
        var queue: TransferQueue
        init(_ limits: QueueLimits, _ transfers: [Transfer]) {
            queue = TransferQueue(limits: limits)
            queue.restore(transfers)
        }

        /// Starts all that may.
        func start(at now: Double = 0) -> [Int] {
            var found: [Int] = []
            while let id = queue.nextToStart(at: now) {
                set(.running, id.rawValue)
                found.append(id.rawValue)
            }
            return found
        }

        func set(_ state: TransferState, _ id: Int) { change(id) { $0.state = state } }
        func change(_ id: Int, _ body: (inout TransferForm) -> Void) {
            queue.update(TransferID(rawValue: id)) { $0.edit(body) }
        }
        func add(_ transfer: Transfer) { queue.add(transfer) }
    }

    // MARK: Slots

    @Test func syncingTransfersHoldNoSlot() {
        let subject = Subject(QueueLimits(concurrent: 1, perHost: 1), [transfer(1), transfer(2), transfer(3)])
        #expect(subject.start() == [1])
        subject.set(.verifying, 1)
        #expect(subject.start().isEmpty)
        subject.queue.freeSlot(of: TransferID(rawValue: 1))
        subject.queue.freeSlot(of: TransferID(rawValue: 1))
        #expect(subject.start() == [2])
        subject.set(.completed, 1)
        #expect(subject.start().isEmpty)
        #expect(subject.queue.isBusy)
        // Limits that change meanwhile count it as little.
        subject.set(.verifying, 2)
        subject.queue.freeSlot(of: TransferID(rawValue: 2))
        subject.queue.setLimits(QueueLimits(concurrent: 1))
        #expect(!subject.queue.isBusy)
        #expect(subject.start() == [3])
        // Where it is begun again it takes one as any other.
        subject.set(.failed, 2)
        subject.set(.queued, 2)
        subject.set(.completed, 3)
        #expect(subject.start() == [2])
        #expect(subject.queue.isBusy)
    }

    @Test func onlyVerifyingTransfersFreeTheirSlot() {
        let subject = Subject(QueueLimits(concurrent: 1), [transfer(1), transfer(2)])
        #expect(subject.start() == [1])
        subject.queue.freeSlot(of: TransferID(rawValue: 1))
        #expect(subject.start().isEmpty)
    }

    @Test func noMoreStartThanTheSystemHasRoomFor() {
        let subject = Subject(QueueLimits(concurrent: 3), (1...4).map { transfer($0) })
        subject.queue.ceiling = 1
        #expect(subject.start() == [1])
        #expect(!subject.queue.hasSlot(for: TransferID(rawValue: 2)))
        subject.queue.ceiling = 0
        subject.set(.completed, 1)
        #expect(subject.start().isEmpty)
        subject.queue.ceiling = nil
        #expect(subject.start() == [2, 3, 4])
    }

    // MARK: Suspects

    @Test func suspectsRunOneAtATime() {
        let queue = Subject(QueueLimits(concurrent: 8), [])
        queue.queue.setSuspects(Set([1, 3, 4].map(TransferID.init(rawValue:))))
        for id in 1...5 { queue.add(transfer(id)) }
        #expect(queue.start() == [1, 2, 5])
        // One that waits is no danger now.
        queue.set(.waiting, 1)
        #expect(queue.start() == [3])
        queue.set(.running, 1)
        queue.set(.verifying, 3)
        queue.set(.completed, 3)
        #expect(queue.start() == [])
        queue.set(.verifying, 1)
        queue.set(.completed, 1)
        #expect(queue.start() == [4])
    }

    @Test func clearingASuspectReleasesTheOthers() {
        let queue = Subject(QueueLimits(concurrent: 8), [])
        queue.queue.setSuspects(Set([1, 2, 3].map(TransferID.init(rawValue:))))
        for id in 1...3 { queue.add(transfer(id)) }
        #expect(queue.start() == [1])
        queue.queue.setSuspects(Set([2, 3].map(TransferID.init(rawValue:))))
        #expect(queue.start() == [2])
        queue.queue.setSuspects([])
        #expect(queue.start() == [3])
    }

    // MARK: Hosts

    @Test func fullHostsDoNotBlockOthers() {
        let queue = Subject(
            QueueLimits(concurrent: 4, perHost: 1),
            [
                transfer(1, "http://a.test/1"), transfer(2, "https://A.test:8443/2"), transfer(3, "http://b.test/"),
                transfer(4, "http://a.test/4"), transfer(5, "http://[::1]:80/"), transfer(6, "http://[::1]/"),
            ])
        #expect(queue.start() == [1, 3, 5])
        queue.set(.retrying, 1)
        #expect(queue.start() == [2])
        // The place of the one that retries is taken meanwhile.
        #expect(!queue.queue.hasSlot(for: TransferID(rawValue: 1)))
        queue.set(.completed, 2)
        queue.set(.queued, 1)
        #expect(queue.start() == [1])
        queue.queue.setLimits(QueueLimits(concurrent: 4, perHost: 2))
        #expect(queue.start() == [4])
        queue.set(.completed, 1)
        queue.set(.completed, 4)
        queue.queue.setLimits(QueueLimits(concurrent: 4))
        #expect(queue.start() == [6])
    }

    @Test func newURLChangesTheHost() {
        let queue = Subject(QueueLimits(concurrent: 4, perHost: 1), [transfer(1), transfer(2), transfer(3)])
        #expect(queue.start() == [1])
        queue.change(2) { $0.url = "http://b.test/" }
        #expect(queue.start() == [2])
        queue.change(1) { $0.url = "http://c.test/" }
        #expect(queue.start() == [3])
    }

    @Test(arguments: [
        ("http://Example.ORG/a:b", "example.org"), ("https://example.org:8443/", "example.org"),
        ("http://[2001:db8::1]:80/", "[2001:db8::1]"), ("http://[2001:db8::1]/", "[2001:db8::1]"), ("", ""), ("x", "x"),
    ])
    func readsTheHostOfAURL(_ url: String, _ host: String) {
        #expect(TransferQueue.host(of: url) == host)
    }

    // MARK: Hours

    @Test func startsNothingBeforeItsTime() {
        let queue = Subject(
            QueueLimits(concurrent: 8),
            [transfer(1, begin: 200), transfer(2, begin: 100), transfer(3), transfer(4, begin: 100, state: .paused)])
        #expect(queue.queue.nextWake == 100)
        #expect(queue.start(at: 99.9) == [3])
        #expect(queue.start(at: 100) == [2])
        #expect(queue.queue.nextWake == 200)
        #expect(!queue.queue.isIdle)
        queue.set(.queued, 4)
        #expect(queue.start(at: 150) == [4])
        queue.queue.update(TransferID(rawValue: 1)) { $0.earliestBegin = nil }
        #expect(queue.queue.nextWake == nil)
        #expect(queue.start(at: 150) == [1])
    }

    @Test func scheduledTransfersKeepTheirPosition() {
        let queue = Subject(QueueLimits(concurrent: 1), [transfer(1, begin: 100), transfer(2), transfer(3)])
        #expect(queue.start(at: 0) == [2])
        queue.set(.completed, 2)
        #expect(queue.start(at: 100) == [1])
    }

    // MARK: Discretion

    @Test func discretionaryTransfersStartLast() {
        let queue = Subject(
            QueueLimits(concurrent: 3, perHost: 1),
            [
                transfer(1, "http://d.test/", discretionary: true), transfer(2, "http://e.test/", discretionary: true),
                transfer(3), transfer(4),
            ])
        #expect(queue.start() == [3])
        // 4 is in line for the host that 3 keeps.
        #expect(queue.queue.heldForFreeNetwork == nil)
        queue.set(.retrying, 3)
        #expect(queue.start() == [4])
        queue.set(.completed, 4)
        queue.queue.isNetworkFree = false
        #expect(queue.start() == [])
        #expect(queue.queue.heldForFreeNetwork?.rawValue == 1)
        queue.queue.isNetworkFree = true
        // One that retries, waits or is paused holds them up no more than others.
        #expect(queue.start() == [1, 2])
        queue.add(transfer(5, "http://f.test/"))
        #expect(queue.start() == [5])
        queue.set(.completed, 1)
        queue.add(transfer(6, "http://g.test/", discretionary: true))
        #expect(queue.start() == [])
        queue.queue.update(TransferID(rawValue: 6)) { $0.isDiscretionary = false }
        #expect(queue.start() == [6])
    }
}
