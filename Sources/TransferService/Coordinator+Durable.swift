// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Between the queue and its store: a transfer is in the queue before its spec is fetched, and keeps its position.
extension Coordinator {
    /// Adds the stored transfers, at the start of the process.
    func restore(_ recovery: QueueRecovery) {
        // Nothing starts before all of them stand where they should.
        isStarting = true
        memories = recovery.memories
        queue.setSuspects(journal.crashes?.suspects ?? [])
        queue.restore(recovery.transfers)
        if let shadow { for transfer in recovery.transfers { shadow.added(transfer) } }
        // An earlier process may have ended before it stored that one of the same place is behind the other.
        keepPlaces(recovery.transfers.filter { queue[$0.id]?.place != $0.place }.map(\.id))
        for id in recovery.crashed { update(id, .failed) }
        for (id, command) in recovery.postponed.sorted(by: { $0.key < $1.key }) { carryOut(command, id) }
        copies = recovery.copies
        if recovery.isHoldUnfinished { applyHold() }
        continueAccepted()
        for (id, syncing) in recovery.completed {
            // Its bytes may not be on the disk yet: they come first, as for any other.
            journal.resolve(id, syncing: syncing)
            end(id, .completed, nil)
        }
        considerPredecessors()
        if !recovery.placements.isEmpty {
            // Of a file that could not be checked, its group alone has the intention.
            for id in recovery.memories.keys.sorted() {
                guard committing[id] == nil, let transfer = queue[id], !transfer.state.isEnded else { continue }
                journal.note(transfer, .changed, nil)
            }
            recovered = (recovery.placements, Set(recovery.completed.map(\.id)))
            dropRecoveredPlacements()
        }
        isStarting = false
        startWhatMay()
    }

    /// The groups of an earlier process are outdated once the store has a record of each file: of one whose name cannot
    /// be made durable, that it has failed.
    func dropRecoveredPlacements() {
        guard let (numbers, completing) = recovered, completing.isEmpty else { return }
        recovered = nil
        let (store, keeping, report) = (store, keeping, configuration.report)
        store.flush { error in
            guard error == nil else { return }
            keeping.async {
                do throws(TransferError) { try store.dropPlacements(numbers) } catch { report(error) }
            }
        }
    }

    /// Appends transfers that the store has added.
    /// - Parameters:
    ///   - descriptions: those of `stored`, as far as they are known; the others are fetched later.
    ///   - start: how many were added with them, before them.
    /// - Returns: whether the store does not have all of their places yet: others were moved behind them, or they come
    ///   back from the history.
    @discardableResult
    func appendStored(_ stored: [Transfer], _ descriptions: ArraySlice<Spec>, from start: Int = 0) -> Bool {
        specCache.put(descriptions, of: stored.map(\.id), from: start)
        var misplaced: [TransferID] = []
        for (index, transfer) in stored.enumerated() {
            // Of two commands that bring it back, one came first.
            guard queue.add(transfer) else { continue }
            shadow?.added(transfer)
            if queue[transfer.id]?.place != transfer.place { misplaced.append(transfer.id) }
            announce(transfer.state == .paused ? .paused : .queued, transfer, isNew: true)
            holdIfAdded(transfer)
            changed(transfer)
            if index % 64 == 63 { startWhatMay() }
        }
        keepPlaces(misplaced)
        startWhatMay()
        return !misplaced.isEmpty
    }

    /// The transfer, during which an earlier process crashed, has ended or run long enough.
    func clearSuspect(_ id: TransferID) {
        guard queue.suspects.contains(id), journal.crashes?.isSuspect(id) == false else { return }
        queue.setSuspects(queue.suspects.subtracting([id]))
        // Not while an update is being reported.
        EngineActor.async { [self] in startWhatMay() }
    }

    // MARK: Beginning

    /// The run of a transfer that has a slot, or `nil` until its spec is fetched.
    func preparedRun(_ id: TransferID) -> Run? {
        if let description = specCache.take(id) { return adopt(id, description) }
        specCache.await(id)
        fetch()
        return nil
    }

    private func fetch() { fetch(specCache.nextFetch { queue.upcoming($0) }) }

    /// Fetches the specs of the next transfers, unless enough are here.
    func prefetchSpecs() { fetch(specCache.nextPrefetch { queue.upcoming($0) }) }

    private func fetch(_ ids: [TransferID]?) {
        guard let ids else { return }
        let store = store
        background.async { [self] in
            let found = Result { () throws(TransferError) in try store.descriptions(of: ids) }
            EngineActor.async { [self] in fetched(ids, found) }
        }
    }

