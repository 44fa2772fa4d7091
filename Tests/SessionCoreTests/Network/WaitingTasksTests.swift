// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

@Suite struct WaitingTasksTests {
    @Test func delaysGrowUpToABlindAttempt() {
        var room = WaitingTasks()
        var now = 100.0
        var next = room.enter(1, now: now)
        for pause in [1.0, 2, 4, 8, 16] {
            #expect(next == now + pause)
            now += pause
            #expect(room.due(now).ids == [1])
            #expect(!room.mayAttemptBlindly(1))
            next = room.stay(1, now: now)
        }
        #expect(next == now + 30)
        #expect(room.due(now + 30).ids == [1])
        #expect(room.mayAttemptBlindly(1))
    }

    @Test func aResponseResetsTheDelay() {
        var room = WaitingTasks()
        _ = room.enter(1, now: 0)
        _ = room.stay(1, now: 1)
        room.leave(1, now: 3)
        room.forget(1)
        _ = room.enter(1, now: 10)
        #expect(room.due(11).ids == [1])
    }

    @Test func ignoresTasksNotWaiting() {
        var room = WaitingTasks()
        #expect(room.stay(1, now: 0) == nil)
        #expect(room.waiting.isEmpty)
    }

    @Test func manyEventsCauseFewAttempts() {
        var room = WaitingTasks()
        var tries: [Double] = []
        for tick in 0..<1000 {
            let now = Double(tick) / 100
            _ = room.enter(1, now: now)
            guard room.mayAttempt(1, now: now).isNow else { continue }
            room.leave(1, now: now)
            tries.append(now)
        }
        #expect(tries.filter { $0 <= 1 }.count <= 4)
        #expect(tries.count <= 7)
    }
}
