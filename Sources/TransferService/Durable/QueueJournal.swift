// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Records every change of a transfer in the store, in order, and keeps each transfer's checkpoint.
///
/// Changes of state are committed immediately and survive the end of the process. Progress is committed twice a second,
/// the end of a download once its file is synced. No call blocks.
@EngineActor struct QueueJournal {
    private let store: any QueueStore
    private let scheduler: any Scheduler
    /// The stored checkpoints of transfers that have begun.
    private var checkpoints: [TransferID: Checkpoint]
    /// The current attempt of each running transfer.
    private var attempts: [TransferID: TransferAttempt] = [:]
    /// Downloads that an earlier process renamed, with what must be synced before they are recorded as completed.
    private var syncing: [TransferID: SyncTarget] = [:]
    /// Downloads that an earlier process or attempt renamed. The store may hold another end for them, which must not
    /// return after a power cut.
    private var resolved: Set<TransferID> = []
    /// Transfers with more changes than the columns of a completion hold.
    private var changed: Set<TransferID> = []
    let crashes: CrashLedger?

    init(
        store: any QueueStore, scheduler: any Scheduler, checkpoints: [TransferID: Checkpoint] = [:],
        crashes: CrashLedger? = nil
    ) {
        self.store = store
        self.scheduler = scheduler
        self.checkpoints = checkpoints
        self.crashes = crashes
    }

    func checkpoint(of id: TransferID) -> Checkpoint? { checkpoints[id] }

    func attempt(of id: TransferID) -> TransferAttempt? { attempts[id] }

    mutating func change(_ id: TransferID, _ body: (inout Checkpoint) -> Void) {
        body(&checkpoints[id, default: Checkpoint()])
    }

    /// The transfer will be recorded as completed, durably.
    /// - Parameter target: synced before that.
    mutating func resolve(_ id: TransferID, syncing target: SyncTarget?) {
        resolved.insert(id)
        syncing[id] = target
    }

    func target(of id: TransferID) -> SyncTarget? { syncing[id] }

    /// The completion of a transfer without a run is recorded with all that a command has changed.
    mutating func recordAll(of id: TransferID) { changed.insert(id) }

    mutating func forget(_ ids: [TransferID]) { for id in ids { forget(id) } }

    private mutating func forget(_ id: TransferID) {
        checkpoints[id] = nil
        attempts[id] = nil
        syncing[id] = nil
        resolved.remove(id)
        changed.remove(id)
    }

    /// The record as it is stored.
    private func stored(_ transfer: Transfer) -> Transfer {
        var transfer = transfer
        transfer.checkpoint = checkpoints[transfer.id]
        if transfer.state.isEnded { transfer.checkpoint?.postponed = nil }
        return transfer
    }

    /// Records a change of a transfer.
    /// - Parameters:
    ///   - isStopped: the attempt stops as in a pause: the next process continues it.
    ///   - committed: called once, on any thread, when the store has committed it, or with the error why it has not.
    mutating func note(
        _ transfer: Transfer, _ cause: TransferEvent.Name, _ run: Run?, isStopped: Bool = false,
        then committed: StoreWriter.Completion? = nil
    ) {
        // Before the transfer starts: its data may crash the process.
        crashes?.note(transfer, at: scheduler.now)
        if let run { take(run, transfer) }
        let store = store
        store.record(
            [storeChange(transfer, cause, run, isAwaited: committed != nil, isStopped: isStopped)], then: committed)
        if transfer.state == .completed { forget(transfer.id) }
    }

    /// Built only if the store keeps it.
    private mutating func storeChange(
        _ transfer: Transfer, _ cause: TransferEvent.Name, _ run: Run?, isAwaited: Bool, isStopped: Bool
    ) -> StoreChange {
        if cause == .started { beginAttempt(transfer) }
        var attempt: TransferAttempt?
        if transfer.state.isEnded || cause == .retrying {
            attempt = endAttempt(transfer, run)
        } else if isStopped || cause == .paused {
            // The next process has no other record of it.
            attempt = presentAttempt(transfer, run)
        }
        let isCompleted = transfer.state == .completed
        let isResolved = isCompleted && resolved.contains(transfer.id)
        return StoreChange(
            stored(transfer), urgency: isResolved ? .now : Self.urgency(of: cause, isAwaited: isAwaited),
            attempts: attempt.map { [$0] } ?? [], events: Self.events(transfer, cause, run),
            syncing: isCompleted ? syncing[transfer.id].map { [$0] } ?? [] : [])
    }

    struct Completion {
        /// As it is from now on.
        var transfer: Transfer
        var metrics: TransferMetrics
    }

