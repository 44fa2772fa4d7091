// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Between the queue and its store: transfers are known before what was asked for is fetched, and keep their places.
extension Coordinator {
    /// Takes what the store holds, at the beginning.
    func restore(_ recovery: QueueRecovery) {
        queue.setSuspects(journal.crashes?.suspects ?? [])
        queue.restore(recovery.transfers)
        ranks = recovery.ranks
        for id in recovery.crashed { update(id, .failed) }
        for (id, syncing) in recovery.completed {
            // Its bytes may not be on the disk yet: they come first, as for any other.
            if let syncing { journal.change(id) { $0.syncing = [syncing] } }
            update(id, .completed)
        }
        startWhatMay()
    }

    /// Puts what the store has taken in at the end of the queue.
    /// - Parameter descriptions: of those that are likely to start soon; others are fetched.
    func takeIn(_ stored: [StoredTransfer], _ descriptions: [TransferDescription]) {
        shelf.put(descriptions, of: stored.map(\.id))
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
        guard queue.suspects.contains(id), journal.crashes?.isSuspect(id) == false else { return }
        queue.setSuspects(queue.suspects.subtracting([id]))
        // Not in the middle of what is being told.
        work.async { [self] in startWhatMay() }
    }

    // MARK: Beginning

    /// The job of a transfer that has been given a place, as soon as it is known what was asked for.
    func takenUp(_ id: TransferID) -> Job? {
        if let description = shelf.take(id) { return adopt(id, description) }
        shelf.await(id)
        fetch()
        return nil
    }

    private func fetch() {
        guard let ids = shelf.nextFetch(following: { queue.upcoming($0) }) else { return }
        let (store, work) = (store, work)
        background.async { [self] in
            let found = Result { () throws(TransferError) in try store.descriptions(of: ids) }
            work.async { [self] in fetched(ids, found) }
        }
    }

    private func fetched(_ ids: [TransferID], _ found: Result<[TransferID: Result<TransferDescription, TransferError>], TransferError>) {
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
            case .failure(let error): if awaited.contains(id) { end(id, .failed, error) }
            }
        }
        fetch()
        startWhatMay()
    }

    /// Makes the job of a transfer, with what earlier processes did for it.
    func adopt(_ id: TransferID, _ description: TransferDescription) -> Job {
        let job = Job(id: id, description: description)
        if let past = journal.past(of: id) {
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

    /// Deletes the unfinished files of a transfer whose description is in the store alone. Those that are asked for together are
    /// fetched together; ``whenStopped(_:_:)`` waits for them.
    func discardUnfetched(_ id: TransferID) {
        discarding.insert(id)
        undiscarded.append(id)
        if undiscarded.count == 1 { work.async { [self] in discardThose() } }
    }

    private func discardThose() {
        let (ids, store, work, report) = (undiscarded, store, work, configuration.report)
        undiscarded = []
        background.async { [self] in
            do throws(TransferError) {
                for found in try store.descriptions(of: ids).values {
                    if case .success(let description) = found { description.partialPath.map { KeptFiles.removeAll(at: $0) } }
                }
            } catch { report(error) }
            work.async { [self] in
                discarding.subtract(ids)
                tellStopped()
                finishShuttingDown()
            }
        }
    }

    // MARK: Another address

    /// The transfer has another address or other credentials from now on; the bytes it has stay.
    func relocated(_ id: TransferID, _ description: TransferDescription) {
        shelf.forget([id])
        update(id) { $0.url = description.url.string }
        if let path = description.partialPath { KeptFiles.relabel(path, url: description.url.string) }
        guard let job = jobs[id] else {
            update(id, .changed)
            return
        }
        job.description = description
        if let task = job.task {
            if job.stop == nil { job.stop = .relocate }
            task.cancel()
        } else {
            update(id, .changed)
        }
    }

    /// After the try with the old address has ended.
    func beginAnew(_ job: Job) {
        if let path = job.files?.path { KeptFiles.relabel(path, url: job.description.url.string) }
        guard queue[job.id]?.state != .paused else {
            update(job.id, .changed)
            return
        }
        let now = scheduler.wallNow
        update(job.id, .retrying) { $0.state = .retrying; $0.reason = "the address was replaced"; $0.retryAt = now; $0.attempt += 1 }
        startRetry(of: job, at: scheduler.now)
        startWhatMay()
    }

    /// A session that the server gave belongs to the upload's key: it is kept with the transfer's other secrets before anything is
    /// sent under it.
    func keepSession(_ job: Job, _ sid: String, then goOn: @escaping @Sendable () -> Void) {
        guard case .upload(var upload) = job.description.operation, case .fileQ(var form) = upload.form else { return goOn() }
        form.sid = sid
        upload.form = .fileQ(form)
        job.description.operation = .upload(upload)
        let (id, operation, store, work) = (job.id, job.description.operation, store, work)
        let (generation, report) = (job.generation, configuration.report)
        keeping.async { [self] in
            do throws(TransferError) { try store.replaceOperation(of: id, with: operation) } catch {
                report(error)
                // Under a session that nobody would know after a crash, the same bytes might be stored twice.
                return work.async { [self] in if jobs[id]?.generation == generation { judge(job, error, status: nil, retryAfter: nil) } }
            }
            work.async { [self] in if jobs[id]?.generation == generation { goOn() } }
        }
    }

    // MARK: Order and ends

    /// Has the store know the new places of transfers that were moved.
    func rank(_ ids: [TransferID]) {
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
                return keep(ranks: ranks)
            }
            ranks[id] = rank
            changed[id] = rank
        }
        if !changed.isEmpty { keep(ranks: changed) }
    }

    private func keep(ranks: [TransferID: Int64]) {
        let (store, report) = (store, configuration.report)
        keeping.async {
            do throws(TransferError) { try store.setRanks(ranks) } catch { report(error) }
        }
    }

    func keepSettings() {
        let (store, report, limits) = (store, configuration.report, queue.limits)
        let settings = StoreSettings(concurrent: limits.concurrent, perHost: limits.perHost, download: limits.download, upload: limits.upload,
                                     timetable: timetable.entries.isEmpty ? nil : timetable.text)
        keeping.async {
            do throws(TransferError) { try store.keep(settings) } catch { report(error) }
        }
    }

    /// Of very many that are completed the oldest leave the queue; the history has them.
    func pruneEnded(after id: TransferID) {
        guard outlivesProcess, queue[id]?.state == .completed else { return }
        completedInOrder.append(id)
        guard completedInOrder.count >= 2 * QueueRecovery.maximumEnded else { return }
        forget(Array(completedInOrder.prefix(QueueRecovery.maximumEnded)))
        completedInOrder.removeFirst(QueueRecovery.maximumEnded)
    }

    /// The process is about to end; the next one goes on.
    func rests(_ job: Job) {
        job.dropPartial()
        if let transfer = queue[job.id] { journal.note(transfer, .progress, job) }
        finishShuttingDown()
    }
}
