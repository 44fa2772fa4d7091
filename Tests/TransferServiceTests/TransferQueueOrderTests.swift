// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting
@testable import TransferService

/// Priorities, and how they go with moves.
@Suite struct TransferQueueOrderTests {
    typealias Subject = TransferQueueTests.Subject

    /// Transfers 1, 2, 3… with these priorities.
    private func queue(_ priorities: [Double?]) -> Subject {
        var queue = TransferQueue(limits: QueueLimits(concurrent: 1))
        for priority in priorities {
            _ = queue.add { id in
                var transfer = Transfer(
                    id: id, kind: .download, url: "http://a.test/", file: "a", state: .queued)
                transfer.priority = priority
                return transfer
            }
        }
        return Subject(queue)
    }

    /// The order in which they really start, each ending before the next.
    private func starts(_ subject: Subject) -> [Int] {
        var found: [Int] = []
        while let id = subject.nextToStart() {
            found.append(id.rawValue)
            subject.update(id) { $0.state = .running }
            subject.update(id) { $0.state = .completed }
        }
        return found
    }

    @Test(
        arguments: [
            ([nil, nil, nil], [1, 2, 3]),
            ([0.1, 0.9, nil, 0.9, 0.1], [2, 4, 3, 1, 5]),
            // Priorities are clamped, and NaN is the default.
            ([1, 7, -3, 0, .nan, 0.5], [1, 2, 5, 6, 3, 4]),
            ([0.3004, 0.3, 0.2996], [1, 2, 3]),
        ] as [([Double?], [Int])])
    func startsByPriorityThenOrder(_ priorities: [Double?], _ expected: [Int]) {
        let subject = queue(priorities)
        #expect(subject.order.map(\.rawValue) == expected)
        #expect(starts(subject) == expected)
    }

    struct Move: Sendable, CustomTestStringConvertible {
        var move: QueueMove
        var ids: [Int]
        var expected: [Int]
        var priorities: [Double?]
        var reprioritized: [Int]
        init(
            _ move: QueueMove, _ ids: [Int], _ expected: [Int], _ priorities: [Double?] = [0.9, nil, nil, nil, 0.1],
            changed: [Int] = []
        ) {
            (self.move, self.ids, self.expected, self.priorities, reprioritized) = (
                move, ids, expected, priorities, changed
            )
        }
        var testDescription: String { "\(move) \(ids)" }
    }

    /// Of 1 with 0.9, 2, 3, 4 with none, 5 with 0.1.
    @Test(arguments: [
        Move(.top, [3], [3, 1, 2, 4, 5], [0.9, 0.9, nil, nil, 0.1], changed: [3]),
        Move(.top, [5, 3], [3, 5, 1, 2, 4], [0.9, 0.9, 0.9, nil, nil], changed: [3, 5]),
        Move(.top, [1, 2], [1, 2, 3, 4, 5]), Move(.top, [1, 3], [1, 3, 2, 4, 5]),
        Move(.bottom, [2], [1, 3, 4, 5, 2], [0.9, nil, nil, 0.1, 0.1], changed: [2]),
        Move(.bottom, [5], [1, 2, 3, 4, 5]),
        Move(.bottom, [5, 1], [2, 3, 4, 1, 5], [nil, nil, nil, nil, 0.1], changed: [1]),
        Move(.up, [3], [1, 3, 2, 4, 5]), Move(.up, [3, 4], [1, 3, 4, 2, 5]), Move(.up, [1], [1, 2, 3, 4, 5]),
        Move(.up, [2], [2, 1, 3, 4, 5], [0.9, 0.9, nil, nil, 0.1], changed: [2]),
        Move(.up, [1, 2, 99], [1, 2, 3, 4, 5]),
        Move(.up, [2, 4], [2, 1, 4, 3, 5], [0.9, 0.9, nil, nil, 0.1], changed: [2]),
        Move(.down, [3], [1, 2, 4, 3, 5]), Move(.down, [2, 3], [1, 4, 2, 3, 5]),
        Move(.down, [4], [1, 2, 3, 5, 4], [0.9, nil, nil, 0.1, 0.1], changed: [4]),
        Move(.down, [4, 5], [1, 2, 3, 4, 5]),
        Move(.down, [1], [2, 1, 3, 4, 5], [nil, nil, nil, nil, 0.1], changed: [1]),
    ])
    func movesPastOthersTakeTheirPriority(_ move: Move) {
        let subject = queue([0.9, nil, nil, nil, 0.1])
        let result = subject.queue.move(move.ids.map(TransferID.init(rawValue:)), move.move)
        #expect(subject.order.map(\.rawValue) == move.expected)
        #expect(result.isOrderChanged == (move.expected != [1, 2, 3, 4, 5]))
        #expect(Set(result.reprioritized.map(\.rawValue)) == Set(move.reprioritized))
        #expect(subject.order.map { subject[$0]?.priority } == move.priorities)
        #expect(starts(subject) == move.expected)
    }

