// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Platform
import SessionCore
import TransferModel
import TransferStore

/// How small downloads of a durable queue get their names, many at once.
///
/// A batch is recorded (``TransferStore/PlacementGroup``), its bytes are synced where there is a disk, its files get
/// their names, these are synced, and one commit records all completions. Only then is any of them reported. Whatever
/// ends the process meanwhile, the next one finds each file either nameless, which leaves nothing of it, or recorded.
/// They are `verifying` and hold no slot.
extension Coordinator {
    // MARK: The bytes

    /// A whole response is here: it is written to a file without a name.
    /// - Returns: what waits for its name; `nil` if it has failed.
    func write(
        _ entry: FetchStock.Entry, _ place: FetchStock.Destination, _ file: FetchedFile, _ metrics: TransferMetrics
    ) -> FetchLandings.Landing? {
        let id = entry.id
        let nameless: NamelessFile
        do throws(FetchFolder.FileCode) { nameless = try place.folder.createNameless(file) } catch {
            fetchFailed(entry, place.path, metrics, error.number)
            return nil
        }
        shadow?.note(.fetched, id)
        guard awaitCommit(of: id) else { return nil }
        return FetchLandings.Landing(
            id: id, name: place.name, path: place.path, file: nameless, length: Int64(file.body.count),
            metrics: metrics, endedAt: scheduler.wallNow, runsProgram: !isShuttingDown)
    }

    /// It is complete as soon as the store has committed that, and holds no slot.
    /// - Returns: false for one that is not running any more.
    func awaitCommit(of id: TransferID) -> Bool {
        guard update(id, nil, { $0.status = .verifying() }) else { return false }
        queue.freeSlot(of: id)
        committing[id] = false
        return true
    }

    func land(_ landings: [FetchLandings.Landing], _ lane: FetchLandings.Lane) {
        guard !landings.isEmpty else { return }
        act(self.landings.add(landings, lane, isBusy: isReceiving, at: scheduler.now), lane)
    }

    /// The queue is ending, or nothing else moves bytes.
    func hurryLandings() {
        for lane in [FetchLandings.Lane.memory, .disk] {
            act(landings.change(lane) { $0.hurry(at: scheduler.now) }, lane)
        }
    }

    /// Nothing else moves bytes: a round need not wait for more.
    func landIfIdle() {
        guard !landings.isEmpty, !isReceiving else { return }
        act(landings.change(.disk) { $0.timerFired(isBusy: false, at: scheduler.now) }, .disk)
    }

    /// Whether more may come soon.
    private var isReceiving: Bool { queue.isBusy || !fetches.isEmpty }

    // MARK: A round

    private func act(_ step: SyncRounds.Step?, _ lane: FetchLandings.Lane) {
        switch step {
        case nil: break
        case .begin(let ids): place(landings.batch(ids), lane)
        case .wake(let time):
            scheduler.schedule(at: time) { [weak self] in
                EngineActor.async { [weak self] in
                    guard let self else { return }
                    act(
                        landings.change(lane) { $0.timerFired(isBusy: isReceiving, at: scheduler.now) }, lane)
                }
            }
        }
    }

    private func place(_ all: [FetchLandings.Landing], _ lane: FetchLandings.Lane) {
        let batch = withoutCancelled(all)
        guard !batch.isEmpty else {
            return act(landings.change(lane) { $0.roundEnded(isBusy: isReceiving, at: scheduler.now) }, lane)
        }
        let (store, disk, outdated) = (store, configuration.disk, landings.takeOutdated())
        landing.async { [self] in
            let result = Result { () throws(TransferError) in
                try Self.place(batch, lane, store, disk, dropping: outdated)
            }
            EngineActor.async { [self] in
                switch result {
                case .success(let placed): self.placed(batch, lane, placed)
                case .failure(let error): notPlaced(batch, lane, error, outdated)
                }
            }
        }
    }

    /// Ends those that were cancelled while they waited: they get no name.
    /// - Returns: the others.
    private func withoutCancelled(_ batch: [FetchLandings.Landing]) -> [FetchLandings.Landing] {
        batch.filter { landing in
            guard let command = postponed(landing.id), command.cancels else { return true }
            landings.remove([landing])
            claims.release(landing.path, by: landing.id)
            committing[landing.id] = nil
            if command == .discard { discardPartialFiles(landing.id) }
            end(landing.id, .cancelled, nil)
            return false
        }
    }

    private struct Placed: Sendable {
        /// Of the group.
        var number: Int64
        /// For each file 0 or an errno, and whether the file has its name nevertheless.
        var codes: [(code: Int32, isNamed: Bool)]
    }

    /// Waits for the store and for disks.
    /// - Throws: if the intention cannot be recorded; then no file has its name.
    nonisolated private static func place(
        _ batch: [FetchLandings.Landing], _ lane: FetchLandings.Lane, _ store: any QueueStore, _ disk: PlacementDisk,
        dropping outdated: [Int64]
    ) throws(TransferError) -> Placed {
        let files = batch.map { PlacementGroup.File(id: $0.id, inode: $0.file.inode, length: $0.length) }
        let group = PlacementGroup(files, bootID: BootID.current, areSynced: lane == .disk)
        var failures: [Int32: Int32] = [:]
        var number: Int64
        if lane == .disk {
            // One sync of the file system makes the record durable, too, if that is there and not alone.
            let device = store.device
            let isOneSync =
                batch.count > FileSync.maximumSingly && batch.allSatisfy { $0.file.device == device }
            if !isOneSync { failures = sync(batch, disk).failures }
            number = try store.intend(group, isDurable: !isOneSync, dropping: outdated)
            if isOneSync {
                let synced = sync(batch, disk)
                failures = synced.failures
                // The failed sync may have lost the record: a power cut must not leave names without it.
                if !synced.isWhole { number = try store.intend(group, isDurable: true, dropping: [number]) }
            }
        } else {
            number = try store.intend(group, isDurable: false, dropping: outdated)
        }
        var codes = batch.map { landing in
            if let code = failures[landing.file.descriptor.number] { return (code: code, isNamed: false) }
            let code = landing.file.link(as: landing.name)
            return (code: code, isNamed: code == 0)
        }
        if lane == .disk {
            let named = batch.indices.filter { codes[$0].isNamed }
            let failures = disk.makeNamesDurable(
                of: named.map { (path: batch[$0].path, descriptor: batch[$0].file.descriptor.number) })
            for index in named { if let code = failures[batch[index].path] { codes[index].code = code } }
        }
        return Placed(number: number, codes: codes)
    }