    private func fetched(_ ids: [TransferID], _ found: Result<[TransferID: Result<Spec, TransferError>], TransferError>)
    {
        // A run that began now would take the locks of its files, which the next process needs.
        guard !isShuttingDown, !hasEnded else { return }
        let (waiting, outdated) = specCache.fetched(ids)
        let awaited = Set(waiting)
        for id in ids {
            if outdated.contains(id) {
                if awaited.contains(id), queue[id]?.state == .running { specCache.await(id) }
                continue
            }
            let description = found.flatMap {
                $0[id] ?? .failure(TransferError.notStored(id))
            }
            switch description {
            case .success(let description) where awaited.contains(id) && queue[id]?.state == .running:
                if runs[id] == nil { begin(adopt(id, description)) }
            case .success(let description): if queue[id]?.state == .queued { specCache.put(description, id) }
            case .failure(let error): if awaited.contains(id) { end(id, .failed, error) }
            }
        }
        fetch()
        startWhatMay()
    }

    /// The next attempt knows what became of a rename that an earlier process was about to make.
    func resolved(_ run: Run, _ rename: PendingRename, _ outcome: PendingRename.Outcome) {
        guard case .completed(let syncing) = outcome else {
            memories[run.id]?.rename = nil
            return journal.change(run.id) { $0.download = nil }
        }
        // Until the completion is committed, a later attempt asks once more.
        journal.resolve(run.id, syncing: syncing)
        update(run.id) { transfer in
            transfer.total = rename.total ?? transfer.total
            transfer.bytes = transfer.total ?? transfer.bytes
            transfer.confirmed = transfer.bytes
        }
        end(run.id, .completed, nil)
    }

    /// Makes the run of a transfer, with what earlier processes did for it.
    func adopt(_ id: TransferID, _ description: Spec) -> Run {
        let run = Run.make(id, description, self)
        if let checkpoint = journal.checkpoint(of: id) {
            run.failures = checkpoint.failures
            if let startedAt = checkpoint.startedAt {
                run.deadline = scheduler.now + startedAt + run.resourceTimeout - scheduler.wallNow
            }
            if let upload = checkpoint.upload { (run as? UploadRun)?.restore(upload) }
        }
        (run as? UploadRun)?.takeLeftUploads()
        runs[id] = run
        return run
    }

    /// Deletes the partial file and its record, as the user asked. Bytes that another transfer has, too, stay.
    func discardPartialFiles(_ id: TransferID) {
        if let run = runs[id] {
            (run as? DownloadRun)?.discardPartialFiles()
            (run as? UploadRun)?.abandon()
        } else if let description = specCache.known(id) {
            removePartialFiles(of: description, sharing(of: id))
            abandonUpload(id, description)
        } else {
            discardUnfetched(id)
        }
        update(id) {
            $0.bytes = 0
            $0.confirmed = 0
        }
    }

    func removePartialFiles(of description: Spec, _ sharing: PartialSharing) {
        guard let path = description.partialPath else { return }
        let mount = mounts.mount(of: path)
        let closing = closing(path, on: mount)
        onFiles(at: path, mount) { PartialFiles.removeAll(at: path, leaving: sharing, closing: closing) }
    }

    private func relabel(_ path: String, _ description: Spec, _ sharing: PartialSharing) {
        let url = description.url.string
        onFiles(at: path) { PartialFiles.relabel(path, url: url, leaving: sharing) }
    }

    /// Deletes the partial files of transfers whose specs are only in the store. Specs requested together are fetched
    /// together; ``whenStopped(_:_:)`` waits for them.
    private func discardUnfetched(_ id: TransferID) {
        discarding.insert(id)
        undiscarded[id] = sharing(of: id)
        if undiscarded.count == 1 { EngineActor.async { [self] in discardPending() } }
    }

    private func discardPending() {
        let (sharing, store, mounts, report) = (undiscarded, store, mounts, configuration.report)
        let ids = sharing.keys.sorted()
        undiscarded = [:]
        background.async { [self] in
            var elsewhere: [(TransferID, Spec)] = []
            var uploads: [(TransferID, Spec)] = []
            do throws(TransferError) {
                for (id, found) in try store.descriptions(of: ids) {
                    guard case .success(let description) = found else { continue }
                    if case .upload = description.operation { uploads.append((id, description)) }
                    guard let path = description.partialPath else { continue }
                    if mounts.mount(of: path).isLocal {
                        PartialFiles.removeAll(at: path, leaving: sharing[id] ?? .alone)
                    } else {
                        elsewhere.append((id, description))
                    }
                }
            } catch { report(error) }
            EngineActor.async { [self, elsewhere, uploads] in
                for (id, description) in elsewhere { removePartialFiles(of: description, sharing[id] ?? .alone) }
                for (id, description) in uploads { abandonUpload(id, description) }
                discarding.subtract(ids)
                notifyStopWaiters()
                finishShuttingDown()
            }
        }
    }

    // MARK: Another address

