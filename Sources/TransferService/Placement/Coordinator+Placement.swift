// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import SessionCore
import TransferModel
import TransferStore

/// The last steps of downloads whose bytes are all here and right: bytes synced, the intention recorded, the name
/// given, the name synced.
///
/// Downloads that are to be synced go through it in rounds (``SyncRounds``). They are `verifying` and hold no slot.
extension Coordinator {
    /// A whole download on its way to its name.
    struct Placing: Sendable {
        let run: DownloadRun
        let placement: DownloadPlacement
        /// Its intention could not be recorded yet, as on a full disk.
        var isStuck = false
    }

    func place(_ run: DownloadRun, _ placement: DownloadPlacement) {
        // The queue has ended meanwhile: the next process finds a partial file.
        guard !hasEnded else { return run.letGo() }
        placement.setTime()
        let disk = configuration.disk
        let isToBeSynced = run.download.syncs != false && !disk.isInMemory(placement.partial.descriptor)
        guard update(run.id, nil, { $0.state = .verifying }) else { return run.placed(placement.place()) }
        let placing = Placing(run: run, placement: placement)
        placements[run.id] = placing
        guard isToBeSynced else { return intend([placing], isSynced: false) }
        if !rounds.isFull {
            queue.freeSlot(of: run.id)
            startWhatMay()
        }
        carryOut(rounds.add(run.id, isBusy: queue.isBusy, at: scheduler.now))
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
            FileSync.OpenFile(
                descriptor: placing.placement.partial.descriptor,
                device: placing.placement.partial.identity?.device ?? 0)
        }
        // A slow disk is reported. Their numbers alone: descriptors must not stay open for it.
        let ids = batch.map(\.run.id)
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
            finish(placing) {
                $0.discardPartial()
                failed($0, error)
            }
        }
        guard !whole.isEmpty else { return roundEnded() }
        intend(whole, isSynced: true)
    }

    // MARK: The intention

    /// Records which files are about to be renamed into place.
    private func intend(_ batch: [Placing], isSynced: Bool) {
        guard !hasEnded else { return abandon(batch) }
        let work = work
        journal.intend(batch.map { ($0.run, $0.placement) }, isSynced: isSynced, transfers: { queue[$0] }) {
            [self] error in
            work.async { [self] in intended(batch, isSynced, error) }
        }
    }

    /// Retries every two seconds what cannot be recorded, as on a full disk; the renames wait for it.
    private func intended(_ batch: [Placing], _ isSynced: Bool, _ error: TransferError?) {
        guard !hasEnded else { return abandon(batch) }
        guard error != nil else { return name(batch, isSynced: isSynced) }
        guard !isEnding else { return abandon(batch) }
        for placing in batch { placements[placing.run.id]?.isStuck = true }
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
            placements[placing.run.id] = nil
            placing.run.letGo()
        }
        finishShuttingDown()
    }

    // MARK: The name

    private func name(_ batch: [Placing], isSynced: Bool) {
        var named: [Placing] = []
        for placing in batch {
            switch placing.placement.place() {
            case .named: named.append(placing)
            case let outcome: finish(placing) { $0.placed(outcome) }
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
                TransferError(
                    .cannotWrite,
                    "\(placing.placement.path): has its name, which cannot be made durable: "
                        + SystemError.phrase(code), systemErrno: code)
            }
            finish(placing) { run in
                end(run.id, failure == nil ? .completed : .failed, failure)
            }
        }
        if endsRound { roundEnded() }
    }

    private func finish(_ placing: Placing, _ body: (DownloadRun) -> Void) {
        placements[placing.run.id] = nil
        body(placing.run)
    }
}
