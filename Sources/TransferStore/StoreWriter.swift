// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
package import TransferModel

/// Collects changes of transfers and commits them to a store: the latest of each transfer, in one transaction at most
/// twice a second, immediately if they are urgent.
///
/// From any thread; no call waits for the disk. Changes of one transfer reach the store in the order in which they were
/// recorded. A change is committed after the bytes of its file are on disk; files of many changes are synced in one
/// round, at most one round a second.
package final class StoreWriter: Sendable {
    /// Called once, on the writer's queue: `nil` when the change, or a newer one of the same transfer, is committed;
    /// else the error.
    package typealias Completion = @Sendable (TransferError?) -> Void

    /// A completion and the number of changes it waits for. Not a tuple: a closure in a tuple in a generic container is
    /// wrapped on each access.
    private struct Waiter {
        var count: Int
        var error: TransferError?
        let completion: Completion
    }

    private struct Guarded {
        var plan = WritePlan()
        var nextTicket = 0
        var waiting: [Int: Waiter] = [:]

        mutating func ticket(_ count: Int, _ completion: Completion?) -> Int? {
            guard let completion else { return nil }
            nextTicket += 1
            waiting[nextTicket] = Waiter(count: count, completion: completion)
            return nextTicket
        }

        /// Decrements each ticket's count; the first error stays.
        /// - Returns: the waiters whose count is 0.
        mutating func complete(_ tickets: [Int], _ error: TransferError?) -> [Waiter] {
            tickets.compactMap { ticket in
                guard var waiter = waiting[ticket] else { return nil }
                waiter.count -= 1
                waiter.error = waiter.error ?? error
                waiting[ticket] = waiter.count == 0 ? nil : waiter
                return waiter.count == 0 ? waiter : nil
            }
        }
    }

    private let store: TransferStore
    private let now: @Sendable () -> Double
    private let schedule: @Sendable (Double, @escaping @Sendable () -> Void) -> Void
    private let sync: @Sendable ([SyncTarget]) -> [SyncTarget: Int32]
    private let reportFailure: @Sendable (TransferError) -> Void
    private let work = DispatchQueue(label: "fileq.store")
    private let guarded = Mutex(Guarded())

    /// - Parameters:
    ///   - now: seconds on a monotonic clock.
    ///   - schedule: runs a closure once, not before a time on that clock, on any thread.
    ///   - sync: makes files durable; returns an errno for each that could not be. `nil`: ``FileSync``.
    ///   - reportFailure: called on the writer's queue when a batch could not be committed. The commit is repeated
    ///     every few seconds, without limit: the state in memory is current, and the disk may have space again.
    package init(
        store: TransferStore, now: @escaping @Sendable () -> Double,
        schedule: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void,
        sync: (@Sendable ([SyncTarget]) -> [SyncTarget: Int32])? = nil,
        reportFailure: @escaping @Sendable (TransferError) -> Void
    ) {
        self.store = store
        self.now = now
        self.schedule = schedule
        self.sync = sync ?? FileSync.sync
        self.reportFailure = reportFailure
    }

    /// Records changes.
    /// - Parameter completion: called once for all of them. An error of syncing a file names the file of the change's
    ///   first target in its fields; nothing of that change is or will be stored: record the transfer's new state.
    ///   After any other error the change stays, and the commit is repeated.
    package func record(_ changes: [StoreChange], then completion: Completion? = nil) {
        guard !changes.isEmpty else {
            work.async { completion?(nil) }
            return
        }
        let time = now()
        let step = guarded.withLock { guarded in
            let ticket = guarded.ticket(changes.count, completion)
            return guarded.plan.recorded(changes, ticket: ticket, at: time)
        }
        step.map(act)
    }

    package func record(_ change: StoreChange, then completion: Completion? = nil) {
        record([change], then: completion)
    }

    /// Records settings, to be committed immediately and durably, with whatever is committed next: no change that is
    /// recorded later is stored without them. A commit that failed is repeated, with the latest settings.
    package func keep(_ settings: StoreSettings) {
        let time = now()
        guarded.withLock { $0.plan.kept(settings, at: time) }.map(act)
    }

    /// Syncs and commits immediately everything recorded so far.
    /// - Throws: the error of the commit.
    package func flush() async throws(TransferError) {
        let error = await withCheckedContinuation { (done: CheckedContinuation<TransferError?, Never>) in
            flush { done.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// As ``flush()``, for callers that cannot wait.
    package func flush(then completion: @escaping Completion) {
        let time = now()
        let step = guarded.withLock { guarded in
            guarded.ticket(1, completion).flatMap { guarded.plan.flushRequested(ticket: $0, at: time) }
        }
        step.map(act)
    }

    /// Commits immediately everything recorded so far that needs no sync of a file: it then survives any end of the
    /// process. It may not survive a power cut; ``flush()`` does.
    /// - Throws: the error of the commit, which is repeated automatically.
    package func commit() async throws(TransferError) {
        let error = await withCheckedContinuation { (done: CheckedContinuation<TransferError?, Never>) in
            commit { done.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// As ``commit()``, for callers that cannot wait.
    /// - Parameter id: a transfer whose changes are committed even if a file has to be synced for that.
    package func commit(including id: TransferID? = nil, then completion: @escaping Completion) {
        let time = now()
        let step = guarded.withLock { guarded in
            guarded.ticket(1, completion).flatMap { guarded.plan.commitRequested(ticket: $0, including: id, at: time) }
        }
        step.map(act)
    }

    // MARK: Acting

    private func act(_ step: WritePlan.Step) {
        switch step {
        case .commit(let batch): work.async { [self] in perform(batch) }
        case .wake(let time): schedule(time) { [weak self] in self?.wake() }
        case .flushed(let tickets):
            work.async { [self] in
                finish(guarded.withLock { $0.complete(tickets, nil) })
                wake()
            }
        }
    }

    private func wake() {
        let time = now()
        guarded.withLock { $0.plan.timerFired(at: time) }.map(act)
    }

    private func perform(_ batch: WritePlan.Batch) {
        let (good, refused) = synced(batch.items)
        let changes = good.map(\.change)
        var failure: TransferError?
        if !changes.isEmpty || batch.settings != nil {
            do throws(TransferError) {
                try store.commit(changes, batch.settings, isDurable: batch.isDurable)
            } catch { failure = error }
        }
        if let failure { reportFailure(failure) }
        for item in refused { reportFailure(item.error) }
        let time = now()
        let (finished, step) = guarded.withLock { guarded in
            var finished = guarded.complete(good.flatMap(\.tickets), failure)
            for (item, error) in refused { finished += guarded.complete(item.tickets, error) }
            finished += guarded.complete(batch.flushes, failure ?? refused.first?.error)
            let step =
                failure == nil
                ? guarded.plan.commitEnded(at: time)
                : guarded.plan.commitEnded(failed: changes, settings: batch.settings, at: time)
            return (finished, step)
        }
        finish(finished)
        step.map(act)
    }

    private func finish(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.completion(waiter.error) }
    }

    private typealias Refused = (item: WritePlan.Item, error: TransferError)

    /// One round of syncs: each file once.
    /// - Returns: the changes whose files are on disk, and the errors of the others.
    private func synced(_ items: [WritePlan.Item]) -> (good: [WritePlan.Item], refused: [Refused]) {
        var targets: [SyncTarget] = []
        var seen: Set<SyncTarget> = []
        for target in items.lazy.flatMap(\.change.syncing) where seen.insert(target).inserted { targets.append(target) }
        guard !targets.isEmpty else { return (items, []) }
        let codes = sync(targets)
        var good: [WritePlan.Item] = []
        var refused: [Refused] = []
        for item in items {
            if let code = item.change.syncing.lazy.compactMap({ codes[$0] }).first {
                refused.append(
                    (
                        item,
                        TransferError(
                            .cannotWrite, file: .sync, path: item.change.syncing.first?.path, systemErrno: code)
                    ))
            } else {
                good.append(item)
            }
        }
        return (good, refused)
    }
}
