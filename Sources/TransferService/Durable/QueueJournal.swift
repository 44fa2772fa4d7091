// SPDX-License-Identifier: MIT

import Glibc
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

    init(store: TransferStore, scheduler: any Scheduler, pasts: [TransferID: TransferPast] = [:],
         report: @escaping @Sendable (TransferError) -> Void) {
        self.store = store
        self.scheduler = scheduler
        self.pasts = pasts
        writer = StoreWriter(store: store, now: { scheduler.now }, schedule: { scheduler.schedule(at: $0, $1) },
                             reportFailure: report)
    }

    func past(of id: TransferID) -> TransferPast? { pasts[id] }

    func change(_ id: TransferID, _ body: (inout TransferPast) -> Void) { body(&pasts[id, default: TransferPast()]) }

    func forget(_ ids: [TransferID]) { for id in ids { pasts[id] = nil } }

    /// Takes note of what was told of a transfer.
    func record(_ transfer: TransferSnapshot, _ name: TransferEvent.Name, _ job: Job?) {
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
        case .progress, .started, .resumed, .queued: .soon
        default: .kept
        }
    }

    /// Has it known, before a download is given its name, which file that will be.
    ///
    /// A file that had its name and was not known here would be taken for somebody else's by the next process: where it cannot be
    /// committed, as on a full disk, the name waits too.
    /// - Parameter done: called on the writer's queue when it is committed.
    func intend(_ transfer: TransferSnapshot, _ job: Job, _ partial: PartialFile, total: Int64, synced: Bool,
                then done: @escaping @Sendable () -> Void) {
        guard let identity = partial.identity else { return done() }
        let whole = ByteRangeSet(0..<total)
        let data = ResumeData(url: transfer.url, validator: Validator(), ranges: synced ? whole : ByteRangeSet(), total: total,
                              partialPath: partial.path, bootID: BootID.current)
        change(transfer.id) { past in
            past.resume = StoredResume(data, written: whole, isSequential: true, inode: identity.inode)
            past.syncing = synced ? [] : [SyncTarget(path: transfer.file, device: identity.device)]
        }
        take(job, transfer)
        let (writer, scheduler) = (writer, scheduler)
        writer.record(StoreChange(StoredTransfer(transfer, pasts[transfer.id]), urgency: .kept)) { error in
            if error == nil { done() } else { Self.persist(writer, scheduler, then: done) }
        }
    }

    /// Asks every few seconds whether what could not be committed now is.
    private static func persist(_ writer: StoreWriter, _ scheduler: any Scheduler, then done: @escaping @Sendable () -> Void) {
        scheduler.schedule(at: scheduler.now + 2) {
            writer.settle { error in if error == nil { done() } else { persist(writer, scheduler, then: done) } }
        }
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

extension PartialFile {
    var identity: (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