    @Test func newTransfersAreBehindTheBottom() {
        let subject = queue([nil, nil, nil])
        #expect(subject.move(TransferID(rawValue: 1), .bottom))
        _ = subject.queue.add {
            Transfer(id: $0, kind: .download, url: "http://a.test/", file: "a", state: .queued)
        }
        #expect(starts(subject) == [2, 3, 1, 4])
    }

    @Test func ranksDoNotRunOut() {
        let subject = queue(Array(repeating: nil, count: 5))
        // Each goes between the same two over and over.
        for round in 0..<200 {
            let order = subject.order
            let id = order[round % 2 == 0 ? 2 : 3]
            #expect(subject.move(id, round % 3 == 0 ? .down : .up))
        }
        let order = subject.order.map(\.rawValue)
        #expect(starts(subject) == order)
    }

    @Test func sortsIntoANewPriority() {
        let subject = queue([nil, 0.9, nil, 0.9, nil])
        func set(_ priority: Double, _ ids: [Int]) -> TransferQueue.Reordering {
            subject.queue.setPriority(priority, of: ids.map(TransferID.init(rawValue:)))
        }
        #expect(subject.order.map(\.rawValue) == [2, 4, 1, 3, 5])
        #expect(set(0.9, [3, 99, 3]) == .init(isOrderChanged: true, reprioritized: [TransferID(rawValue: 3)]))
        #expect(subject.order.map(\.rawValue) == [2, 3, 4, 1, 5])
        #expect(set(0.9, [3]) == .init())
        #expect(set(0.95, [2]) == .init(isOrderChanged: false, reprioritized: [TransferID(rawValue: 2)]))
        #expect(set(0.5, [2, 4, 3]).isOrderChanged)
        #expect(subject.order.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(subject.order.allSatisfy { subject[$0]?.priority == nil })
        subject.update(TransferID(rawValue: 5)) { $0.priority = 1 }
        #expect(starts(subject) == [1, 2, 3, 4, 5])
    }

    /// A move within one priority may lead to the place of a transfer of another.
    @Test(arguments: [[1, 3], [3, 1]]) func transfersOfTheSamePlaceHaveTheOrderThatTheNextProcessFinds(_ ids: [Int]) {
        var queue = TransferQueue(limits: QueueLimits(concurrent: 1))
        for priority in [0.9, 0.9, nil, nil] {
            _ = queue.add { id in
                var transfer = Transfer(id: id, kind: .download, url: "http://a.test/", file: "a", state: .queued)
                transfer.priority = priority
                return transfer
            }
        }
        let all = queue.order
        _ = queue.move([all[0]], .down)
        #expect(queue[all[0]]?.place == queue[all[2]]?.place)
        for id in ids { _ = queue.setPriority(0.1, of: [TransferID(rawValue: id)]) }
        #expect(queue.order.map(\.rawValue) == [2, 4, 1, 3])
        var stored = Array(queue.order.compactMap { queue[$0] }.reversed())
        stored.sortByPlace()
        var next = TransferQueue(limits: QueueLimits(concurrent: 1))
        next.restore(stored)
        #expect(next.order == queue.order)
        #expect(starts(Subject(next)) == [2, 4, 1, 3])
    }

    @Test func handlesFortyThousandQuickly() {
        var queue = TransferQueue(limits: QueueLimits(concurrent: 16, perHost: 2))
        for _ in 0..<40_000 {
            _ = queue.add { id in
                var transfer = Transfer(
                    id: id, kind: .download, url: "http://host\(id.rawValue % 100).test/", file: "a", state: .queued)
                transfer.priority = id.rawValue % 3 == 0 ? 0.9 : nil
                return transfer
            }
        }
        let last = queue.order[39_999]
        #expect(queue.move([last], .top).reprioritized == [last])
        #expect(queue.setPriority(0.2, of: queue.order).reprioritized.count == 40_000)
        var ended = 0
        while let id = queue.nextToStart(at: 0) {
            queue.update(id) { $0.status = .running() }
            queue.update(id) { $0.status = .completed(.init()) }
            ended += 1
        }
        #expect(ended == 40_000)
    }
}
