// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// What differs where the queue outlives the process: transfers are known before what was asked for is fetched, and stay as they
/// are when the process ends.
extension Coordinator {
    /// Takes what the store holds, at the beginning.
    func restore(_ recovery: QueueRecovery) {
        queue.setSuspects(journal?.crashes?.suspects ?? [])
        queue.restore(recovery.transfers)
        ranks = recovery.ranks
        for id in recovery.crashed { tell(.failed, id) }
        for id in recovery.crashed { runHook(.error, id) }
        for (id, syncing) in recovery.completed {
            guard let journal, let transfer = queue[id] else { continue }
            // Its bytes may not be on the disk yet: they come first, as for any other.
            if let syncing { journal.change(id) { $0.syncing = [syncing] } }
            journal.record(transfer, .completed, nil)
            runHook(.complete, id)
        }
        startWhatMay()
    }

    /// Puts what the store has taken in at the end of the queue.
    /// - Parameter descriptions: of those that are likely to start soon; others are fetched.
    func takeIn(_ stored: [StoredTransfer], _ descriptions: [Spec]) {
        for (transfer, description) in zip(stored, descriptions) { shelf.put(description, transfer.id) }
        for (index, transfer) in stored.enumerated() {
            queue.add(TransferSnapshot(transfer))
            ranks[transfer.id] = transfer.rank
            announce(transfer.state == .paused ? .paused : .queued, transfer.id)
            if index % 64 == 63 { startWhatMay() }
        }
        startWhatMay()
    }

    /// A transfer under which an earlier process crashed has ended, or has run long enough.
    func clearSuspect(_ id: TransferID) {
        guard queue.suspects.contains(id), journal?.crashes?.isSuspect(id) == false else { return }
        queue.setSuspects(queue.suspects.subtracting([id]))
        // Not in the middle of what is being told.
        work.async { [self] in startWhatMay() }
    }

    // MARK: Beginning

    /// The job of a transfer that has been given a place, as soon as it is known what was asked for.
    func takenUp(_ id: TransferID) -> Job? {
        guard journal != nil else { return nil }
        if let description = shelf.take(id) { return adopt(id, description) }
        shelf.await(id)
        fetch()
        return nil
    }

    private func fetch() {
        guard let journal, let ids = shelf.nextFetch(following: { queue.upcoming($0) }) else { return }
        let (store, work) = (journal.store, work)
        background.async { [self] in
            let found = Result { () throws(TransferError) in try store.descriptions(of: ids) }
            work.async { [self] in fetched(ids, found) }
        }
    }

    private func fetched(_ ids: [TransferID], _ found: Result<[TransferID: Result<Spec, TransferError>], TransferError>) {
        let (waiting, outdated) = shelf.fetched(ids)
        let awaited = Set(waiting)
        for id in ids {
            if outdated.contains(id) {
                if awaited.contains(id), queue[id]?.state == .running { shelf.await(id) }
                continue
            }
            let description = found.flatMap { $0[id] ?? .failure(TransferError(.other, "transfer \(id): is not stored any more")) }
            switch description {
            case .success(let description) where awaited.contains(id) && queue[id]?.state == .running:
                if jobs[id] == nil { begin(adopt(id, description)) }
            case .success(let description): if queue[id]?.state == .queued { shelf.put(description, id) }
            case .failure(let error): if awaited.contains(id) { endUnbegun(id, .failed, error) }
            }
        }
        fetch()
        startWhatMay()
    }

    /// Makes the job of a transfer, with what earlier processes did for it.
    func adopt(_ id: TransferID, _ description: Spec) -> Job {
        let job = Job(id: id, description: description)
        if let past = journal?.past(of: id) {
            job.failures = past.failures
            if let startedAt = past.startedAt { job.deadline = scheduler.now + startedAt + job.resourceTimeout - scheduler.wallNow }
            if let upload = past.upload, let key = upload.key {
                let name = job.file.split(separator: "/").last.map(String.init) ?? job.file
                job.uploadKey = (key, UploadSourceStatus(name: name, stored: upload.source))
            }
        }
        jobs[id] = job
        return job
    }

