// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

/// Timers cannot be taken back: one that is no longer the one asked for must not ask for another.
@Suite struct TimerTests {
    @Test func staleProbesScheduleNothing() {
        var room = WaitingTasks()
        for _ in 0..<4 { room.leave(1, now: 0) }
        #expect(room.enter(1, now: 0) == 16)
        #expect(room.enter(2, now: 0) == 1)
        room.forget(2)
        #expect(room.due(1).next == 16)
        #expect(room.due(16).ids == [1])
        room.leave(1, now: 16)
        #expect(room.enter(1, now: 16) == 46)
        // The timer that was set for 16 at first fires beside the one that was set again.
        let stale = room.due(16)
        #expect(stale.ids.isEmpty && stale.next == nil)
    }

    @Test func staleDeadlinesScheduleNothing() {
        var table = DeadlineTable()
        #expect(table.start(1, limit: 100, now: 0) == 100)
        #expect(table.start(2, limit: 10, now: 0) == 10)
        #expect(table.passed(at: 10) == (late: [2], next: 100))
        #expect(table.start(3, limit: 200, now: 0) == nil)
        #expect(table.passed(at: 100) == (late: [1], next: 200))
        let stale = table.passed(at: 100)
        #expect(stale.late.isEmpty && stale.next == nil)
    }
}
