// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Writes down what happens to the transfers of a durable queue, in the order in which it happens.
///
/// States are committed at once, so that they survive the end of the process; progress twice a second; the end of a download
/// once its file is on the disk. Nothing waits here.
final class QueueJournal: @unchecked Sendable {
    // Sendable: every member is used on the coordinator's queue alone.

    let store: TransferStore
    let writer: StoreWriter
    private let scheduler: any Scheduler
    private var pasts: [TransferID: TransferPast]
    let crashes: CrashLedger?

    init(store: TransferStore, scheduler: any Scheduler, pasts: [TransferID: TransferPast] = [:],
         crashes: CrashLedger? = nil, report: @escaping @Sendable (TransferError) -> Void) {
        self.store = store
        self.scheduler = scheduler
        self.pasts = pasts
        self.crashes = crashes
        writer = StoreWriter(store: store, now: { scheduler.now }, schedule: { scheduler.schedule(at: $0, $1) },
                             reportFailure: report)
    }

    func past(of id: TransferID) -> TransferPast? { pasts[id] }

    func change(_ id: TransferID, _ body: (inout TransferPast) -> Void) { body(&pasts[id, default: TransferPast()]) }

    func forget(_ ids: [TransferID]) { for id in ids { pasts[id] = nil } }

    /// Takes note of what was told of a transfer.
    func record(_ transfer: TransferSnapshot, _ name: TransferEvent.Name, _ job: Job?) {
        // Before it begins: what it meets may end the process.
        crashes?.note(transfer, at: scheduler.now)
        if let job { take(job, transfer) }
        if name == .started { beginAttempt(transfer) }
        var attempts: [StoredAttempt] = []
        if transfer.state.isEnded || name == .retrying { attempts += endAttempt(transfer, job) }
        var change = StoreChange(StoredTransfer(transfer, pasts[transfer.id]), urgency: Self.urgency(of: name), attempts: attempts,
                                 events: Self.events(transfer, name, job))
        if transfer.state == .completed { change.syncing = pasts[transfer.id]?.syncing ?? [] }
        writer.record(change)
        if transfer.state == .completed { pasts[transfer.id] = nil }
    }

    /// What the delegate of a background session is to be told of an end.
    private static func events(_ transfer: TransferSnapshot, _ name: TransferEvent.Name, _ job: Job?) -> [[UInt8]] {
        guard transfer.session != nil, [.completed, .failed, .cancelled].contains(name), let endedAt = transfer.endedAt else { return [] }
        let fields = job?.responseFields ?? []
        return [SessionEvent(sequence: 0, time: endedAt, transfer: transfer, responseFields: fields).encoded()]
    }

    private static func urgency(of name: TransferEvent.Name) -> StoreChange.Urgency {
        switch name {
        // A start that is forgotten is made again.
        case .progress, .started, .resumed, .restarted, .queued: .soon
        default: .kept
        }
    }

    /// Records which files are about to be renamed into place.
    ///
    /// The next process would take a renamed file that is not recorded here for another program's.
    /// - Parameters:
    ///   - isSynced: whether the files' bytes are on the disk. Then the record is committed durably too: a power cut that keeps the new
    ///     name keeps the record.
    ///   - transfers: the present record of each.
    ///   - done: called once for all of them, on the writer's queue, with the reason why it could not be committed.
    func intend(_ placements: [(job: Job, placement: DownloadPlacement)], isSynced: Bool, transfers: (TransferID) -> TransferSnapshot?,
                then done: @escaping @Sendable (TransferError?) -> Void) {
        writer.record(placements.compactMap { job, placement in
            guard let transfer = transfers(job.id), let identity = placement.partial.identity else { return nil }
            let whole = ByteRangeSet(0..<placement.total)
            let data = ResumeData(url: transfer.url, validator: Validator(), ranges: isSynced ? whole : ByteRangeSet(),
                                  total: placement.total, partialPath: placement.partial.path, bootID: BootID.current)
            change(transfer.id) { past in
                past.resume = StoredResume(data, inode: identity.inode)
                // The name alone is left to be synced; nothing, for one that is not to wait for the disk.
                past.syncing = job.download?.syncs == false ? []
                    : [SyncTarget(path: placement.path, device: identity.device, areBytesDurable: true)]
            }
            take(job, transfer)
            return StoreChange(StoredTransfer(transfer, pasts[transfer.id]), urgency: isSynced ? .now : .kept)
        }, then: done)
    }

    /// Has an upload's key known before the server sees it: sent again after a crash, the same bytes are not stored twice.
    /// - Parameter done: called on the writer's queue with the reason why it could not be committed.
    func keepUpload(_ transfer: TransferSnapshot, _ job: Job, then done: @escaping @Sendable (TransferError?) -> Void) {
        take(job, transfer)
        writer.record(StoreChange(StoredTransfer(transfer, pasts[transfer.id]), urgency: .kept), then: done)
    }

    /// What the job knows and its snapshot does not.
    private func take(_ job: Job, _ transfer: TransferSnapshot) {
        change(transfer.id) { past in
            past.failures = job.failures
            if let deadline = job.deadline {
                let left = deadline - (job.pausedAt ?? scheduler.now)
                past.startedAt = scheduler.wallNow + left - job.resourceTimeout
            }
            past.upload = job.uploadKey.flatMap { key in
                key.source.stored.map { StoredUpload(source: $0, key: key.key) }
            }
        }
    }

    // MARK: Tries

    private func beginAttempt(_ transfer: TransferSnapshot) {
        change(transfer.id) { past in
            // One that was paused goes on.
            guard past.attempt?.number != transfer.attempt else { return }
            past.attempt = StoredAttempt(number: transfer.attempt, startedAt: scheduler.wallNow, url: transfer.url,
                                         firstByte: transfer.bytes, lastByte: transfer.bytes)
        }
    }

    private func endAttempt(_ transfer: TransferSnapshot, _ job: Job?) -> [StoredAttempt] {
        guard var attempt = pasts[transfer.id]?.attempt else { return [] }
        attempt.endedAt = scheduler.wallNow
        attempt.lastByte = transfer.bytes
        attempt.firstByte = job?.beganAt ?? attempt.firstByte
        attempt.status = transfer.status
        attempt.error = transfer.state.isEnded ? transfer.error : job?.lastError
        attempt.metrics = job?.latest
        change(transfer.id) { $0.attempt = nil }
        return [attempt]
    }
}
