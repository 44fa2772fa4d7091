// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import TransferModel

/// Runs the programs of events in the order in which these happen, each after the store has committed the event's
/// record.
///
/// So a program never acts on a state that a crash could revert. If the store cannot commit, for example on a full
/// disk, the event and all later ones wait until it can. From any thread.
final class HookPost: Sendable {
    private struct Entry: Sendable {
        var event: HookEvent
        var transfer: Transfer?
        var isCommitted: Bool
        var isWanted: (@Sendable () -> Bool)?
    }

    private struct Guarded {
        var line: [Entry] = []
        /// The number of the first entry.
        var first = 0
    }

    /// Seconds until a failed commit is asked for again.
    private static let pause = 2.0

    private let runner: HookRunner
    private let store: any QueueStore
    private let scheduler: any Scheduler
    private let guarded = Mutex(Guarded())

    init(_ runner: HookRunner, store: any QueueStore, scheduler: any Scheduler) {
        (self.runner, self.store, self.scheduler) = (runner, store, scheduler)
    }

    /// Enqueues an event, unless it has no program.
    /// - Parameters:
    ///   - transfer: `nil` for an event that belongs to no transfer.
    ///   - isWanted: evaluated right before the program begins.
    /// - Returns: what to call once the transfer's record is committed, if that is awaited.
    @discardableResult
    func post(
        _ event: HookEvent, _ transfer: Transfer? = nil, awaitsCommit: Bool = false,
        isWanted: (@Sendable () -> Bool)? = nil
    ) -> (@Sendable (TransferError?) -> Void)? {
        guard runner.runs(event) else { return nil }
        let number = guarded.withLock { guarded in
            guarded.line.append(
                Entry(event: event, transfer: transfer, isCommitted: !awaitsCommit, isWanted: isWanted))
            return guarded.first + guarded.line.count - 1
        }
        guard awaitsCommit else {
            release()
            return nil
        }
        return { [self] in committed(number, $0) }
    }

    private func committed(_ number: Int, _ error: TransferError?) {
        guard error != nil else {
            guarded.withLock { $0.line[number - $0.first].isCommitted = true }
            return release()
        }
        scheduler.schedule(at: scheduler.now + Self.pause) { [weak self] in
            self?.store.commit { [weak self] in self?.committed(number, $0) }
        }
    }

    /// Under the lock, or two threads could change the order. The runner only enqueues the program.
    private func release() {
        guarded.withLock { guarded in
            let count = guarded.line.prefix { $0.isCommitted }.count
            guard count > 0 else { return }
            for entry in guarded.line.prefix(count) {
                runner.run(entry.event, entry.transfer, isWanted: entry.isWanted)
            }
            guarded.line.removeFirst(count)
            guarded.first += count
        }
    }
}
