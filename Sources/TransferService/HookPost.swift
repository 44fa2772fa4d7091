// SPDX-License-Identifier: MIT

import SessionCore
import Synchronization
import TransferModel

/// Hands events to the programs that are run for them: in the order in which they happened, each once the store has
/// what it tells of.
///
/// A program never acts on what a crash could take back. Where the store cannot commit, as on a full disk, the event
/// and those behind it wait until it can. From any thread.
final class HookPost: Sendable {
    private struct Entry: Sendable {
        var event: HookEvent
        var transfer: Transfer?
        var isCommitted: Bool
    }

    private struct Guarded {
        var line: [Entry] = []
        /// The number of the first in line.
        var first = 0
    }

    /// Seconds until what could not be committed is asked for again.
    private static let pause = 2.0

    private let runner: HookRunner
    private let store: any QueueStore
    private let scheduler: any Scheduler
    private let guarded = Mutex(Guarded())

    init(_ runner: HookRunner, store: any QueueStore, scheduler: any Scheduler) {
        (self.runner, self.store, self.scheduler) = (runner, store, scheduler)
    }

    /// Puts an event in line, unless no program is run for it.
    /// - Parameter transfer: `nil` for what is no transfer's.
    /// - Returns: what to call once the transfer's record is committed, where that is awaited.
    @discardableResult
    func post(
        _ event: HookEvent, _ transfer: Transfer? = nil, awaitsCommit: Bool = false
    ) -> (@Sendable (TransferError?) -> Void)? {
        guard runner.runs(event) else { return nil }
        let number = guarded.withLock { guarded in
            guarded.line.append(Entry(event: event, transfer: transfer, isCommitted: !awaitsCommit))
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
            self?.store.settle { [weak self] in self?.committed(number, $0) }
        }
    }

    /// Under the lock, or two threads could change the order. The runner only takes note.
    private func release() {
        guarded.withLock { guarded in
            let count = guarded.line.prefix { $0.isCommitted }.count
            guard count > 0 else { return }
            for entry in guarded.line.prefix(count) { runner.run(entry.event, entry.transfer) }
            guarded.line.removeFirst(count)
            guarded.first += count
        }
    }
}
