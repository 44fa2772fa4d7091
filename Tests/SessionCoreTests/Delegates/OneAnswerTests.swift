// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Synchronization
import Testing

@Suite struct OneAnswerTests {
    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])
        var all: [Int] { entries.withLock { $0 } }
        func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    }

    @Test(arguments: [([], [0]), ([5], [5]), ([5, 6, 7], [5]), ([0], [0])] as [([Int], [Int])])
    func theFirstAnswerCounts(answers: [Int], heard: [Int]) {
        let log = Log()
        do {
            let answer = OneAnswer(default: 0) { log.add($0) }
            for value in answers {
                answer(value)
                #expect(log.all == heard)
            }
        }
        #expect(log.all == heard)
    }

    @Test func waitsWhileTheAnswerIsRetained() {
        let log = Log()
        var holder: OneAnswer<Int>? = OneAnswer(default: 0) { log.add($0) }
        let other = holder
        holder = nil
        #expect(log.all == [])
        other?(3)
        #expect(log.all == [3])
    }

    /// Called under the lock, this would never end.
    @Test func answersMayNest() {
        let log = Log()
        let again = Mutex<OneAnswer<Int>?>(nil)
        let answer = OneAnswer(default: 0) { value in
            log.add(value)
            again.withLock { $0 }?(value + 1)
        }
        again.withLock { $0 = answer }
        answer(1)
        again.withLock { $0 = nil }
        #expect(log.all == [1])
    }

    @Test func releasesCapturesWithTheAnswer() {
        final class Held: Sendable {}
        weak var held: Held?
        let answer: OneAnswer<Int>
        do {
            let captured = Held()
            held = captured
            answer = OneAnswer(default: 0) { _ in _ = captured }
        }
        #expect(held != nil)
        answer(1)
        #expect(held == nil)
        answer(2)
    }

    @Test func concurrentAnswersCountOnce() {
        for _ in 0..<200 {
            let log = Log()
            let answer = OneAnswer(default: -1) { log.add($0) }
            DispatchQueue.concurrentPerform(iterations: 8) { answer($0) }
            #expect(log.all.count == 1)
            #expect(log.all != [-1])
        }
    }

    @Test func theLastReleaseGivesTheDefault() {
        for _ in 0..<200 {
            let log = Log()
            let holders = Mutex<[OneAnswer<Int>?]>(Array(repeating: OneAnswer(default: -1) { log.add($0) }, count: 8))
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                let mine = holders.withLock { holders in
                    defer { holders[number] = nil }
                    return holders[number]
                }
                withExtendedLifetime(mine) {}
            }
            #expect(log.all == [-1])
        }
    }
}
