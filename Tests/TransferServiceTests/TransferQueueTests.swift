// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting
@testable import TransferService

@Suite struct TransferQueueTests {
    /// The queue behind a reference, so that an expectation may change it.
    final class Subject {
        var queue: TransferQueue
        init(_ queue: TransferQueue) { self.queue = queue }

        func nextToStart(at now: Double = 0) -> TransferID? { queue.nextToStart(at: now) }
        func move(_ id: TransferID, _ move: QueueMove) -> Bool { queue.move([id], move).isOrderChanged }
        func remove(_ ids: [TransferID]) -> [TransferID] { queue.remove(ids) }
        @discardableResult
        func update(_ id: TransferID, _ change: (inout TransferForm) -> Void) -> Transfer? {
            queue.update(id) { $0.edit(change) }
        }
        var order: [TransferID] { queue.order }
        var isIdle: Bool { queue.isIdle }
        func becameIdle() -> Bool { queue.becameIdle() }
        subscript(id: TransferID) -> Transfer? { queue[id] }
    }

    private func queue(_ states: [TransferState], concurrent: Int = 2) -> (Subject, [TransferID]) {
        var queue = TransferQueue(limits: QueueLimits(concurrent: concurrent))
        let ids = states.map { state in
            queue.add { Transfer(id: $0, kind: .download, url: "http://a.test/", file: "a", state: state) }
        }
        return (Subject(queue), ids)
    }

    @Test func listsWhatMatchesInOrder() {
        let (subject, ids) = queue([.queued, .paused, .queued, .queued, .paused])
        _ = subject.move(ids[4], .top)
        let order = subject.order
        func list(_ filter: QueueFilter) -> [TransferID] { subject.queue.transfers(matching: filter).map(\.id) }
        #expect(list(QueueFilter()) == order)
        #expect(list(QueueFilter(limit: 2)) == Array(order.prefix(2)))
        #expect(list(QueueFilter(limit: 0)) == [])
        #expect(list(QueueFilter(states: [.queued], limit: 2)) == [ids[0], ids[2]])
        // IDs may repeat and be unknown.
        let asked = [ids[2], ids[4], TransferID(rawValue: 99), ids[2], ids[1]]
        #expect(list(QueueFilter(ids: asked)) == [ids[4], ids[1], ids[2]])
        #expect(list(QueueFilter(ids: asked, states: [.paused])) == [ids[4], ids[1]])
        #expect(list(QueueFilter(ids: asked, limit: 1)) == [ids[4]])
        for filter in [QueueFilter(), QueueFilter(ids: asked), QueueFilter(states: [.paused], limit: 1)] {
            #expect(subject.queue.transfers(matching: filter) == filter.apply(to: subject.queue.snapshot.transfers))
        }
    }

    @Test func startsInOrderUpToTheLimit() {
        let (queue, ids) = queue([.queued, .queued, .queued])
        #expect(queue.nextToStart() == ids[0])
        queue.update(ids[0]) { $0.state = .running }
        #expect(queue.nextToStart() == ids[1])
        queue.update(ids[1]) { $0.state = .running }
        #expect(queue.nextToStart() == nil)
        queue.update(ids[0]) { $0.state = .completed }
        #expect(queue.nextToStart() == ids[2])
    }

    @Test(arguments: [TransferState.paused, .waiting, .retrying, .failed, .cancelled])
    func stalledTransfersDoNotBlock(_ state: TransferState) {
        let (queue, ids) = queue([state, .queued], concurrent: 1)
        #expect(queue.nextToStart() == ids[1])
    }

    @Test func requeuedTransfersKeepTheirPosition() {
        let (queue, ids) = queue([.queued, .queued, .queued], concurrent: 1)
        queue.update(ids[0]) { $0.state = .paused }
        #expect(queue.nextToStart() == ids[1])
        queue.update(ids[1]) { $0.state = .running }
        queue.update(ids[0]) { $0.state = .queued }
        #expect(queue.nextToStart() == nil)
        queue.update(ids[1]) { $0.state = .completed }
        #expect(queue.nextToStart() == ids[0])
    }

    @Test(arguments: [
        (QueueMove.top, [3, 1, 2, 4]), (.up, [1, 3, 2, 4]), (.down, [1, 2, 4, 3]), (.bottom, [1, 2, 4, 3]),
    ])
    func movesToTheGivenPosition(_ move: QueueMove, _ expected: [Int]) {
        let (queue, ids) = queue([.queued, .queued, .queued, .queued])
        #expect(queue.move(ids[2], move))
        #expect(queue.order.map(\.rawValue) == expected)
    }

    @Test func movesBeyondTheEndsHaveNoEffect() {
        let (queue, ids) = queue([.queued, .queued])
        #expect(!queue.move(ids[0], .up))
        #expect(!queue.move(ids[1], .bottom))
        #expect(!queue.move(TransferID(rawValue: 99), .top))
    }

    @Test func startsTheTopTransferFirst() {
        let (queue, ids) = queue([.running, .queued, .queued, .queued], concurrent: 2)
        #expect(queue.nextToStart() == ids[1])
        #expect(queue.move(ids[3], .top))
        #expect(queue.nextToStart() == ids[3])
    }

