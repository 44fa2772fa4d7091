// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferService

@Suite struct SyncRoundsTests {
    /// The rounds behind a reference, so that an expectation may change them.
    private final class Subject {
        var rounds: SyncRounds
        init(_ maximum: Int = 256) { rounds = SyncRounds(maximumWaiting: maximum) }
        func add(_ id: Int, busy: Bool, at now: Double) -> SyncRounds.Step? {
            rounds.add(TransferID(rawValue: id), isBusy: busy, at: now)
        }
        func fired(busy: Bool, at now: Double) -> SyncRounds.Step? { rounds.timerFired(isBusy: busy, at: now) }
        func ended(busy: Bool, at now: Double) -> SyncRounds.Step? { rounds.roundEnded(isBusy: busy, at: now) }
    }

    private func begin(_ ids: Int...) -> SyncRounds.Step { .begin(ids.map { TransferID(rawValue: $0) }) }

    @Test func startsImmediatelyWhenIdle() {
        let rounds = Subject()
        #expect(rounds.add(1, busy: false, at: 0) == begin(1))
        #expect(rounds.ended(busy: false, at: 0.01) == nil)
        #expect(rounds.add(2, busy: false, at: 0.02) == begin(2))
    }

    @Test func startsTwoRoundsASecondWhenBusy() {
        let rounds = Subject()
        #expect(rounds.add(1, busy: true, at: 0) == begin(1))
        #expect(rounds.ended(busy: true, at: 0.01) == nil)
        #expect(rounds.add(2, busy: true, at: 0.1) == .wake(at: 0.5))
        #expect(rounds.add(3, busy: true, at: 0.2) == nil)
        #expect(rounds.fired(busy: true, at: 0.5) == begin(2, 3))
        #expect(rounds.ended(busy: true, at: 0.6) == nil)
        #expect(rounds.add(4, busy: true, at: 0.7) == .wake(at: 1))
    }

    @Test func downloadsDuringARoundShareTheNext() {
        let rounds = Subject()
        _ = rounds.add(1, busy: false, at: 0)
        #expect(rounds.add(2, busy: false, at: 0.1) == nil)
        #expect(rounds.add(3, busy: false, at: 0.2) == nil)
        #expect(rounds.fired(busy: false, at: 0.6) == nil)
        #expect(rounds.ended(busy: false, at: 0.7) == begin(2, 3))
    }

    @Test func theLastDownloadStartsTheRound() {
        let rounds = Subject()
        _ = rounds.add(1, busy: true, at: 0)
        _ = rounds.ended(busy: true, at: 0)
        #expect(rounds.add(2, busy: true, at: 0.1) == .wake(at: 0.5))
        #expect(rounds.add(3, busy: false, at: 0.2) == begin(2, 3))
        #expect(rounds.fired(busy: false, at: 0.5) == nil)
    }

    @Test func fullRoundsStartImmediately() {
        let rounds = Subject(2)
        _ = rounds.add(1, busy: true, at: 0)
        #expect(!rounds.rounds.isFull)
        _ = rounds.ended(busy: true, at: 0)
        _ = rounds.add(2, busy: true, at: 0.1)
        #expect(rounds.add(3, busy: true, at: 0.1) == begin(2, 3))
        _ = rounds.add(4, busy: true, at: 0.1)
        _ = rounds.add(5, busy: true, at: 0.1)
        #expect(rounds.rounds.isFull)
        #expect(rounds.ended(busy: true, at: 0.2) == begin(4, 5))
    }

    @Test func shutdownStartsRoundsImmediately() {
        let rounds = Subject()
        _ = rounds.add(1, busy: true, at: 0)
        _ = rounds.add(2, busy: true, at: 0.1)
        #expect(rounds.rounds.hurry(at: 0.1) == nil)
        #expect(rounds.ended(busy: true, at: 0.2) == begin(2))
        #expect(rounds.ended(busy: true, at: 0.2) == nil)
        #expect(rounds.add(3, busy: true, at: 0.3) == begin(3))
    }

    /// Those of many small files: the first one waits for others, unless nothing else moves bytes.
    @Test func roundsThatGatherWaitBeforeTheFirstToo() {
        var rounds = SyncRounds(maximumWaiting: 5, interval: 1, gathers: true)
        func ids(_ range: ClosedRange<Int>) -> [TransferID] { range.map { TransferID(rawValue: $0) } }
        #expect(rounds.add(ids(1...2), isBusy: true, at: 10) == .wake(at: 11))
        #expect(rounds.add(ids(3...4), isBusy: true, at: 10.5) == nil)
        #expect(rounds.timerFired(isBusy: true, at: 11) == .begin(ids(1...4)))
        #expect(rounds.add(ids(5...5), isBusy: true, at: 11.1) == nil)
        #expect(rounds.roundEnded(isBusy: true, at: 11.2) == .wake(at: 12))
        #expect(rounds.timerFired(isBusy: false, at: 11.3) == .begin(ids(5...5)))
        #expect(rounds.roundEnded(isBusy: false, at: 11.4) == nil)
        #expect(rounds.add(ids(6...10), isBusy: true, at: 20) == .begin(ids(6...10)), "no more may wait")
    }

    @Test func roundsWithoutIntervalFollowEachOther() {
        var rounds = SyncRounds(maximumWaiting: 100, interval: 0)
        let (one, two) = ([TransferID(rawValue: 1)], [TransferID(rawValue: 2), TransferID(rawValue: 3)])
        #expect(rounds.add(one, isBusy: true, at: 0) == .begin(one))
        #expect(rounds.add(two, isBusy: true, at: 0) == nil)
        #expect(rounds.roundEnded(isBusy: true, at: 0) == .begin(two))
    }
}
