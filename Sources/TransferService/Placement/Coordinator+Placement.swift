// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import SessionCore
import TransferModel
import TransferStore

/// The last steps of complete and verified downloads: sync the bytes, record the intention, rename, sync the name.
///
/// Downloads to be synced go through it in rounds (``SyncRounds``), those of each file system that may hang in separate
/// rounds. They are `verifying` and hold no slot.
extension Coordinator {
    /// A complete download that waits for its final name.
    struct Placing: Sendable {
        let run: DownloadRun
        let placement: DownloadPlacement
        /// Its intention could not be recorded yet, for example on a full disk, or its folder does not respond: the
        /// queue's end does not wait for it.
        var isStuck = false

        /// The rounds it takes part in.
        @EngineActor var rounds: String { isLocal ? "" : run.mount?.path ?? "" }
        @EngineActor var isLocal: Bool { run.mount?.isLocal != false }
    }

    func place(_ run: DownloadRun, _ placement: DownloadPlacement) {
        // The queue has ended meanwhile: the next process finds a partial file.
        guard !hasEnded else { return run.releaseFiles() }
        shadow?.note(.proceeds, run.id)
        let placing = Placing(run: run, placement: placement)
        let disk = configuration.disk
        // A file system that may hang is on another machine or behind a process, and may be on disk.
        let isInMemory = placing.isLocal && disk.isInMemory(placement.partial.descriptor)
        // Others store the bytes when the file is closed, if not before, and may refuse them then.
        let isToBeSynced = (run.download.syncs || !placing.isLocal) && !isInMemory
        if placing.isLocal || !isToBeSynced { onFiles(at: placement.path, run.mount) { placement.setAttributes() } }
        guard update(run.id, nil, { $0.status = .verifying($0.status.note) }) else {
            return onFiles(of: run, placement.path, survivesStop: true) {
                placement.place()
            } then: { outcome in
                try run.placed(outcome.get(), placement)
            }
        }
        placements[run.id] = placing
        guard isToBeSynced else { return intend([placing], isSynced: false) }
        if !rounds(placing.rounds).isFull {
            queue.freeSlot(of: run.id)
            startWhatMay()
        }
        carryOut(placing.rounds) { $0.add(run.id, isBusy: queue.isBusy, at: scheduler.now) }
    }

    /// The queue is ending: downloads that wait for a round are synced now.
    func hurryPlacements() { for key in rounds.keys { carryOut(key) { $0.hurry(at: scheduler.now) } } }

    private func rounds(_ key: String) -> SyncRounds {
        rounds[key] ?? SyncRounds(maximumWaiting: PlacementDisk.maximumWaiting)
    }

    // MARK: A round

    private func carryOut(_ key: String, _ change: (inout SyncRounds) -> SyncRounds.Step?) {
        var changed = rounds(key)
        let step = change(&changed)
        rounds[key] = changed
        switch step {
        case nil: break
        case .begin(let ids): sync(ids.compactMap { placements[$0] }, key)
        case .wake(let time):
            scheduler.schedule(at: time) { [weak self] in
                EngineActor.async { [weak self] in
                    guard let self else { return }
                    carryOut(key) { $0.timerFired(isBusy: queue.isBusy, at: scheduler.now) }
                }
            }
        }
    }

    private func roundEnded(_ key: String) {
        carryOut(key) { $0.roundEnded(isBusy: queue.isBusy, at: scheduler.now) }
    }

    /// Waits for a disk on another thread. One that may hang gets a dedicated thread.
    private func wait(for batch: [Placing], _ key: String, _ body: @escaping @Sendable () -> Void) {
        if key.isEmpty { return background.async(execute: body) }
        scheduler.schedule(at: scheduler.now + Self.stallTime) { [weak self] in
            EngineActor.async { [weak self] in self?.stalled(batch) }
        }
        lanes.performLong(body)
    }

    /// Seconds after which the queue's end no longer waits for a file system that may hang.
    private static let stallTime = 10.0