    /// The transfer has another URL, other credentials or another file from now on; its bytes stay.
    /// - Parameter old: how it was described before.
    func relocated(_ id: TransferID, _ description: Spec, from old: Spec, _ move: PartialMove?) {
        defer { if move != nil { continueWithRoom(id) } }
        if moves[id] == nil { shadow?.relocated(id, move == nil ? .address : .folder) }
        let wasRunning = queue[id]?.state == .running
        let wasFetched = withdrawFetch(id)
        let isOpen = (runs[id] as? DownloadRun)?.hasFiles == true
        let sharing = old.partialPath.map { self.sharing(of: id, at: $0) } ?? .alone
        begun = nil
        specCache.forget([id])
        update(id) {
            $0.url = description.url.string
            if move != nil { $0.file = Run.file(of: description) }
        }
        if let move, !isOpen { onFiles(at: move.old) { move.carryOut(leaving: sharing) } }
        if let path = isOpen ? move?.old ?? description.partialPath : description.partialPath {
            relabel(path, description, sharing)
        }
        let isMoved = description.kind == .download && old.operation != description.operation
        let replaced: TransferNote = isMoved ? .moved : .relocated
        if wasFetched, wasRunning {
            let run = adopt(id, description)
            run.replaced = replaced
            return startAgain(run)
        }
        guard let run = runs[id] else {
            if old.url != description.url { leaveUpload(of: id, old) }
            update(id, .changed)
            return
        }
        run.replaced = replaced
        run.relocate(to: description)
        if let task = run.task {
            if run.stop == nil { run.stop = .relocate }
            task.cancel()
        } else {
            if move != nil { (run as? DownloadRun)?.releaseIfIdle() }
            update(id, .changed)
        }
    }

    /// Whether it is being verified or gets its name.
    func isBeingPlaced(_ id: TransferID) -> Bool {
        queue[id]?.state == .verifying || placements[id] != nil || memories[id]?.rename != nil
    }

    /// - Parameter before: the transfer before it.
    func noteRelocation(of id: TransferID, from old: Spec, _ before: Transfer?, group: String?) {
        let standing = before.flatMap { $0.state == .failed ? UndoLog.OldStanding($0) : nil }
        undoLog.note(
            .init(
                command: "relocate", performedAt: scheduler.wallNow, steps: [.describe(id, old, standing)],
                group: group),
            at: scheduler.now)
    }

    /// After the attempt with the old URL has ended.
    func startAgain(_ run: Run) {
        shadow?.note(.stopped, run.id)
        if let path = (run as? DownloadRun)?.files?.path {
            relabel(path, run.description, sharing(of: run.id, at: path))
        }
        (run as? DownloadRun)?.releaseIfMoved()
        guard queue[run.id]?.state != .paused else {
            update(run.id, .changed)
            return
        }
        let now = scheduler.wallNow
        update(run.id, .retrying) {
            $0.status = .retrying(at: now, run.replaced)
            $0.attempt += 1
        }
        forgetSentBytes(of: run)
        startRetry(of: run, at: scheduler.now)
        startWhatMay()
    }

    // MARK: Order and ends

    /// Stores the places of transfers that were moved.
    func keepPlaces(_ moved: [TransferID]) {
        guard !moved.isEmpty else { return }
        let pairs = moved.compactMap { id in queue[id].map { (id, $0.place) } }
        unstored.add(Dictionary(pairs) { first, _ in first })
        let (store, report, unstored) = (store, configuration.report, unstored)
        keeping.async {
            do throws(TransferError) { try unstored.write(to: store) } catch { report(error) }
        }
    }

    func storeSettings() {
        let limits = queue.limits
        store.keep(
            StoreSettings(
                concurrent: limits.concurrent, perHost: limits.perHost, download: limits.download,
                upload: limits.upload,
                timetable: timetable.entries.isEmpty ? nil : timetable.text, isHeld: limits.isHeld,
                isHoldUnfinished: isHoldUnfinished ? true : nil,
                copies: copies.isEmpty ? nil : Dictionary(uniqueKeysWithValues: copies.map { ($0.rawValue, $1) })))
    }

    /// Removes the oldest of very many completed transfers from the queue; the history keeps them. Without a history
    /// they stay, without their metrics.
    func pruneEnded(after id: TransferID) {
        guard queue.isCompleted(id) else { return }
        completedInOrder.append(id)
        guard completedInOrder.count >= 2 * QueueRecovery.maximumEnded else { return }
        guard policy.hasHistory else {
            for id in completedInOrder.prefix(QueueRecovery.maximumEnded) { queue.dropMetrics(of: id) }
            return completedInOrder.removeFirst(QueueRecovery.maximumEnded)
        }
        forget(Array(completedInOrder.prefix(QueueRecovery.maximumEnded)))
        completedInOrder.removeFirst(QueueRecovery.maximumEnded)
    }

    /// The queue is about to end. The next process resumes the transfer, unless it is interrupted.
    /// - Parameter place: where its bytes are, if they cannot be resumed.
    func stopForNextProcess(_ run: Run, at place: TransferNote?) {
        if policy.interruptsAtEnd { return interrupt(run.id, note: place) }
        shadow?.note(.stopped, run.id)
        run.releaseFiles()
        if let transfer = queue[run.id] { journal.note(transfer, .progress, run, isStopped: true) }
        finishShuttingDown()
    }
}
