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
    func apply(_ command: QueueCommand, to id: TransferID) {
        guard let transfer = queue[id] else { return }
        let state = transfer.state
        switch command {
        case .pause: pause(id, .transfer)
        case .hold: pause(id, .queue)
        case .resume: resume(id)
        case .cancel(let deletingPartial): cancel(id, deletingPartial: deletingPartial)
        case .retry:
            shadow?.note(.retry, id)
            forgetUploadSupport(of: transfer)
            switch state {
            case .failed, .cancelled: retryEnded(transfer)
            case .retrying: requeue(id, .queued)
            case .verifying: withdrawPostponed(id, for: isHeld ? .hold : nil) { $0.cancels }
            default: break
            }
        case .limit(let rate):
            withdrawFetch(id, unlessRunning: true)
            runs[id]?.meter.start(transfer.bytes, at: scheduler.now)
            update(id, .changed) { $0.rateLimit = rate }
            runs[id]?.setRateLimit(rate)
        case .liftRestrictions: liftRestrictions(id)
        case .schedule(let time): schedule(id) { $0.earliestBegin = time }
        case .after(let predecessors): schedule(id) { $0.after = predecessors }
        case .login(let credential, let persistence, let question): logIn(id, question, credential, persistence)
        case .decline(let question): decline(id, question)
        // Executed for all IDs together, before.
        case .move, .priority, .remove, .dismiss: break
        // Once the keys are accepted.
        case .trust: break
        }
    }

    /// A file that is being verified gets its name if it is right; only another attempt can be stopped. The reply waits
    /// for the commit: a later process carries it out, too.
    private func postpone(_ command: PostponedCommand, _ id: TransferID) {
        if postponed(id)?.cancels == true, !command.cancels { return }
        keepPostponed(command, id)
    }

    func postponed(_ id: TransferID) -> PostponedCommand? { journal.checkpoint(of: id)?.postponed }

    private func withdrawPostponed(
        _ id: TransferID, for other: PostponedCommand? = nil, where isWithdrawn: (PostponedCommand) -> Bool
    ) {
        if let command = postponed(id), isWithdrawn(command) { keepPostponed(other, id) }
    }

    private func keepPostponed(_ command: PostponedCommand?, _ id: TransferID) {
        // The reply waits for a completion that the store was given.
        guard completions[id] == nil, let transfer = queue[id], command != postponed(id) else { return }
        journal.change(id) { $0.postponed = command }
        journal.note(transfer, .changed, runs[id])
    }

    /// Another attempt would follow that on whose file a command came while it was being verified.
    func carryOutPostponed(_ id: TransferID) {
        guard let command = postponed(id) else { return }
        // Until then the record has it.
        journal.change(id) { $0.postponed = nil }
        carryOut(command, id)
    }

    func carryOut(_ command: PostponedCommand, _ id: TransferID) {
        switch command {
        case .pause: pause(id, .transfer)
        case .hold: pause(id, .queue)
        case .cancel, .discard: cancel(id, deletingPartial: command == .discard)
        }
    }

    private func pause(_ id: TransferID, _ origin: PauseOrigin) {
        shadow?.note(.pause(.init(origin)), id)
        if queue[id]?.state == .verifying { return postpone(origin == .queue ? .hold : .pause, id) }
        // Of a queue that is held: released with it from now on. One that is paused itself is not.
        let other: PauseOrigin = origin == .queue ? .transfer : .queue
        if origin == .transfer || isHeld, queue[id]?.status == .paused(.by(other)) {
            update(id, .changed) { $0.status = .paused(.by(origin)) }
            return
        }
        guard queue[id]?.state.isPausable == true else { return }
        setAside(id, .by(origin))
    }

    /// Stops it, unless it is stopped already, and keeps everything.
    func setAside(_ id: TransferID, _ pause: TransferStatus.Pause) {
        withdrawFetch(id)
        if let run = runs[id] {
            run.suspendTask()
            run.pausedAt = scheduler.now
            run.generation += 1
            run.heldUp()
        }
        update(id, .paused) { $0.status = .paused(pause) }
    }

    func resume(_ id: TransferID) {
        shadow?.note(.resume, id)
        let standing = moves[id]?.standing?.status ?? queue[id]?.status
        if standing?.isHeldByPredecessor == true { update(id) { $0.after = nil } }
        if queue[id]?.state == .paused { requeue(id, runs[id] == nil ? .queued : .resumed) }
        if moves[id]?.standing?.status.state == .paused {
            moves[id]?.standing?.status = .queued()
            update(id, .changed)
        }
        withdrawPostponed(id) { !$0.cancels }
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
        shadow?.note(.cancel(deletingPartial ? .discarding : .keeping), id)
        if state == .verifying { return postpone(deletingPartial ? .discard : .cancel, id) }
        withdrawFetch(id)
        let run = runs[id]
        run?.generation += 1
        if let run, let task = run.task {
            run.stop = .cancel(deletingPartial: deletingPartial)
            return task.cancel()
        }
        if deletingPartial, let moving = moves[id], moving.begins == nil {
            // They are in use.
            moves[id]?.discards = true
        } else if deletingPartial {
            discardPartialFiles(id)
        }
        end(id, .cancelled, nil, note: deletingPartial ? nil : run?.leftBehind)
    }

    /// A user retries after the server has changed.
    private func forgetUploadSupport(of transfer: Transfer) {
        guard transfer.kind == .upload, let url = try? TransferURL(transfer.url) else { return }
        uploadSupport.forget(url.origin)
    }

    private func retryEnded(_ transfer: Transfer) {
        let id = transfer.id
        answers.ask(again: transfer.question ?? memories[id]?.question)
        // What the server holds under the key may be a mixture, or not what was meant.
        let code = transfer.error?.code
        let givesUpKey = code == .cannotReadSource || code == .checksumMismatch
        let awaitsRename = memories[id]?.rename != nil
        let hasBegun = journal.checkpoint(of: id)?.startedAt != nil || transfer.httpStatus != nil
        if givesUpKey { leaveUpload(of: id, nil) }
        journal.change(id) { checkpoint in
            checkpoint.failures = 0
            checkpoint.startedAt = nil
            if !awaitsRename { checkpoint.download = nil }
            if givesUpKey { checkpoint.upload = nil }
        }
        memories[id]?.question = nil
        if givesUpKey { memories[id, default: RunMemory()].keysGivenUp += 1 }
        // The queue may have been held or released meanwhile.
        let ownPause = transfer.pausedBy == .queue ? nil : transfer.pausedBy
        let origin = ownPause ?? (isHeld ? PauseOrigin.queue : nil)
        let status = origin.map { TransferStatus.paused(.by($0)) } ?? .queued()
        update(id, status.state == .paused ? .paused : .queued, program: .none) { transfer in
            transfer.status = status
            transfer.httpStatus = nil
            if hasBegun { transfer.attempt += 1 }
        }
    }

    /// A transfer that has begun does not wait again.
    private func schedule(_ id: TransferID, _ change: (inout Transfer) -> Void) {
        guard let state = queue[id]?.state, QueueCommand.schedulable.contains(state) else { return }
        withdrawFetch(id)
        update(id, .changed, change)
    }

    private func liftRestrictions(_ id: TransferID) {
        guard let transfer = queue[id], !transfer.state.isEnded else { return }
        memories[id, default: RunMemory()].isUnrestricted = true
        runs[id]?.task?.liftRestrictions()
        if transfer.isDiscretionary { update(id, .changed) { $0.isDiscretionary = false } }
    }
}

extension QueueCommand {
    /// The states in which a transfer gets another start time, or other predecessors.
    static let schedulable: Set<TransferState> = [.queued, .paused, .failed, .cancelled]
}