    private func stalled(_ batch: [Placing]) {
        let stuck = batch.filter { placements[$0.run.id]?.run === $0.run }
        guard let key = stuck.first?.rounds else { return }
        for placing in stuck { placements[placing.run.id]?.isStuck = true }
        // The next round waits for this one.
        for (id, placing) in placements where placing.rounds == key { placements[id]?.isStuck = true }
        finishShuttingDown()
    }

    private func sync(_ batch: [Placing], _ key: String) {
        let disk = configuration.disk
        for placing in batch { placements[placing.run.id]?.isStuck = false }
        let files = batch.map { placing in
            FileSync.OpenFile(
                descriptor: placing.placement.partial.descriptor,
                device: placing.placement.partial.device)
        }
        // A slow disk is reported. Only the IDs are captured: descriptors must not stay open for it.
        let ids = batch.map(\.run.id)
        scheduler.schedule(at: scheduler.now + 1) { [weak self] in
            EngineActor.async { [weak self] in
                for id in ids where self?.placements[id] != nil { self?.announce(.verifying, id) }
            }
        }
        wait(for: batch, key) { [self] in
            var failures: [Int32: Int32] = [:]
            for placing in batch {
                let code = placing.placement.prepareSync(setsAttributes: !key.isEmpty)
                if code != 0 { failures[placing.placement.partial.descriptor] = code }
            }
            failures.merge(disk.syncBytes(files).failures) { first, _ in first }
            EngineActor.async { [self, failures] in synced(batch, failures, key) }
        }
    }

    private func synced(_ batch: [Placing], _ failures: [Int32: Int32], _ key: String) {
        guard !hasEnded else { return abandon(batch) }
        // A record's sync that started earlier may receive the write error that belongs to these files.
        let syncing = batch.map(\.placement.partial).first { fileSyncs[ObjectIdentifier($0)] != nil }
        if let syncing { return afterSync(of: syncing) { [self] in synced(batch, failures, key) } }
        var whole: [Placing] = []
        for placing in batch {
            let lost = failures[placing.placement.partial.descriptor] ?? placing.placement.earlierFailure
            guard let code = lost else {
                whole.append(placing)
                continue
            }
            // Any of its bytes may be missing on disk.
            let error = placing.placement.failure(code)
            finish(placing) {
                $0.discardPartial()
                failed($0, error)
            }
        }
        whole = withoutCancelled(whole)
        guard !whole.isEmpty else { return roundEnded(key) }
        intend(whole, isSynced: true)
    }

    /// Ends those that were cancelled while they waited: they get no name.
    /// - Returns: the others.
    private func withoutCancelled(_ batch: [Placing]) -> [Placing] {
        batch.filter { placing in
            guard let command = postponed(placing.run.id), command.cancels else { return true }
            finish(placing) { run in
                journal.change(run.id) { $0.download = nil }
                if command == .discard { discardPartialFiles(run.id) }
                end(run.id, .cancelled, nil)
            }
            return false
        }
    }

    // MARK: The intention

    /// Records which files will be renamed into place next.
    private func intend(_ batch: [Placing], isSynced: Bool) {
        guard !hasEnded else { return abandon(batch) }
        journal.intend(batch.map { ($0.run, $0.placement) }, isSynced: isSynced, transfers: { queue[$0] }) {
            [self] error in
            EngineActor.async { [self] in intended(batch, isSynced, error) }
        }
    }

