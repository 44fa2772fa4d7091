// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Writes down what happens to the transfers of a queue, in the order in which it happens, and keeps what a later
/// attempt needs.
///
/// States are committed at once, so that they survive the end of the process; progress twice a second; the end of a
/// download once its file is on the disk. Nothing waits here.
@EngineActor struct QueueJournal {
    private let store: any QueueStore
    private let scheduler: any Scheduler
    private var pasts: [TransferID: TransferPast]
    /// Whether the store keeps anything.
    private let isRead: Bool
    let crashes: CrashLedger?

    init(
        store: any QueueStore, scheduler: any Scheduler, pasts: [TransferID: TransferPast] = [:],
        crashes: CrashLedger? = nil
    ) {
        self.store = store
        isRead = store.promise != .none
        self.scheduler = scheduler
        self.pasts = pasts
        self.crashes = crashes
    }

    func past(of id: TransferID) -> TransferPast? { pasts[id] }

    mutating func change(_ id: TransferID, _ body: (inout TransferPast) -> Void) {
        body(&pasts[id, default: TransferPast()])
    }

    mutating func forget(_ ids: [TransferID]) { for id in ids { pasts[id] = nil } }

    /// Takes note of what happened to a transfer.
    /// - Parameter committed: called once, on any thread, when the store has it, or with the reason why it has not.
    mutating func note(
        _ transfer: Transfer, _ cause: TransferEvent.Name, _ run: Run?,
        then committed: StoreWriter.Completion? = nil
    ) {
        // Before it begins: what it meets may end the process.
        crashes?.note(transfer, at: scheduler.now)
        if let run { take(run, transfer) }
        guard isRead else {
            if transfer.state == .completed { pasts[transfer.id] = nil }
            committed?(nil)
            return
        }
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

    /// What the delegate of a background session is to be told of an end.
    private static func events(_ transfer: Transfer, _ name: TransferEvent.Name, _ run: Run?) -> [[UInt8]] {
        guard transfer.session != nil, [.completed, .failed, .cancelled].contains(name), let endedAt = transfer.endedAt
        else { return [] }
        let fields = run?.responseFields ?? []
        return [SessionEvent(sequence: 0, time: endedAt, transfer: transfer, responseFields: fields).encoded()]
    }

    private static func urgency(of name: TransferEvent.Name, isAwaited: Bool) -> StoreChange.Urgency {
        switch name {
        // A start that is forgotten is made again.
        case .progress, .started, .resumed, .restarted, .queued: isAwaited ? .kept : .soon
        default: .kept
        }
    }

    // MARK: Promises

    /// Records which files are about to be renamed into place.
    ///
    /// The next process would take a renamed file that is not recorded here for another program's.
    /// - Parameters:
    ///   - isSynced: whether the files' bytes are on the disk. Then the record is committed durably too: a power cut
    ///     that keeps the new name keeps the record.
    ///   - transfers: the present record of each.
    ///   - done: called once for all of them, on any thread, with the reason why it could not be committed.
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

    /// Has an upload's key known before the server sees it: sent again after a crash, the same bytes are not stored
    /// twice.
    /// - Parameter done: called on any thread with the reason why it could not be committed.
    mutating func keepUpload(_ transfer: Transfer, _ run: Run, then done: @escaping StoreWriter.Completion) {
        take(run, transfer)
        store.record([StoreChange(transfer.with(pasts[transfer.id]), urgency: .kept)], then: done)
    }

    /// What the run knows and its snapshot does not.
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
            // One that was paused goes on.
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
