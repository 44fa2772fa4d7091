// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

@Suite struct DeadlineTableTests {
    /// Calls that change something stand outside of an expectation's expression.
    private func start(
        _ identifier: Int, limit: Double = 10, at now: Double, _ table: inout DeadlineTable
    ) -> Double? {
        table.start(identifier, limit: limit, now: now)
    }

    private func passed(_ now: Double, _ table: inout DeadlineTable) -> [Int] { table.passed(at: now).late }

    @Test func schedulesFewTimers() {
        var table = DeadlineTable()
        #expect(start(1, limit: 100, at: 0, &table) == 100)
        #expect(start(2, limit: 200, at: 0, &table) == nil)
        #expect(start(3, limit: 50, at: 0, &table) == 50)
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

    @Test func doesNotRunBeforeTheStart() {
        var table = DeadlineTable()
        #expect(passed(1000, &table) == [])
        #expect(start(1, at: 1000, &table) == 1010)
        #expect(passed(1009, &table) == [])
        #expect(passed(1010, &table) == [1])
    }

    @Test func stopsWhileSuspended() {
        var table = DeadlineTable()
        #expect(start(1, at: 0, &table) == 10)
        table.stop(1, now: 4)
        #expect(passed(500, &table) == [])
        #expect(start(1, at: 500, &table) == 506)
        #expect(passed(505, &table) == [])
        #expect(passed(506, &table) == [1])
    }

    @Test func removesExpiredDeadlines() {
        var table = DeadlineTable()
        #expect(start(1, at: 0, &table) == 10)
        #expect(start(1, at: 5, &table) == nil)
        #expect(start(2, limit: 20, at: 0, &table) == nil)
        table.stop(2, now: 1)
        table.remove(2)
        table.stop(2, now: 2)
        #expect(passed(10, &table) == [1])
        #expect(passed(1000, &table) == [])
    }

    @Test func manyEndInOrder() {
        var table = DeadlineTable()
        var wakeUps = 0
        for identifier in 0..<1000 {
            let limit = Double((identifier * 7919) % 1000)
            if start(identifier, limit: limit, at: 0, &table) != nil { wakeUps += 1 }
        }
        #expect(wakeUps < 10)
        let half = table.passed(at: 499)
        #expect(half.late.count == 500)
        #expect(half.next == 500)
        #expect(passed(999, &table).count == 500)
    }
}
