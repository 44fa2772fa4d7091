// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

@Suite struct DeadlineTableTests {
    /// Calls that change something stand outside of an expectation's expression.
    private func start(_ identifier: Int, _ turn: Int, at now: Double, _ table: inout DeadlineTable) -> Double? {
        table.start(identifier, turn: turn, now: now)
    }

    private func passed(_ now: Double, _ table: inout DeadlineTable) -> [Int] { table.passed(at: now).late }

    @Test func itAsksForFewWakeUps() {
        var table = DeadlineTable()
        for (identifier, limit) in [(1, 100.0), (2, 200), (3, 50)] { table.add(identifier, limit: limit) }
        #expect(start(1, 1, at: 0, &table) == 100)
        #expect(start(2, 1, at: 0, &table) == nil)
        #expect(start(3, 1, at: 0, &table) == 50)
        table.remove(3)
        let first = table.passed(at: 60)
        #expect(first.late.isEmpty)
        #expect(first.next == 100)
        let second = table.passed(at: 150)
        #expect(second.late == [1])
        #expect(second.next == 200)
        // The wake-up for 100 that was asked for first comes too, and asks for nothing.
        let third = table.passed(at: 150)
        #expect(third.late.isEmpty)
        #expect(third.next == nil)
    }

    @Test func itDoesNotRunBeforeTheStart() {
        var table = DeadlineTable()
        table.add(1, limit: 10)
        #expect(passed(1000, &table) == [])
        #expect(start(1, 1, at: 1000, &table) == 1010)
        #expect(passed(1009, &table) == [])
        #expect(passed(1010, &table) == [1])
    }

    @Test func itStandsStillWhileStopped() {
        var table = DeadlineTable()
        table.add(1, limit: 10)
        #expect(start(1, 1, at: 0, &table) == 10)
        table.stop(1, turn: 2, now: 4)
        #expect(passed(500, &table) == [])
        #expect(start(1, 3, at: 500, &table) == 506)
        #expect(passed(505, &table) == [])
        #expect(passed(506, &table) == [1])
    }

    /// Two threads that suspend and resume may arrive in the wrong order.
    @Test func whatComesLateChangesNothing() {
        var table = DeadlineTable()
        table.add(1, limit: 10)
        #expect(start(1, 3, at: 0, &table) == 10)
        table.stop(1, turn: 2, now: 1)
        #expect(passed(10, &table) == [1])
        #expect(start(1, 4, at: 20, &table) == nil)
        #expect(start(2, 1, at: 20, &table) == nil)
        #expect(passed(1000, &table) == [])
    }

    @Test func manyEndInOrder() {
        var table = DeadlineTable()
        var wakeUps = 0
        for identifier in 0..<1000 {
            table.add(identifier, limit: Double((identifier * 7919) % 1000))
            if start(identifier, 1, at: 0, &table) != nil { wakeUps += 1 }
        }
        #expect(wakeUps < 10)
        let half = table.passed(at: 499)
        #expect(half.late.count == 500)
        #expect(half.next == 500)
        #expect(passed(999, &table).count == 500)
    }
}