    // MARK: Commands

    /// What is asked of a transfer of which nothing runs and nothing is in memory but its record.
    func obeyUnbegun(_ command: QueueCommand, _ transfer: TransferSnapshot) throws(TransferError) {
        let (id, state) = (transfer.id, transfer.state)
        switch command {
        case .pause: pauseUnbegun(id, state, .transfer)
        case .hold: pauseUnbegun(id, state, .queue)
        case .resume:
            guard state == .paused else { return }
            // How long it was paused before this process, nobody knows: its time begins anew.
            journal?.change(id) { if $0.startedAt != nil { $0.startedAt = scheduler.wallNow } }
            change(id, .queued) { $0.state = .queued; $0.reason = nil; $0.question = nil }
        case .cancel(let deletingPartial):
            guard !state.isEnded, state != .verifying else { return }
            if deletingPartial, let description = try journal?.store.description(of: id) { discardKept(Job(id: id, description: description)) }
            endUnbegun(id, .cancelled, nil)
        case .retry:
            switch state {
            case .failed, .cancelled: retryUnbegun(id, transfer)
            case .retrying: change(id, .queued) { $0.state = .queued; $0.reason = nil; $0.retryAt = nil }
            default: break
            }
        case .limit(let rate):
            note(id) { $0.rateLimit = rate }
            tell(.changed, id)
        case .liftRestrictions:
            guard !state.isEnded, let description = try journal?.store.description(of: id) else { return }
            let job = adopt(id, description)
            liftRestrictions(job, state)
            // It has its place already, and was waiting for what has just been read.
            if state == .running { begin(job) }
        // Done for all ids together; and a question is put by a try of this process, which has a job.
        case .move, .priority, .remove, .dismiss, .trust, .login, .decline: break
        }
    }

    private func pauseUnbegun(_ id: TransferID, _ state: TransferState, _ origin: PauseOrigin) {
        guard !state.isEnded, state != .paused, state != .verifying else { return }
        change(id, .paused) { $0.state = .paused; $0.pausedBy = origin; $0.reason = nil; $0.retryAt = nil }
    }

    private func retryUnbegun(_ id: TransferID, _ transfer: TransferSnapshot) {
        answers.ask(again: transfer.question)
        journal?.change(id) { past in
            past.failures = 0
            past.startedAt = nil
            past.resume = nil
            if let code = transfer.error?.code, code == .cannotReadSource || code == .checksumMismatch {
                past.upload = nil
                past.keysGivenUp += 1
            }
        }
        let isPaused = transfer.pausedBy != nil
        note(id) { transfer in
            transfer.state = isPaused ? .paused : .queued
            (transfer.error, transfer.question, transfer.reason, transfer.status, transfer.endedAt) = (nil, nil, nil, nil, nil)
            transfer.attempt += 1
        }
        tell(isPaused ? .paused : .queued, id)
    }

    private func endUnbegun(_ id: TransferID, _ name: TransferEvent.Name, _ error: TransferError?) {
        change(id, name) { transfer in
            transfer.state = name == .failed ? .failed : .cancelled
            transfer.error = error
            transfer.endedAt = scheduler.wallNow
            (transfer.rate, transfer.eta, transfer.retryAt) = (nil, nil, nil)
        }
    }

    // MARK: Another address

    /// The transfer has another address or other credentials from now on; the bytes it has stay.
    func relocated(_ id: TransferID, _ description: Spec) {
        shelf.forget([id])
        note(id) { $0.url = description.url.string }
        if case .download(let download) = description.operation, let path = DownloadAdmission.partialPath(download.destination) {
            KeptFiles.relabel(path, url: description.url.string)
        }
        guard let job = jobs[id] else { return tell(.changed, id) }
        job.description = description
        if let task = job.task {
            if job.stop == nil { job.stop = .relocate }
            task.cancel()
        } else {
            tell(.changed, id)
        }
    }

