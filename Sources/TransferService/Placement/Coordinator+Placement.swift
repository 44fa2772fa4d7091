// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// The last steps of downloads whose bytes are all here and right: bytes synced, the intention recorded, the name given, the name synced.
///
/// Downloads that are to be synced go through it in rounds (``SyncRounds``). They are `verifying` and hold no slot.
extension Coordinator {
    /// A whole download on its way to its name.
    struct Placing: Sendable {
        let job: Job
        let placement: DownloadPlacement
        /// Its intention could not be recorded yet, as on a full disk.
        var isStuck = false
    }

    func place(_ job: Job, _ placement: DownloadPlacement) {
        // The queue has ended meanwhile: the next process finds a partial file.
        guard !hasEnded else { return job.dropPartial() }
        placement.setTime()
        let disk = configuration.disk
        let isToBeSynced = job.download?.syncs != false && !disk.isInMemory(placement.partial.descriptor)
        guard update(job.id, nil, { $0.state = .verifying }) else { return placed(job, placement.place()) }
        let placing = Placing(job: job, placement: placement)
        placements[job.id] = placing
        guard isToBeSynced else { return intend([placing], isSynced: false) }
        if !rounds.isFull {
            queue.freeSlot(of: job.id)
            startWhatMay()
        }
        carryOut(rounds.add(job.id, isBusy: queue.isBusy, at: scheduler.now))
    }

    /// The queue is ending: what waits for a round is synced now.
    func hurryPlacements() { carryOut(rounds.hurry(at: scheduler.now)) }

    // MARK: A round

    private func carryOut(_ step: SyncRounds.Step?) {
        switch step {
        case nil: break
        case .begin(let ids): sync(ids.compactMap { placements[$0] })
        case .wake(let time):
            scheduler.schedule(at: time) { [weak self] in
                self?.work.async { [weak self] in
                    guard let self else { return }
                    carryOut(rounds.timerFired(isBusy: queue.isBusy, at: scheduler.now))
                }
            }
        }
    }

    private func roundEnded() { carryOut(rounds.roundEnded(isBusy: queue.isBusy, at: scheduler.now)) }

    private func sync(_ batch: [Placing]) {
        let (disk, work) = (configuration.disk, work)
        let files = batch.map { placing in
            FileSync.OpenFile(descriptor: placing.placement.partial.descriptor, device: placing.placement.partial.identity?.device ?? 0)
        }
        // A slow disk is reported. Their numbers alone: descriptors must not stay open for it.
        let ids = batch.map(\.job.id)
        scheduler.schedule(at: scheduler.now + 1) { [weak self] in
            self?.work.async { [weak self] in
                for id in ids where self?.placements[id] != nil { self?.announce(.verifying, id) }
            }
        }
        background.async { [self] in
            let failures = disk.syncBytes(files)
            work.async { [self] in synced(batch, failures) }
        }
    }

    private func synced(_ batch: [Placing], _ failures: [Int32: Int32]) {
        var whole: [Placing] = []
        for placing in batch {
            guard let code = failures[placing.placement.partial.descriptor] else {
                whole.append(placing)
                continue
            }
            // Any of its bytes may be missing on the disk.
            let error = placing.placement.failure(code)
            finish(placing) { discardPartial($0); failed($0, error) }
        }
        guard !whole.isEmpty else { return roundEnded() }
        intend(whole, isSynced: true)
    }

    // MARK: The intention

    /// Records which files are about to be renamed into place.
    private func intend(_ batch: [Placing], isSynced: Bool) {
        guard !hasEnded else { return abandon(batch) }
        let work = work
        journal.intend(batch.map { ($0.job, $0.placement) }, isSynced: isSynced, transfers: { queue[$0] }) { [self] error in
            work.async { [self] in intended(batch, isSynced, error) }
        }
    }

    /// Retries every two seconds what cannot be recorded, as on a full disk; the renames wait for it.
    private func intended(_ batch: [Placing], _ isSynced: Bool, _ error: TransferError?) {
        guard !hasEnded else { return abandon(batch) }
        guard error != nil else { return name(batch, isSynced: isSynced) }
        guard !isEnding else { return abandon(batch) }
        for placing in batch { placements[placing.job.id]?.isStuck = true }
        let work = work
        scheduler.schedule(at: scheduler.now + 2) { [self] in
            work.async { [self] in
                guard !hasEnded else { return abandon(batch) }
                store.flush { [self] error in work.async { [self] in intended(batch, isSynced, error) } }
            }
        }
    }

