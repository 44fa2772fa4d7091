// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferModel
import TransferStore

/// The end of a transfer.
///
/// A completion is a promise: its record changes, and updates, hooks and session events report it, only after the store
/// has committed it. Until then the transfer is `verifying` and holds no slot. Where no commit is awaited
/// (``EnginePolicy/awaitsCommits``), a completion is reported immediately.
extension Coordinator {
    /// Records a final state, releases everything, and starts the next transfers.
    /// - Parameters:
    ///   - name: completed, failed or cancelled.
    ///   - note: a remark about the result, for the user.
    func end(_ id: TransferID, _ name: TransferEvent.Name, _ error: TransferError?, note: TransferNote? = nil) {
        let run = runs[id]
        let state: TransferState =
            switch name {
            case .completed: .completed
            case .failed: .failed
            default: .cancelled
            }
        shadow?.ended(id, state)
        run?.finish(state)
        var error = error
        if state == .failed, case .leftBehind(let file, let bytes)? = run?.leftBehind {
            error?.fields.partialFile = file
            error?.fields.partialBytes = bytes
        }
        let end = TransferStatus.End(
            at: scheduler.wallNow, duration: run?.timeUsed(at: scheduler.now), note: note, metrics: run?.metrics)
        let (notice, unanswered) = (run?.notice, run?.consent.unanswered)
        let change: Change = { [error] transfer in
            var end = end
            end.note = end.note ?? (state == .completed ? notice : transfer.note)
            transfer.status =
                switch state {
                case .completed: .completed(end)
                case .failed: .failed(end, error ?? .unexplained, unanswered)
                default: .cancelled(end, error, transfer.pausedBy)
                }
        }
        if state == .completed, policy.awaitsCommits { return commit(id, change) }
        update(id, name, change)
        if postponed(id) != nil { journal.change(id) { $0.postponed = nil } }
        // It needs no run any more: `retry` creates another.
        if let run, state != .completed { specCache.putBack(run.description, id) }
        ended(id)
    }

    typealias Change = @Sendable (inout Transfer) -> Void

    /// A completion that is being committed.
    struct Completion: Sendable {
        let change: Change
        /// The file or folder that is synced before the completion is committed.
        var target: SyncTarget?
    }

    private func ended(_ id: TransferID) {
        runs[id] = nil
        if recovered?.completing.remove(id) != nil { dropRecoveredPlacements() }
        fetches.unfit.remove(id)
        if queue[id]?.state == .completed { memories[id] = nil }
        pruneEnded(after: id)
        notifyStopWaiters()
        startWhatMay()
        postIdleIfDue()
        finishShuttingDown()
    }

    /// The program for an idle queue waits for those of earlier events. It may power the machine off: it begins only if
    /// nothing has been added meanwhile.
    func postIdleIfDue() {
        guard !isShuttingDown, queue.becameIdle() else { return }
        hooks?.post(
            .idle,
            isWanted: { [weak self] in
                guard let self else { return false }
                return EngineActor.sync { self.queue.isIdle }
            })
    }

    // MARK: Completion

    private func commit(_ id: TransferID, _ change: @escaping Change) {
        guard !hasEnded, committing[id] == nil, var completed = queue[id], completed.state.canBecome(.completed) else {
            return
        }
        change(&completed)
        update(id) { $0.status = .verifying($0.status.note) }
        queue.freeSlot(of: id)
        let (runsProgram, target) = (!isShuttingDown, journal.target(of: id))
        committing[id] = false
        completions[id] = Completion(change: change, target: target)
        journal.note(completed, .completed, runs[id]) { [self] error in
            EngineActor.async { [self] in
                if let error, let target, error.fields.path == target.path { return unsynced(id, error) }
                committed(id, change, runsProgram, error)
            }
        }
        startWhatMay()
    }

    /// A command has changed a transfer whose completion is being committed: that has the change, too.
    func completionChanged(_ id: TransferID, _ transfer: Transfer) {
        guard let completion = completions[id] else {
            journal.recordAll(of: id)
            return journal.note(transfer, .changed, nil)
        }
        var completed = transfer
        completion.change(&completed)
        if let target = completion.target { journal.resolve(id, syncing: target) }
        journal.note(completed, .changed, runs[id])
    }

    /// The name of a file that was renamed earlier cannot be made durable. A later sync could succeed without that: the
    /// next attempt gives the file its name again (``PendingRename/resolve()``).
    private func unsynced(_ id: TransferID, _ error: TransferError) {
        guard !hasEnded else { return }
        (committing[id], completions[id]) = (nil, nil)
        if let rename = memories[id]?.rename { journal.change(id) { $0.download = rename.download } }
        end(id, .failed, error)
    }

    /// Asks the store every two seconds whether it has committed, for example after a full disk.
    func committed(
        _ id: TransferID, _ change: @escaping Change, _ runsProgram: Bool, _ error: TransferError?
    ) {
        guard !hasEnded else { return }
        guard error != nil else {
            shadow?.note(.committed(isDurable: true), id)
            update(id, .completed, program: .none, change)
            (committing[id], completions[id]) = (nil, nil)
            if runsProgram, let transfer = queue[id] { hooks?.post(.complete, transfer) }
            return ended(id)
        }
        committing[id] = true
        finishShuttingDown()
        let store = store
        scheduler.schedule(at: scheduler.now + 2) { [self] in
            store.commit { [self] error in EngineActor.async { [self] in committed(id, change, runsProgram, error) } }
        }
    }
}
