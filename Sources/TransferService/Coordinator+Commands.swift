// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// What a user can ask of one transfer.
extension Coordinator {
    func obey(_ command: QueueCommand, _ id: TransferID) throws(TransferError) {
        guard let transfer = queue[id] else { return }
        guard let job = jobs[id] else { return try obeyUnbegun(command, transfer) }
        switch command {
        case .pause: pause(job, transfer.state, .transfer)
        case .hold: pause(job, transfer.state, .queue)
        case .resume: if transfer.state == .paused { requeue(job, .resumed) }
        case .cancel(let deletingPartial): cancel(job, transfer.state, deletingPartial: deletingPartial)
        case .retry:
            switch transfer.state {
            case .failed, .cancelled: retryAnew(job)
            case .retrying: requeue(job, .queued)
            default: break
            }
        case .limit(let rate):
            note(id) { $0.rateLimit = rate }
            job.task?.setRateLimit(rate)
            tell(.changed, id)
        case .liftRestrictions: liftRestrictions(job, transfer.state)
        case .trust(let persistence): try trust(job, persistence)
        case .login(let credential, let persistence): logIn(job, credential, persistence)
        case .decline: decline(job)
        // Done for all ids together, before.
        case .move, .priority, .remove, .dismiss: break
        }
    }

    private func pause(_ job: Job, _ state: TransferState, _ origin: PauseOrigin) {
        guard [.queued, .running, .waiting, .retrying].contains(state) else { return }
        job.task?.suspend()
        job.pausedAt = scheduler.now
        job.generation += 1
        change(job.id, .paused) { $0.state = .paused; $0.pausedBy = origin; $0.rate = nil; $0.eta = nil; $0.retryAt = nil; $0.reason = nil }
    }

    private func cancel(_ job: Job, _ state: TransferState, deletingPartial: Bool) {
        guard !state.isEnded, state != .verifying else { return }
        job.generation += 1
        if let task = job.task {
            job.stop = .cancel(deletingPartial: deletingPartial)
            task.cancel()
        } else {
            if deletingPartial { discardKept(job) }
            end(job, .cancelled, nil)
        }
    }

    private func retryAnew(_ job: Job) {
        // What the server holds under the key may be a mixture, or not what was meant.
        if let code = queue[job.id]?.error?.code, code == .cannotReadSource || code == .checksumMismatch { job.uploadKey = nil }
        answers.ask(again: job.consent.question)
        job.failures = 0
        job.refusals = 0
        job.hasCreatedFolders = false
        job.hasRestarted = false
        job.deadline = nil
        job.pausedAt = nil
        job.stop = nil
        let isPaused = queue[job.id]?.pausedBy != nil
        note(job.id) { transfer in
            transfer.state = isPaused ? .paused : .queued
            transfer.error = nil
            transfer.endedAt = nil
            transfer.question = nil
            transfer.reason = nil
            transfer.status = nil
            transfer.attempt += 1
        }
        tell(isPaused ? .paused : .queued, job.id)
    }

    func requeue(_ job: Job, _ name: TransferEvent.Name) {
        job.resumeClock(at: scheduler.now)
        change(job.id, name) { $0.state = .queued; $0.reason = nil; $0.retryAt = nil; $0.question = nil }
    }
}
