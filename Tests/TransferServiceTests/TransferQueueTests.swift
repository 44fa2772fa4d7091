// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
@testable import TransferService

@Suite struct TransferQueueTests {
    private func queue(_ states: [TransferState], concurrent: Int = 2) -> (TransferQueue, [TransferID]) {
        var queue = TransferQueue(limits: QueueLimits(concurrent: concurrent))
        let ids = states.map { state in
            queue.add { TransferSnapshot(id: $0, kind: .download, url: "http://a.test/", file: "a", state: state) }
        }
        return (queue, ids)
    }

    @Test func startsInOrderUpToTheLimit() {
        var (queue, ids) = queue([.queued, .queued, .queued])
        let result1 = queue.nextToStart()
        #expect(result1 == ids[0])
        queue.update(ids[0]) { $0.state = .running }
        let result2 = queue.nextToStart()
        #expect(result2 == ids[1])
        queue.update(ids[1]) { $0.state = .running }
        let result3 = queue.nextToStart()
        #expect(result3 == nil)
        queue.update(ids[0]) { $0.state = .completed }
        let result4 = queue.nextToStart()
        #expect(result4 == ids[2])
    }

    @Test(arguments: [TransferState.paused, .waiting, .retrying, .failed, .cancelled])
    func whatStandsStillHoldsNobodyUp(_ state: TransferState) {
        var (queue, ids) = queue([state, .queued], concurrent: 1)
        let result5 = queue.nextToStart()
        #expect(result5 == ids[1])
    }

    @Test func whatIsRequeuedKeepsItsPlace() {
        var (queue, ids) = queue([.queued, .queued, .queued], concurrent: 1)
        queue.update(ids[0]) { $0.state = .paused }
        let result6 = queue.nextToStart()
        #expect(result6 == ids[1])
        queue.update(ids[1]) { $0.state = .running }
        queue.update(ids[0]) { $0.state = .queued }
        let result7 = queue.nextToStart()
        #expect(result7 == nil)
        queue.update(ids[1]) { $0.state = .completed }
        let result8 = queue.nextToStart()
        #expect(result8 == ids[0])
    }

    @Test(arguments: [(QueueMove.top, [3, 1, 2, 4]), (.up, [1, 3, 2, 4]), (.down, [1, 2, 4, 3]), (.bottom, [1, 2, 4, 3])])
    func movesGoWhereTheySay(_ move: QueueMove, _ expected: [Int]) {
        var (queue, ids) = queue([.queued, .queued, .queued, .queued])
        let result9 = queue.move(ids[2], move)
        #expect(result9)
        #expect(queue.order.map(\.rawValue) == expected)
    }

    @Test func movesBeyondTheEndsChangeNothing() {
        var (queue, ids) = queue([.queued, .queued])
        let result10 = queue.move(ids[0], .up)
        #expect(!result10)
        let result11 = queue.move(ids[1], .bottom)
        #expect(!result11)
        let result12 = queue.move(TransferID(rawValue: 99), .top)
        #expect(!result12)
    }

    @Test func whatIsMovedToTheTopStartsFirst() {
        var (queue, ids) = queue([.running, .queued, .queued, .queued], concurrent: 2)
        let result13 = queue.nextToStart()
        #expect(result13 == ids[1])
        let result14 = queue.move(ids[3], .top)
        #expect(result14)
        let result15 = queue.nextToStart()
        #expect(result15 == ids[3])
    }

    @Test func forbiddenChangesLeaveTheRecordAlone() {
        var (queue, ids) = queue([.completed])
        let result16 = queue.update(ids[0]) { $0.state = .running; $0.bytes = 5 }
        #expect(result16 == nil)
        #expect(queue[ids[0]]?.bytes == 0)
    }

    @Test func onlyEndedOnesAreForgotten() {
        var (queue, ids) = queue([.completed, .queued, .failed])
        let result17 = queue.remove(ids)
        #expect(result17 == [ids[0], ids[2]])
        #expect(queue.order == [ids[1]])
    }

    @Test func tenThousandStartAndEndQuicklyEnoughToBeUsed() {
        var (queue, _) = queue(Array(repeating: .queued, count: 10_000), concurrent: 16)
        var ended = 0
        while let id = queue.nextToStart() {
            queue.update(id) { $0.state = .running }
            queue.update(id) { $0.state = .completed }
            ended += 1
        }
        #expect(ended == 10_000)
        #expect(queue.isSettled)
    }

    @Test func ratesFollowWhatMovesAndForgetWhatWas() {
        var meter = RateMeter()
        meter.start(0, at: 0)
        for second in 1...10 { meter.note(Int64(second) * 1000, at: Double(second)) }
        #expect(abs((meter.rate ?? 0) - 1000) < 1)
        #expect(abs((meter.eta(remaining: 5000) ?? 0) - 5) < 0.1)
        meter.note(500, at: 11)
        #expect(meter.rate == nil)
        #expect(meter.eta(remaining: 1) == nil)
    }
}
