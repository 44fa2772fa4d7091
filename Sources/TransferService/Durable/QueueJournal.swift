// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Records all changes of a queue's transfers in the store, in their order, and keeps the checkpoint of each.
///
/// States are committed immediately, so that they survive the end of the process; progress twice a second; the end of a
/// download once its file is synced. Nothing blocks here.
@EngineActor struct QueueJournal {
    private let store: any QueueStore
    private let scheduler: any Scheduler
    private var pasts: [TransferID: TransferPast]
    let crashes: CrashLedger?

    init(
        store: any QueueStore, scheduler: any Scheduler, pasts: [TransferID: TransferPast] = [:],
        crashes: CrashLedger? = nil
    ) {
        self.store = store
        self.scheduler = scheduler
        self.pasts = pasts
        self.crashes = crashes
    }

    func past(of id: TransferID) -> TransferPast? { pasts[id] }

    mutating func change(_ id: TransferID, _ body: (inout TransferPast) -> Void) {
        body(&pasts[id, default: TransferPast()])
    }

    mutating func forget(_ ids: [TransferID]) { for id in ids { pasts[id] = nil } }

    /// Records a change of a transfer.
    /// - Parameter committed: called once, on any thread, when the store has committed it, or with the error why it has
    ///   not.
    mutating func note(
        _ transfer: Transfer, _ cause: TransferEvent.Name, _ run: Run?,
        then committed: StoreWriter.Completion? = nil
    ) {
        // Before the transfer starts: its data may crash the process.
        crashes?.note(transfer, at: scheduler.now)
        if let run { take(run, transfer) }
        if cause == .started { beginAttempt(transfer) }
        let attempts = transfer.state.isEnded || cause == .retrying ? endAttempt(transfer, run) : []
        let past = pasts[transfer.id]
        if transfer.state == .completed { pasts[transfer.id] = nil }
        store.record(
            [
                StoreChange(
                    transfer.with(past), urgency: Self.urgency(of: cause, isAwaited: committed != nil),
                    attempts: attempts,
                    events: Self.events(transfer, cause, run),
                    syncing: transfer.state == .completed ? past?.syncing ?? [] : [])
            ],
            then: committed)
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
            change(transfer.id) { $0.checkpoint.download = DownloadCheckpoint(data, inode: placement.partial.inode) }
            take(run, transfer)
        }
        store.record(
            placements.compactMap { run, _ in
                transfers(run.id).map {
                    StoreChange($0.with(pasts[$0.id]), urgency: isSynced ? .now : .kept)
                }
            }, then: done)
    }

    /// Commits an upload's key before the server sees it: sent again after a crash under the same key, the same bytes
    /// are not stored twice.
    /// - Parameter done: called on any thread, with the error if it could not be committed.
    mutating func keepUpload(_ transfer: Transfer, _ run: Run, then done: @escaping StoreWriter.Completion) {
        take(run, transfer)
        store.record([StoreChange(transfer.with(pasts[transfer.id]), urgency: .kept)], then: done)
    }

    /// Copies state of the run that the record lacks.
    private mutating func take(_ run: Run, _ transfer: Transfer) {
        change(transfer.id) { [scheduler] past in
            past.checkpoint.failures = run.failures
            if let deadline = run.deadline {
                let left = deadline - (run.pausedAt ?? scheduler.now)
                past.checkpoint.startedAt = scheduler.wallNow + left - run.resourceTimeout
            }
            past.checkpoint.upload = (run as? UploadRun)?.uploadKey.flatMap { key in
                key.source.stored.map { UploadCheckpoint(source: $0, key: key.key) }
            }
        }
    }

    // MARK: Tries

    private mutating func beginAttempt(_ transfer: Transfer) {
        change(transfer.id) { [scheduler] past in
            // A paused attempt continues.
            guard past.attempt?.number != transfer.attempt else { return }
            past.attempt = TransferAttempt(
                number: transfer.attempt, startedAt: scheduler.wallNow, url: transfer.url,
                firstByte: transfer.bytes, lastByte: transfer.bytes)
        }
    }

    private mutating func endAttempt(_ transfer: Transfer, _ run: Run?) -> [TransferAttempt] {
        guard var attempt = pasts[transfer.id]?.attempt else { return [] }
        attempt.endedAt = scheduler.wallNow
        attempt.lastByte = transfer.bytes
        attempt.firstByte = run?.beganAt ?? attempt.firstByte
        attempt.status = transfer.httpStatus
        attempt.error = transfer.state.isEnded ? transfer.error : run?.lastError
        attempt.metrics = run?.latest
        change(transfer.id) { $0.attempt = nil }
        return [attempt]
    }
}