    /// After the try with the old address has ended.
    func beginAnew(_ job: Job) {
        if let path = job.files?.path { KeptFiles.relabel(path, url: job.description.url.string) }
        if queue[job.id]?.state == .paused { return tell(.changed, job.id) }
        let now = scheduler.wallNow
        change(job.id, .retrying) { $0.state = .retrying; $0.reason = "the address was replaced"; $0.retryAt = now; $0.attempt += 1 }
        startRetry(of: job, at: scheduler.now)
        startWhatMay()
    }

    /// A session that the server gave belongs to the upload's key: it is kept with the transfer's other secrets before anything is
    /// sent under it.
    func keepSession(_ job: Job, _ sid: String, then goOn: @escaping @Sendable () -> Void) {
        guard let journal, case .upload(var upload) = job.description.operation, case .fileQ(var form) = upload.form else { return goOn() }
        form.sid = sid
        upload.form = .fileQ(form)
        job.description.operation = .upload(upload)
        let (id, description, store, work) = (job.id, job.description, journal.store, work)
        let (generation, report) = (job.generation, configuration.report)
        keeping.async { [self] in
            do throws(TransferError) {
                // Another address may have been given meanwhile.
                var stored = try store.description(of: id)
                stored.operation = description.operation
                _ = try store.replaceDescription(of: id, with: stored)
            } catch {
                report(error)
                // Under a session that nobody would know after a crash, the same bytes might be stored twice.
                return work.async { [self] in if jobs[id]?.generation == generation { judge(job, error, retryAfter: nil) } }
            }
            work.async { [self] in if jobs[id]?.generation == generation { goOn() } }
        }
    }

    // MARK: Order and ends

    /// Has the store know the new places of transfers that were moved.
    func rank(_ ids: [TransferID]) {
        guard let journal else { return }
        let (moved, order) = (Set(ids), queue.order)
        var changed: [TransferID: Int64] = [:]
        var following: [TransferID: TransferID] = [:]
        var next: TransferID?
        for id in order.reversed() {
            if moved.contains(id) { following[id] = next } else { next = id }
        }
        for (place, id) in order.enumerated() where moved.contains(id) {
            // Between priorities, ranks say nothing.
            func isPeer(_ other: TransferID) -> Bool { queue[other]?.priority == queue[id]?.priority }
            let before = place > 0 && isPeer(order[place - 1]) ? ranks[order[place - 1]] : nil
            let after = following[id].flatMap { isPeer($0) ? ranks[$0] : nil }
            guard let rank = OrderRank.between(before, after) else {
                ranks = Dictionary(uniqueKeysWithValues: zip(order, OrderRank.spread(order.count)))
                return keep(ranks: ranks, journal.store)
            }
            ranks[id] = rank
            changed[id] = rank
        }
        if !changed.isEmpty { keep(ranks: changed, journal.store) }
    }

    private func keep(ranks: [TransferID: Int64], _ store: TransferStore) {
        let report = configuration.report
        keeping.async {
            do throws(TransferError) { try store.setRanks(ranks) } catch { report(error) }
        }
    }

    /// A transfer that has ended needs no job: `retry` makes another.
    func letGo(_ job: Job) {
        jobs[job.id] = nil
        pruneEnded(after: job.id)
    }

    /// Of very many that are completed the oldest leave the queue; the history has them.
    private func pruneEnded(after id: TransferID) {
        guard queue[id]?.state == .completed else { return }
        completedInOrder.append(id)
        guard completedInOrder.count >= 2 * QueueRecovery.maximumEnded else { return }
        forget(Array(completedInOrder.prefix(QueueRecovery.maximumEnded)))
        completedInOrder.removeFirst(QueueRecovery.maximumEnded)
    }

    /// The process is about to end; the next one goes on.
    func rests(_ job: Job) {
        job.dropPartial()
        if let journal, let transfer = queue[job.id] { journal.record(transfer, .progress, job) }
        finishShuttingDown()
    }
}
