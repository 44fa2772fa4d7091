// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Commands of the user on one transfer.
extension Coordinator {
    /// Executes a command, whether the transfer has started (then it has a run) or not.
    ///
    /// A command that does not apply to the transfer's state is skipped.
    func apply(_ command: QueueCommand, to id: TransferID) throws(TransferError) {
        guard let transfer = queue[id] else { return }
        let state = transfer.state
        switch command {
        case .pause: pause(id, .transfer)
        case .hold: pause(id, .queue)
        case .resume:
            if state == .paused { requeue(id, runs[id] == nil ? .queued : .resumed) }
            if case .pause = runs[id]?.postponed { runs[id]?.postponed = nil }
        case .cancel(let deletingPartial): cancel(id, deletingPartial: deletingPartial)
        case .retry:
            switch state {
            case .failed, .cancelled: retryEnded(transfer)
            case .retrying: requeue(id, .queued)
            default: break
            }
        case .limit(let rate):
            withdrawFetch(id, unlessRunning: true)
            runs[id]?.meter.start(transfer.bytes, at: scheduler.now)
            update(id, .changed) { $0.rateLimit = rate }
            runs[id]?.setRateLimit(rate)
        case .liftRestrictions: liftRestrictions(id)
        case .schedule(let time): schedule(id, time)
        case .trust(let persistence): try trust(id, persistence)
        case .login(let credential, let persistence): logIn(id, credential, persistence)
        case .decline: decline(id)
        // Executed for all IDs together, before.
        case .move, .priority, .remove, .dismiss: break
        }
    }

    /// A file that is being verified gets its name if it is right; only another attempt can be stopped.
    private func postpone(_ command: Run.Postponed, _ id: TransferID) {
        guard let run = runs[id] else { return }
        if case .cancel = run.postponed, case .pause = command { return }
        run.postponed = command
    }

    /// Another attempt follows that on whose file commands came while it was being verified.
    func carryOutPostponed(of run: Run) {
        guard let command = run.postponed else { return }
        run.postponed = nil
        switch command {
        case .pause(let origin): pause(run.id, origin)
        case .cancel(let deletingPartial): cancel(run.id, deletingPartial: deletingPartial)
        }
    }

    private func pause(_ id: TransferID, _ origin: PauseOrigin) {
        if queue[id]?.state == .verifying { return postpone(.pause(origin), id) }
        guard let state = queue[id]?.state, [.queued, .running, .waiting, .retrying].contains(state) else { return }
        withdrawFetch(id)
        if let run = runs[id] {
            run.suspendTask()
            run.pausedAt = scheduler.now
            run.generation += 1
            run.heldUp()
        }
        update(id, .paused) { $0.status = .paused(.by(origin)) }
    }

    /// Queues a transfer that was paused or waits for its next attempt. Its resource timeout was suspended meanwhile.
    func requeue(_ id: TransferID, _ cause: TransferEvent.Name) {
        if let run = runs[id] {
            run.resumeClock(at: scheduler.now)
        } else {
            // How long it was paused before this process is not known: its resource timeout starts again.
            journal.change(id) {
                if $0.startedAt != nil { $0.startedAt = scheduler.wallNow }
            }
        }
        update(id, cause) { $0.status = .queued() }
    }

    private func cancel(_ id: TransferID, deletingPartial: Bool) {
        guard let state = queue[id]?.state, !state.isEnded else { return }
        if state == .verifying { return postpone(.cancel(deletingPartial: deletingPartial), id) }
        withdrawFetch(id)
        let run = runs[id]
        run?.generation += 1
        if let run, let task = run.task {
            run.stop = .cancel(deletingPartial: deletingPartial)
            return task.cancel()
        }
        if deletingPartial { discardPartialFiles(id) }
        end(id, .cancelled, nil)
    }

    private func retryEnded(_ transfer: Transfer) {
        let id = transfer.id
        answers.ask(again: transfer.question ?? memories[id]?.question)
        // What the server holds under the key may be a mixture, or not what was meant.
        let code = transfer.error?.code
        let givesUpKey = code == .cannotReadSource || code == .checksumMismatch
        let awaitsRename = memories[id]?.rename != nil
        journal.change(id) { checkpoint in
            checkpoint.failures = 0
            checkpoint.startedAt = nil
            if !awaitsRename { checkpoint.download = nil }
            if givesUpKey { checkpoint.upload = nil }
        }
        memories[id]?.question = nil
        if givesUpKey { memories[id, default: RunMemory()].keysGivenUp += 1 }
        let status = transfer.pausedBy.map { TransferStatus.paused(.by($0)) } ?? .queued()
        update(id, status.state == .paused ? .paused : .queued, program: .none) { transfer in
            transfer.status = status
            transfer.httpStatus = nil
            transfer.attempt += 1
        }
    }

    /// A transfer that has begun does not wait again.
    private func schedule(_ id: TransferID, _ time: Double?) {
        guard let state = queue[id]?.state, QueueCommand.schedulable.contains(state) else { return }
        withdrawFetch(id)
        update(id, .changed) { $0.earliestBegin = time }
    }

    private func liftRestrictions(_ id: TransferID) {
        guard let transfer = queue[id], !transfer.state.isEnded else { return }
        memories[id, default: RunMemory()].isUnrestricted = true
        runs[id]?.task?.liftRestrictions()
        if transfer.isDiscretionary { update(id, .changed) { $0.isDiscretionary = false } }
    }
}

extension QueueCommand {
    /// The states in which a transfer gets another start time.
    static let schedulable: Set<TransferState> = [.queued, .paused, .failed, .cancelled]
}