    /// The queue ends before it could be recorded: the next process resumes from the partial files.
    private func abandon(_ batch: [Placing]) {
        for placing in batch {
            placements[placing.job.id] = nil
            placing.job.dropPartial()
        }
        finishShuttingDown()
    }

    // MARK: The name

    private func name(_ batch: [Placing], isSynced: Bool) {
        var named: [Placing] = []
        for placing in batch {
            switch placing.placement.place() {
            case .named: named.append(placing)
            case let outcome: finish(placing) { placed($0, outcome) }
            }
        }
        // Before the downloads are recorded as completed.
        guard isSynced, !named.isEmpty else { return complete(named, [:], endsRound: isSynced) }
        let (disk, work, done) = (configuration.disk, work, named)
        background.async { [self] in
            let failures = disk.syncNames(done.map(\.placement.path))
            work.async { [self] in complete(done, failures, endsRound: true) }
        }
    }

    private func complete(_ named: [Placing], _ failures: [String: Int32], endsRound: Bool) {
        for placing in named {
            let failure = failures[placing.placement.path].map { code in
                TransferError(.cannotWrite, "\(placing.placement.path): has its name, which cannot be made durable: "
                    + SystemCall.message(code), systemErrno: code)
            }
            finish(placing) { job in
                end(job.id, failure == nil ? .completed : .failed, failure)
            }
        }
        if endsRound { roundEnded() }
    }

    private func finish(_ placing: Placing, _ body: (Job) -> Void) {
        placements[placing.job.id] = nil
        body(placing.job)
    }

    private func placed(_ job: Job, _ outcome: DownloadPlacement.Outcome) {
        switch outcome {
        case .named: end(job.id, .completed, nil)
        case .refused(let error):
            if error.systemErrno == EEXIST, job.download?.existing == .skips {
                discardPartial(job)
                return endUnfetched(job, job.file, .exists)
            }
            // Only a small file learns this late that its name is taken; it is not worth resuming.
            if error.systemErrno == EEXIST, queue[job.id]?.total ?? .max < DownloadAdmission.smallBody { discardPartial(job) }
            failed(job, error)
        case .lost(let error): lost(job, error)
        }
    }

    // MARK: Partial files that another program changed

    /// Checks at most every ``PartialCheck/interval`` whether the partial name still leads to the open file, with all its bytes.
    /// - Returns: false where it does not; then the task is being ended: whatever it would still receive is lost.
    func isIntact(_ job: Job, _ task: TransferTask, holding position: Int64) -> Bool {
        guard let partial = job.partial, job.stop == nil, scheduler.now - job.checkedAt >= PartialCheck.interval else { return job.stop == nil }
        job.checkedAt = scheduler.now
        guard let trouble = PartialCheck.trouble(with: partial, holding: position) else { return true }
        job.stop = .lost(trouble)
        task.cancel()
        return false
    }

    /// What another program did to the file that a task has written; `nil` where it is intact.
    func trouble(_ job: Job, _ task: TransferTask) -> TransferError? {
        guard let partial = job.partial, let download = task as? DownloadTask else { return nil }
        return PartialCheck.trouble(with: partial, holding: download.resumePoint?.offset ?? 0)
    }

    func lost(_ job: Job, _ error: TransferError) {
        forsake(job, error)
        update(job.id) { $0.rate = nil; $0.eta = nil }
        failed(job, error)
    }

    /// Removes the record, which no longer describes the file. Another program's file under the partial name stays.
    func forsake(_ job: Job, _ trouble: TransferError) {
        guard let partial = job.partial else { return }
        if trouble.code == .partialFile { return discardPartial(job) }
        PartialRecord.remove(partial.path)
        job.dropPartial()
        job.kept = .init()
        update(job.id) { $0.bytes = 0; $0.confirmed = 0 }
    }
}