    /// Records downloads completed by the fast path; until now only their addition was stored.
    /// - Parameter done: called once for all of them, on any thread.
    mutating func complete(_ completions: [Completion], then done: @escaping StoreWriter.Completion) {
        let changes = completions.map { completion in
            let (transfer, metrics) = (completion.transfer, completion.metrics)
            crashes?.note(transfer, at: scheduler.now)
            let attempt = TransferAttempt(
                number: transfer.attempt, startedAt: metrics.taskStart ?? scheduler.wallNow,
                endedAt: transfer.endedAt, url: transfer.url, firstByte: 0, lastByte: transfer.bytes,
                status: transfer.httpStatus, metrics: metrics)
            // A checkpoint is of something that was recorded before.
            let isPlain = checkpoints[transfer.id] == nil && !changed.contains(transfer.id)
            let columns: StoreChange.Columns = isPlain ? .completion : .all
            let record = stored(transfer)
            forget(transfer.id)
            return StoreChange(record, urgency: .kept, attempts: [attempt], columns: columns)
        }
        store.record(changes, then: done)
    }

    /// The event of an end for the delegate of a background session.
    private static func events(_ transfer: Transfer, _ name: TransferEvent.Name, _ run: Run?) -> [[UInt8]] {
        guard transfer.session != nil, [.completed, .failed, .cancelled].contains(name), let endedAt = transfer.endedAt
        else { return [] }
        let fields = run?.responseFields ?? []
        return [SessionEvent(sequence: 0, time: endedAt, transfer: transfer, responseFields: fields).encoded()]
    }

    private static func urgency(of name: TransferEvent.Name, isAwaited: Bool) -> StoreChange.Urgency {
        switch name {
        // A start that is lost is repeated.
        case .progress, .started, .resumed, .restarted, .queued: isAwaited ? .kept : .soon
        default: .kept
        }
    }

    // MARK: Promises

    /// Records which files will be renamed into place next.
    ///
    /// A renamed file without this record would look like another program's to the next process.
    /// - Parameters:
    ///   - isSynced: whether the files' bytes are on disk. Then the record is committed durably too: a power cut that
    ///     keeps the new name keeps the record.
    ///   - transfers: the current record of each.
    ///   - done: called once for all of them, on any thread, with the error if it could not be committed.
    mutating func intend(
        _ placements: [(run: DownloadRun, placement: DownloadPlacement)], isSynced: Bool,
        transfers: (TransferID) -> Transfer?, then done: @escaping StoreWriter.Completion
    ) {
        for (run, placement) in placements {
            guard let transfer = transfers(run.id) else { continue }
            let whole = ByteRangeSet(0..<placement.total)
            let data = ResumeData(
                url: transfer.url, validator: Validator(), ranges: isSynced ? whole : ByteRangeSet(),
                total: placement.total, partialPath: placement.partial.path, bootID: BootID.current)
            change(transfer.id) { $0.download = DownloadCheckpoint(data, inode: placement.partial.inode) }
            take(run, transfer)
        }
        store.record(
            placements.compactMap { run, _ in
                transfers(run.id).map {
                    StoreChange(stored($0), urgency: isSynced ? .now : .kept)
                }
            }, then: done)
    }

    /// Commits an upload's key before the server sees it: sent again after a crash under the same key, the same bytes
    /// are not stored twice.
    /// - Parameter done: called on any thread, with the error if it could not be committed.
    mutating func commitUpload(_ transfer: Transfer, _ run: Run, then done: @escaping StoreWriter.Completion) {
        take(run, transfer)
        store.record([StoreChange(stored(transfer), urgency: .kept)], then: done)
    }

    /// Copies state of the run that the record lacks.
    private mutating func take(_ run: Run, _ transfer: Transfer) {
        change(transfer.id) { [scheduler] checkpoint in
            checkpoint.failures = run.failures
            if let deadline = run.deadline {
                let left = deadline - (run.pausedAt ?? scheduler.now)
                checkpoint.startedAt = scheduler.wallNow + left - run.resourceTimeout
            }
            checkpoint.upload = (run as? UploadRun)?.checkpoint
        }
    }

    // MARK: Attempts

    mutating func beginAttempt(_ transfer: Transfer) {
        // A paused one resumes.
        guard attempts[transfer.id]?.number != transfer.attempt else { return }
        attempts[transfer.id] = TransferAttempt(
            number: transfer.attempt, startedAt: scheduler.wallNow, url: transfer.url,
            firstByte: transfer.bytes, lastByte: transfer.bytes)
    }

    /// As far as it is.
    private func presentAttempt(_ transfer: Transfer, _ run: Run?) -> TransferAttempt? {
        guard var attempt = attempts[transfer.id] else { return nil }
        // Where it begins is known with its response: one that has none has no bytes of its own.
        if let run, run.didMove || run.beganAt > 0 {
            attempt.firstByte = run.beganAt
        } else {
            attempt.firstByte = min(attempt.firstByte, transfer.bytes)
        }
        attempt.lastByte = transfer.bytes
        attempt.status = transfer.httpStatus
        return attempt
    }

    /// The attempt asks this address.
    mutating func noteAddress(_ url: String, of id: TransferID) { attempts[id]?.url = url }

    private mutating func endAttempt(_ transfer: Transfer, _ run: Run?) -> TransferAttempt? {
        guard var attempt = presentAttempt(transfer, run) else { return nil }
        attempts[transfer.id] = nil
        attempt.endedAt = scheduler.wallNow
        attempt.error = transfer.state.isEnded ? transfer.error : run?.lastError
        attempt.metrics = run?.latest
        return attempt
    }
}