    nonisolated private static func sync(
        _ batch: [FetchLandings.Landing], _ disk: PlacementDisk
    ) -> FileSync.SyncedBytes {
        disk.syncBytes(
            batch.map { FileSync.OpenFile(descriptor: $0.file.descriptor.number, device: $0.file.device) })
    }

    /// The record is tried again every two seconds, for example on a full disk; the names wait for it.
    private func notPlaced(
        _ batch: [FetchLandings.Landing], _ lane: FetchLandings.Lane, _ error: TransferError, _ outdated: [Int64]
    ) {
        guard !hasEnded else { return }
        configuration.report(error)
        for number in outdated { landings.note(outdated: number) }
        if let shadow { for landing in batch { shadow.secured(landing.id, .unrecorded) } }
        for landing in batch { committing[landing.id] = true }
        finishShuttingDown()
        scheduler.schedule(at: scheduler.now + 2) { [weak self] in
            EngineActor.async { [weak self] in
                guard let self, !hasEnded else { return }
                for landing in batch { committing[landing.id] = false }
                place(batch, lane)
            }
        }
    }

    // MARK: The record

    private func placed(_ batch: [FetchLandings.Landing], _ lane: FetchLandings.Lane, _ placed: Placed) {
        guard !hasEnded else { return }
        landings.remove(batch)
        // The same file may be downloaded again; whether it exists is then a question of its folder.
        for landing in batch { claims.release(landing.path, by: landing.id) }
        var (completed, changes): ([PlainCompletion], [QueueJournal.Completion]) = ([], [])
        for (landing, (code, isNamed)) in zip(batch, placed.codes) {
            guard code == 0 else {
                fail(landing, code, isNamed: isNamed)
                continue
            }
            guard var transfer = queue[landing.id] else {
                (committing[landing.id], completions[landing.id]) = (nil, nil)
                continue
            }
            let completion = PlainCompletion(
                id: landing.id,
                change: Self.completion(landing.path, landing.length, landing.metrics, at: landing.endedAt),
                metrics: landing.metrics, runsProgram: landing.runsProgram)
            completion.change(&transfer)
            shadow?.secured(landing.id, .durable)
            shadow?.note(.named(.named), landing.id)
            completions[landing.id] = Completion(change: completion.change)
            completed.append(completion)
            changes.append(.init(transfer: transfer, metrics: landing.metrics))
        }
        let done = completed
        journal.complete(changes) { [self] error in
            EngineActor.async { [self] in
                guard !hasEnded else { return }
                if error == nil { landings.note(outdated: placed.number) }
                completionsCommitted(done, error)
            }
        }
        act(landings.change(lane) { $0.roundEnded(isBusy: isReceiving, at: scheduler.now) }, lane)
        startWhatMay()
    }

    /// Its name is another file's, or its bytes or its name cannot be made durable.
    private func fail(_ landing: FetchLandings.Landing, _ code: Int32, isNamed: Bool) {
        committing[landing.id] = nil
        update(landing.id) {
            $0.httpStatus = 200
            $0.file = landing.path
        }
        let error =
            if code == EEXIST {
                DownloadAdmission.existsError(landing.path)
            } else {
                TransferError(
                    .cannotWrite, file: isNamed ? .syncName : .write, path: landing.path, systemErrno: code)
            }
        if let transfer = queue[landing.id] { journal.beginAttempt(transfer) }
        if isNamed {
            let data = ResumeData(
                url: queue[landing.id]?.url ?? "", validator: Validator(), ranges: ByteRangeSet(0..<landing.length),
                total: landing.length, partialPath: PartialName.path(for: landing.path),
                bootID: BootID.current)
            journal.change(landing.id) { $0.download = DownloadCheckpoint(data, inode: landing.file.inode) }
        }
        end(landing.id, .failed, error)
        if isNamed { rememberRename(of: landing.id) }
    }

    /// One commit was to record all of these.
    func completionsCommitted(_ completed: [PlainCompletion], _ error: TransferError?) {
        guard !hasEnded else { return }
        if let error {
            for completion in completed {
                committed(completion.id, completion.change, completion.runsProgram, error)
            }
            return
        }
        for completion in completed {
            let id = completion.id
            shadow?.note(.committed(isDurable: true), id)
            update(id, .completed, program: .none, completion.change)
            (committing[id], completions[id]) = (nil, nil)
            memories[id] = nil
            if completion.runsProgram, let hooks, let transfer = queue[id] { hooks.post(.complete, transfer) }
            pruneEnded(after: id)
        }
        notifyStopWaiters()
        startWhatMay()
        postIdleIfDue()
        finishShuttingDown()
    }
}