    @Test func forbiddenTransitionsChangeNothing() {
        let (queue, ids) = queue([.completed])
        #expect(
            queue.update(ids[0]) {
                $0.state = .running
                $0.bytes = 5
            } == nil)
        #expect(queue[ids[0]]?.bytes == 0)
    }

    @Test func removesOnlyFinishedTransfers() {
        let (queue, ids) = queue([.completed, .queued, .failed])
        #expect(queue.remove(ids + ids) == [ids[0], ids[2]])
        #expect(queue.order == [ids[1]])
        #expect(queue[ids[0]] == nil)
    }

    @Test func restoresOrderAndNeverReusesIDs() {
        func make(_ id: Int, _ state: TransferState, _ priority: Double? = nil) -> Transfer {
            var transfer = Transfer(
                id: TransferID(rawValue: id), kind: .download, url: "http://a.test/", file: "a", state: state)
            transfer.priority = priority
            return transfer
        }
        let (queue, _) = self.queue([])
        queue.queue.restore([make(7, .queued), make(3, .completed), make(5, .queued, 0.9)], nextID: 12)
        #expect(queue.order.map(\.rawValue) == [5, 7, 3])
        #expect(queue.nextToStart()?.rawValue == 5)
        let isTwice = !queue.queue.add(make(3, .queued))
        #expect(isTwice && queue.queue.count == 3)
        queue.queue.add(make(20, .queued))
        let next = queue.queue.add { make($0.rawValue, .queued) }
        #expect(next.rawValue == 21)
        #expect(!queue.isIdle)
        let (other, _) = self.queue([])
        other.queue.restore([make(1, .paused), make(2, .failed)], nextID: 12)
        #expect(other.isIdle)
        let first = other.queue.add { make($0.rawValue, .queued) }
        #expect(first.rawValue == 12)
    }

    @Test func becomesIdleOnceAfterWhatCouldRun() {
        let (queue, ids) = queue([.paused, .queued, .paused])
        #expect(!queue.becameIdle())
        queue.update(ids[1]) { $0.state = .running }
        queue.update(ids[1]) { $0.state = .completed }
        #expect(queue.becameIdle())
        #expect(!queue.becameIdle())
        queue.update(ids[0]) { $0.state = .cancelled }
        #expect(!queue.becameIdle())
        queue.update(ids[2]) { $0.state = .queued }
        #expect(!queue.becameIdle())
        queue.update(ids[2]) { $0.state = .cancelled }
        #expect(queue.becameIdle())
        let (paused, _) = self.queue([.paused])
        #expect(!paused.becameIdle())
    }

    @Test func tenThousandStartAndEndQuickly() {
        let (queue, _) = queue(Array(repeating: .queued, count: 10_000), concurrent: 16)
        var ended = 0
        while let id = queue.nextToStart() {
            queue.update(id) { $0.state = .running }
            queue.update(id) { $0.state = .completed }
            ended += 1
        }
        #expect(ended == 10_000)
        #expect(queue.isIdle)
    }

    @Test func ratesFollowRecentProgress() {
        var meter = RateMeter()
        meter.start(0, at: 0)
        for second in 1...10 { meter.note(Int64(second) * 1000, at: Double(second)) }
        #expect(abs((meter.rate ?? 0) - 1000) < 1)
        #expect(abs((meter.pace(remaining: 5000)?.eta ?? 0) - 5) < 0.1)
        meter.note(500, at: 11)
        #expect(meter.rate == nil)
        #expect(meter.pace(remaining: 1) == nil)
    }

    @Test func aRateIsZeroAfterThreeSecondsWithoutAByte() {
        var meter = RateMeter()
        meter.start(0, at: 0)
        #expect(meter.silentFrom == nil)
        for second in 1...10 { meter.note(Int64(second) * 1000, at: Double(second)) }
        #expect(meter.silentFrom == 13)
        // The position was reported again, but no byte moved.
        meter.note(10_000, at: 12)
        #expect(meter.silentFrom == 13)
        let isSilent = [12.9, 13, 20].map { meter.fallSilent(at: $0) }
        #expect(isSilent == [false, true, false], "once")
        #expect(meter.silentSince == 10)
        #expect(meter.pace(remaining: 5000) == .init(rate: 0) && meter.silentFrom == nil)
        meter.note(15_000, at: 20)
        #expect(meter.rate ?? 0 > 0 && meter.silentFrom == 23 && meter.silentSince == nil)
    }

    /// Bytes in each second, and the time for 12,000 more: one, a range, or none.
    @Test(
        arguments: [
            (Array(repeating: 1000, count: 40), 11.9...12.1, nil), (Array(repeating: 1000, count: 3), 11.9...12.1, nil),
            (Array(repeating: 2000, count: 30) + Array(repeating: 1000, count: 6), 6.5...6.6, 11...12.1),
            (Array(repeating: 10_000, count: 30) + Array(repeating: 0, count: 8), nil, nil),
            (Array(repeating: 9000, count: 30) + Array(repeating: 1000, count: 6), nil, nil),
        ] as [([Int64], ClosedRange<Double>?, ClosedRange<Double>?)])
    func timesAreAsExactAsTheRatesAreSteady(
        _ seconds: [Int64], _ least: ClosedRange<Double>?, _ most: ClosedRange<Double>?
    ) {
        var meter = RateMeter()
        meter.start(0, at: 0)
        var position: Int64 = 0
        for (index, bytes) in seconds.enumerated() {
            position += bytes
            meter.note(position, at: Double(index + 1))
        }
        let pace = meter.pace(remaining: 12_000)
        #expect(least.map { $0.contains(pace?.eta ?? -1) } ?? (pace?.eta == nil), "\(String(describing: pace))")
        #expect(
            most.map { $0.contains(pace?.longestETA ?? -1) } ?? (pace?.longestETA == nil), "\(String(describing: pace))"
        )
    }
}