    /// Retries every two seconds what cannot be recorded, for example on a full disk; the renames wait for it.
    private func intended(_ all: [Placing], _ isSynced: Bool, _ error: TransferError?) {
        guard !hasEnded else { return abandon(all) }
        let batch = withoutCancelled(all)
        guard !batch.isEmpty else {
            if isSynced, let key = all.first?.rounds { roundEnded(key) }
            return
        }
        guard error != nil else { return name(batch, isSynced: isSynced) }
        guard !isEnding else {
            abandon(batch)
            // Others may wait for its end.
            if isSynced, let key = batch.first?.rounds { roundEnded(key) }
            return
        }
        if let shadow { for placing in batch { shadow.secured(placing.run.id, .unrecorded) } }
        for placing in batch { placements[placing.run.id]?.isStuck = true }
        scheduler.schedule(at: scheduler.now + 2) { [self] in
            EngineActor.async { [self] in
                guard !hasEnded else { return abandon(batch) }
                store.flush { [self] error in EngineActor.async { [self] in intended(batch, isSynced, error) } }
            }
        }
    }

    /// The queue ends before the record could be committed: the next process resumes from the partial files.
    private func abandon(_ batch: [Placing]) {
        for placing in batch {
            placements[placing.run.id] = nil
            placing.run.releaseFiles()
        }
        finishShuttingDown()
    }

    // MARK: The name

    /// All of a batch are on one file system, or all on local ones.
    private func name(_ batch: [Placing], isSynced: Bool) {
        if let shadow { for placing in batch { shadow.secured(placing.run.id, .durable) } }
        for placing in batch { placements[placing.run.id]?.isStuck = false }
        guard let first = batch.first, let mount = first.run.mount, !mount.isLocal else {
            return named(batch, batch.map { $0.placement.place() }, isSynced)
        }
        let inbox = inbox
        // A requested rename may happen at any time, so it is awaited.
        lanes.perform(
            first.placement.path, on: mount, .unlimited { inbox.post { [self] in stalled(batch) } }
        ) {
            batch.map { $0.placement.place() }
        } reply: { [self] outcomes in
            inbox.post { [self] in if case .success(let outcomes) = outcomes { named(batch, outcomes, isSynced) } }
        }
    }

    private func named(_ batch: [Placing], _ outcomes: [DownloadPlacement.Outcome], _ isSynced: Bool) {
        guard !hasEnded, let key = batch.first?.rounds else { return abandon(batch) }
        var named: [Placing] = []
        for (placing, outcome) in zip(batch, outcomes) {
            if case .named = outcome {
                named.append(placing)
            } else {
                finish(placing) { $0.placed(outcome, placing.placement) }
            }
        }
        // Before the downloads are recorded as completed.
        guard isSynced, !named.isEmpty else { return complete(named, [:], endsRound: isSynced ? key : nil) }
        let (disk, done) = (configuration.disk, named)
        wait(for: done, key) { [self] in
            let failures = disk.makeNamesDurable(
                of: done.map { (path: $0.placement.path, descriptor: $0.placement.partial.descriptor) })
            EngineActor.async { [self] in complete(done, failures, endsRound: key) }
        }
    }

    /// - Parameter endsRound: the rounds that the batch belongs to, if any.
    private func complete(_ named: [Placing], _ failures: [String: Int32], endsRound: String?) {
        guard !hasEnded else { return abandon(named) }
        for placing in named {
            let failure = failures[placing.placement.path].map { code in
                TransferError(.cannotWrite, file: .syncName, path: placing.placement.path, systemErrno: code)
            }
            finish(placing) { run in
                if failure != nil { shadow?.note(.named(.notDurable), run.id) }
                end(run.id, failure == nil ? .completed : .failed, failure)
                if failure != nil { rememberRename(of: run.id) }
            }
        }
        if let endsRound { roundEnded(endsRound) }
    }

    /// The file has its name, which is not durable: the next attempt begins with ``PendingRename/resolve()``.
    func rememberRename(of id: TransferID) {
        guard var transfer = queue[id] else { return }
        transfer.checkpoint = journal.checkpoint(of: id)
        guard let rename = PendingRename(transfer, RecoveryPolicy(bootID: BootID.current)) else { return }
        memories[id, default: RunMemory()].rename = rename
    }

    private func finish(_ placing: Placing, _ body: (DownloadRun) -> Void) {
        placements[placing.run.id] = nil
        body(placing.run)
    }
}
