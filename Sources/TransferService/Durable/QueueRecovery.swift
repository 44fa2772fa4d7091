// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

/// The state of a durable queue when it is opened, however the last process ended.
struct QueueRecovery {
    /// In the order of the queue, finished ones included.
    var transfers: [Transfer] = []
    /// The checkpoints of transfers that have not completed; failed and cancelled ones may be retried.
    var checkpoints: [TransferID: Checkpoint] = [:]
    /// Of those whose rename an earlier process may have made in a folder that does not respond.
    var memories: [TransferID: RunMemory] = [:]
    /// Those that turned out to be named: the process ended between giving the name and writing that down. They are
    /// `verifying` until their names are durable.
    var completed: [(id: TransferID, syncing: SyncTarget?)] = []
    /// Commands that were confirmed while a file was being verified that has no name.
    var postponed: [TransferID: PostponedCommand] = [:]
    /// Transfers that are not attempted again because the process crashed during them.
    var crashed: [TransferID] = []

    /// The recorded groups of files that were to get their names; outdated once ``completed`` is committed.
    var placements: [Int64] = []
    /// Copies of partial files that cannot be ended now.
    var copies: [TransferID: StoreCopy] = [:]
    /// Transfers may not stand as the latest hold of the queue, or its release, demands.
    var isHoldUnfinished = false

    private var mounts = Mounts()
    private var lanes = FileLanes(scheduler: SystemScheduler())

    /// An empty queue.
    init() {}

    /// How many finished transfers return to the queue; all of them stay in the history.
    static let maximumEnded = 1000

    /// Reads the store and checks the files of downloads that were about to be renamed.
    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - condemned: see ``CrashLedger/condemned``.
    init(store: TransferStore, bootID: String?, time: Double, condemned: Set<TransferID> = []) throws(TransferError) {
        let policy = RecoveryPolicy(bootID: bootID)
        placements = try store.placements()
        transfers = try store.unfinished()
        transfers += try store.listedHistory(limit: Self.maximumEnded)
        transfers.sortByPlace()
        // In place: a long queue is not copied.
        for index in transfers.indices {
            if transfers[index].state.isEnded {
                remember(transfers[index], policy)
            } else {
                recover(index, policy, time)
            }
            if condemned.contains(transfers[index].id) { failAfterCrashes(index, time) }
        }
    }

    /// Removes what copies of partial files have left.
    mutating func endCopies(_ left: [Int: StoreCopy], _ store: TransferStore) {
        for (id, copy) in left.map({ (TransferID(rawValue: $0), $1) }) {
            let kept = (try? store.description(of: id))?.partialPath
            let place = mounts.mount(of: copy.old).isLocal ? copy.new : copy.old
            let isDone = lanes.wait(place, on: mounts.mount(of: place)) { copy.removeLeft(keeping: kept) }
            if isDone != true { copies[id] = copy }
        }
    }

    /// A retry must know what an earlier process may have done: it may have renamed the file, or sent the upload.
    private mutating func remember(_ ended: Transfer, _ policy: RecoveryPolicy) {
        guard ended.state != .completed, let checkpoint = ended.checkpoint else { return }
        checkpoints[ended.id] = checkpoint
        if let rename = PendingRename(ended, policy) { memories[ended.id] = RunMemory(rename: rename) }
    }

    /// Its partial files, which other transfers with the same file may have, too.
    private func sharing(of stored: Transfer) -> PartialSharing {
        let others = transfers.lazy.filter { other in
            other.id != stored.id && other.hasPartialBytes && other.file == stored.file
        }
        return PartialSharing(url: stored.url, hasBytes: true, others: Set(others.map(\.url)))
    }

    /// A paused transfer waits for its user anyway.
    private mutating func failAfterCrashes(_ index: Int, _ time: Double) {
        let stored = transfers[index]
        guard stored.state == .queued, postponed[stored.id] == nil else { return }
        let error = TransferError(
            .repeatedCrash, "the program crashed on it twice in a row", fields: .init(transfer: stored.id))
        transfers[index].status = .failed(.init(at: time, note: stored.status.note), error)
        crashed.append(stored.id)
    }

    private mutating func recover(_ index: Int, _ policy: RecoveryPolicy, _ time: Double) {
        var stored = transfers[index]
        defer { transfers[index] = stored }
        var checkpoint = stored.checkpoint
        // Before any other state is recorded, the rename has not been asked for.
        var rename = PendingRename(stored, policy)
        if stored.state == .verifying, let pending = rename {
            let sharing = sharing(of: stored)
            let outcome =
                lanes.wait(pending.path, on: mounts.mount(of: pending.path)) {
                    try? pending.resolve(leaving: sharing)
                } ?? nil
            // If the folder does not respond, or the disk fails, the next attempt asks again.
            switch outcome {
            case nil: break
            case .unfinished:
                rename = nil
                checkpoint?.download = nil
            case .completed(let syncing):
                stored.bytes = stored.total ?? stored.bytes
                stored.confirmed = stored.bytes
                completed.append((stored.id, syncing))
            }
        }
        // What a plain upload had sent is sent again.
        if stored.kind == .upload, !stored.state.isEnded, checkpoint?.upload?.point == nil, stored.bytes > 0 {
            stored.bytes = 0
            stored.confirmed = 0
        }
        let isNamed = completed.last?.id == stored.id
        if !isNamed, !stored.state.isEnded, policy.state(of: stored) == .queued { stored.status = .queued() }
        if !isNamed, !stored.state.isEnded { postponed[stored.id] = checkpoint?.postponed }
        checkpoint?.postponed = nil
        checkpoints[stored.id] = checkpoint
        if let rename { memories[stored.id] = RunMemory(rename: rename) }
    }
}
