// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting
@testable import TransferStore

@Suite struct WritePlanTests {
    private func change(
        _ id: Int, _ bytes: Int64 = 0, _ urgency: StoreChange.Urgency = .soon, events: [[UInt8]] = [],
        syncing descriptors: [Int32] = []
    ) -> StoreChange {
        var transfer = Transfer(id: TransferID(rawValue: id), kind: .download, url: "u", file: "f", state: .running)
        transfer.bytes = bytes
        return StoreChange(
            transfer, urgency: urgency, events: events,
            syncing: descriptors.map { SyncTarget(path: "\($0)", device: 1) })
    }

    private func batch(
        _ items: [(StoreChange, [Int])], flushes: [Int] = [], durable: Bool = false, settings: StoreSettings? = nil
    ) -> WritePlan.Step {
        .commit(
            .init(
                items: items.map { .init(change: $0.0, tickets: $0.1) }, flushes: flushes, isDurable: durable,
                settings: settings))
    }

    /// The plan behind a reference, so that an expectation may change it.
    private final class Subject {
        var plan = WritePlan()
        func recorded(_ change: StoreChange, ticket: Int? = nil, at now: Double) -> WritePlan.Step? {
            plan.recorded([change], ticket: ticket, at: now)
        }
        func recorded(_ changes: [StoreChange], ticket: Int, at now: Double) -> WritePlan.Step? {
            plan.recorded(changes, ticket: ticket, at: now)
        }
        func fired(at now: Double) -> WritePlan.Step? { plan.timerFired(at: now) }
        func kept(_ settings: StoreSettings, at now: Double) -> WritePlan.Step? { plan.kept(settings, at: now) }
        func ended(
            failed: [StoreChange] = [], settings: StoreSettings? = nil, at now: Double
        ) -> WritePlan.Step? {
            plan.commitEnded(failed: failed, settings: settings, at: now)
        }
        func flush(_ ticket: Int, at now: Double) -> WritePlan.Step? { plan.flushRequested(ticket: ticket, at: now) }
        func commitNow(_ ticket: Int, including id: Int? = nil, at now: Double) -> WritePlan.Step? {
            plan.commitRequested(ticket: ticket, including: id.map(TransferID.init), at: now)
        }
    }

    @Test func commitsTheLatestProgressTwiceASecond() {
        let plan = Subject()
        #expect(plan.recorded(change(1, 10), at: 0) == batch([(change(1, 10), [])]))
        #expect(plan.ended(at: 0.01) == nil)
        #expect(plan.recorded(change(1, 20), at: 0.1) == .wake(at: 0.5))
        #expect(plan.recorded(change(2, 5), ticket: 8, at: 0.2) == nil)
        #expect(plan.recorded(change(1, 30), ticket: 9, at: 0.3) == nil)
        #expect(plan.fired(at: 0.5) == batch([(change(1, 30), [9]), (change(2, 5), [8])]))
        #expect(plan.ended(at: 0.6) == nil)
        #expect(plan.recorded(change(1, 40), at: 0.7) == .wake(at: 1))
    }

    @Test func urgentChangesShareTheNextBatch() {
        let plan = Subject()
        #expect(plan.recorded(change(1, 1, .now), at: 0) == batch([(change(1, 1, .now), [])], durable: true))
        #expect(plan.recorded(change(2, 1, .now), at: 0) == nil)
        #expect(plan.recorded(change(3, 1, .now), at: 0) == nil)
        #expect(plan.ended(at: 0.01) == batch([(change(2, 1, .now), []), (change(3, 1, .now), [])], durable: true))
        #expect(plan.ended(at: 0.02) == nil)
    }

    /// One sync of the database for all of a round.
    @Test func commitsChangesRecordedTogether() {
        let plan = Subject()
        let changes = (1...3).map { change($0, 1, .now) }
        #expect(plan.recorded(changes, ticket: 7, at: 0) == batch(changes.map { ($0, [7]) }, durable: true))
        #expect(plan.ended(at: 0.01) == nil)
    }

    @Test func progressDoesNotDelayUrgentChanges() {
        let plan = Subject()
        _ = plan.recorded(change(1, 1), at: 0)
        _ = plan.ended(at: 0)
        #expect(plan.recorded(change(1, 2), at: 0.1) == .wake(at: 0.5))
        #expect(plan.recorded(change(2, 1, .now), at: 0.2) == batch([(change(2, 1, .now), [])], durable: true))
        #expect(plan.ended(at: 0.2) == nil)
        #expect(plan.fired(at: 0.5) == batch([(change(1, 2), [])]))
    }

    @Test func laterChangesKeepTheUrgency() {
        let plan = Subject()
        _ = plan.recorded(change(9, 0, .now), at: 0)
        _ = plan.recorded(change(1, 1, .now, events: [[1]]), ticket: 5, at: 0)
        _ = plan.recorded(change(1, 2, events: [[2]]), at: 0)
        #expect(plan.ended(at: 0) == batch([(change(1, 2, .now, events: [[1], [2]]), [5])], durable: true))
    }

    @Test func commitsWithoutSyncingForTheProcess() {
        let plan = Subject()
        #expect(plan.recorded(change(1, 1, .kept), at: 0) == batch([(change(1, 1, .kept), [])]))
        _ = plan.ended(at: 0)
        #expect(plan.recorded(change(1, 2, .kept), at: 0.01) == batch([(change(1, 2, .kept), [])]))
    }

    @Test func syncsOnceASecondAndHoldsBackLaterChanges() {
        let plan = Subject()
        let first = change(1, 1, .now, syncing: [4])
        #expect(plan.recorded(first, at: 0) == batch([(first, [])], durable: true))
        _ = plan.ended(at: 0.01)
        #expect(plan.recorded(change(2, 1, .now, syncing: [5]), at: 0.1) == .wake(at: 1))
        // Urgent, but it speaks of bytes that are not on the disk yet.
        #expect(plan.recorded(change(2, 2, .now), at: 0.2) == nil)
        #expect(plan.recorded(change(3, 1, .now, syncing: [5, 6]), at: 0.3) == nil)
        #expect(
            plan.fired(at: 1)
                == batch(
                    [(change(2, 2, .now, syncing: [5]), []), (change(3, 1, .now, syncing: [5, 6]), [])], durable: true))
    }

    @Test func changesDuringACommitWait() {
        let plan = Subject()
        _ = plan.recorded(change(1, 1), at: 0)
        #expect(plan.recorded(change(1, 2), at: 3) == nil)
        #expect(plan.fired(at: 4) == nil)
        #expect(plan.ended(at: 5) == batch([(change(1, 2), [])]))
    }

    /// Settings are durable, and no later change is committed without them.
    @Test func settingsArePartOfTheNextBatch() {
        let plan = Subject()
        let (first, second) = (StoreSettings(concurrent: 1), StoreSettings(concurrent: 2))
        #expect(plan.kept(first, at: 0) == batch([], durable: true, settings: first))
        #expect(plan.recorded(change(1, 1), at: 0) == nil)
        #expect(plan.kept(first, at: 0) == nil)
        #expect(plan.kept(second, at: 0) == nil)
        #expect(plan.recorded(change(2, 1, .kept), at: 0) == nil)
        #expect(
            plan.ended(at: 0.1)
                == batch([(change(1, 1), []), (change(2, 1, .kept), [])], durable: true, settings: second))
        #expect(plan.ended(at: 0.2) == nil)
        #expect(plan.recorded(change(3, 1, .kept), at: 0.3) == batch([(change(3, 1, .kept), [])]))
    }

    /// A request for a commit waits for settings, too, and those that failed are repeated with the next batch.
    @Test func settingsThatFailedAreRepeated() {
        let plan = Subject()
        let (first, second) = (StoreSettings(concurrent: 1), StoreSettings(concurrent: 2))
        #expect(plan.kept(first, at: 0) == batch([], durable: true, settings: first))
        #expect(plan.commitNow(7, at: 0) == nil)
        #expect(plan.ended(settings: first, at: 0) == batch([], flushes: [7], durable: true, settings: first))
        #expect(plan.ended(settings: first, at: 1) == .wake(at: 6))
        #expect(
            plan.recorded(change(1, 1, .kept), at: 2)
                == batch([(change(1, 1, .kept), [])], durable: true, settings: first))
        #expect(plan.kept(second, at: 2) == nil)
        let failed = change(1, 1, .kept)
        #expect(plan.ended(failed: [failed], settings: first, at: 3) == batch([], durable: true, settings: second))
        #expect(plan.ended(at: 3) == nil)
        #expect(plan.fired(at: 6) == .wake(at: 8))
        #expect(plan.fired(at: 8) == batch([(change(1, 1), [])]))
    }

    @Test func commitNowSyncsNoFile() {
        let plan = Subject()
        #expect(plan.commitNow(1, at: 0) == .flushed([1]))
        _ = plan.recorded(change(1, 1, syncing: [4]), at: 0)
        #expect(plan.commitNow(2, at: 0) == nil)
        #expect(plan.recorded(change(2, 1), at: 0) == nil)
        #expect(plan.recorded(change(3, 1, syncing: [5]), at: 0) == nil)
        #expect(plan.ended(at: 0.1) == batch([(change(2, 1), [])], flushes: [2]))
        // What waits for its file is none of theirs, and is not forgotten over them.
        #expect(plan.commitNow(3, at: 0.1) == nil)
        #expect(plan.ended(at: 0.2) == .flushed([3]))
        #expect(plan.fired(at: 0.2) == .wake(at: 1))
        #expect(plan.fired(at: 1) == batch([(change(3, 1, syncing: [5]), [])], durable: true))
    }

    @Test func commitNowSyncsTheFileOfOneTransferThatItNames() {
        let plan = Subject()
        _ = plan.recorded(change(1, 1, syncing: [4]), at: 0)
        #expect(plan.ended(at: 0.1) == nil)
        #expect(plan.recorded(change(1, 2, syncing: [4]), at: 0.2) == .wake(at: 1))
        #expect(plan.recorded(change(2, 1), at: 0.2) == batch([(change(2, 1), [])]))
        #expect(plan.ended(at: 0.3) == nil)
        #expect(plan.commitNow(7, including: 2, at: 0.3) == .flushed([7]))
        #expect(
            plan.commitNow(8, including: 1, at: 0.3)
                == batch([(change(1, 2, syncing: [4]), [])], flushes: [8], durable: true))
    }

    @Test func flushCommitsEverything() {
        let plan = Subject()
        #expect(plan.flush(1, at: 0) == .flushed([1]))
        _ = plan.recorded(change(1, 1), at: 0)
        #expect(plan.flush(2, at: 0) == nil)
        #expect(plan.ended(at: 0) == .flushed([2]))
        _ = plan.recorded(change(1, 2), ticket: 3, at: 0.1)
        _ = plan.recorded(change(2, 2, syncing: [4]), at: 0.1)
        _ = plan.recorded(change(1, 3), at: 0.1)
        #expect(plan.flush(4, at: 0.1) == nil)
        #expect(plan.ended(at: 0.1) == batch([(change(1, 3), [3])], flushes: [4], durable: true))
    }

    @Test func repeatsFailedCommitsWithNewerChanges() {
        let plan = Subject()
        let first = change(1, 1, .now, events: [[1]], syncing: [4])
        let other = change(2, 7, .now)
        _ = plan.recorded(first, ticket: 1, at: 0)
        _ = plan.recorded(change(1, 2, events: [[2]]), ticket: 2, at: 0.1)
        #expect(plan.ended(failed: [first, other], at: 1) == .wake(at: 6))
        // It does not hold up what is urgent.
        #expect(plan.recorded(change(3, 1, .now), at: 2) == batch([(change(3, 1, .now), [])], durable: true))
        #expect(plan.ended(at: 2) == nil)
        // Less urgent, and as durable: a flush that comes later finds nothing left to make so.
        guard case .commit(let repeated) = plan.fired(at: 6) else { return #expect(Bool(false), "must be repeated") }
        #expect(repeated.isDurable)
        #expect(repeated.items.map(\.change.transfer.bytes) == [2, 7])
        #expect(repeated.items.map(\.change.urgency) == [.soon, .soon])
        #expect(repeated.items.map(\.change.events) == [[[1], [2]], []])
        #expect(repeated.items.map(\.tickets) == [[2], []])
        #expect(plan.ended(at: 6) == nil)
        #expect(plan.flush(9, at: 7) == .flushed([9]))
    }

    @Test func ignoresEarlyTimers() {
        let plan = Subject()
        _ = plan.recorded(change(1, 1), at: 0)
        _ = plan.ended(at: 0)
        _ = plan.recorded(change(1, 2), at: 0.1)
        #expect(plan.fired(at: 0.2) == .wake(at: 0.5))
        #expect(plan.fired(at: 0.5) == batch([(change(1, 2), [])]))
        #expect(plan.fired(at: 0.6) == nil)
    }
}
