// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// The state of a durable queue when it is opened, however the last process ended.
struct QueueRecovery {
    /// In the order of the queue, finished ones included.
    var transfers: [Transfer] = []
    var ranks: [TransferID: Int64] = [:]
    var pasts: [TransferID: TransferPast] = [:]
    /// Transfers that turned out to be completed: the process ended between the rename and the commit.
    var completed: [(id: TransferID, syncing: SyncTarget?)] = []
    /// Transfers that are not attempted again because the process crashed during them.
    var crashed: [TransferID] = []

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
        let found = try store.unfinished() + store.listedHistory(limit: Self.maximumEnded)
        transfers.reserveCapacity(found.count)
        for var stored in found.sorted(by: { $0.place < $1.place }) {
            ranks[stored.id] = stored.place
            if !stored.state.isEnded { recover(&stored, policy, time) }
            if condemned.contains(stored.id) { brake(&stored, time) }
            transfers.append(stored)
        }
    }

    /// A paused transfer waits for its user anyway.
    private mutating func brake(_ stored: inout Transfer, _ time: Double) {
        guard stored.state == .queued else { return }
        let error = TransferError(
            .repeatedCrash, "the program crashed on it twice in a row", fields: .init(transfer: stored.id))
        stored.status = .failed(.init(at: time, note: stored.status.note), error)
        crashed.append(stored.id)
    }

    private mutating func recover(_ stored: inout Transfer, _ policy: RecoveryPolicy, _ time: Double) {
        // Nothing is known of a folder that does not respond: the transfer is attempted again.
        let files = stored.state == .verifying ? look(stored) ?? .init() : .init()
        let state = policy.state(of: stored, files: files)
        if state == .completed {
            stored.status = .completed(.init(at: time, note: stored.status.note))
            stored.bytes = stored.total ?? stored.bytes
            stored.confirmed = stored.bytes
            completed.append((stored.id, cleanUp(stored)))
        } else if state == .queued {
            if stored.state == .verifying { takeBack(stored, files) }
            stored.status = .queued()
        }
        if let checkpoint = stored.checkpoint { pasts[stored.id] = TransferPast(checkpoint: checkpoint) }
    }
}

extension QueueRecovery {
    private func look(_ stored: Transfer) -> RecoveryPolicy.FoundFiles? {
        lanes.wait(stored.file, on: mounts.mount(of: stored.file)) { FoundFile.look(stored) }
    }

    /// - Returns: what may still have to be synced.
    private func cleanUp(_ stored: Transfer) -> SyncTarget? {
        let path = stored.file
        return lanes.wait(path, on: mounts.mount(of: path)) {
            if let partial = stored.checkpoint?.download?.data.partialPath { KeptFiles.removeLeftovers(of: partial) }
            return FoundFile.device(path).map { SyncTarget(path: path, device: $0) }
        } ?? nil
    }

    private func takeBack(_ stored: Transfer, _ files: RecoveryPolicy.FoundFiles) {
        guard !files.hasPartial, files.finalInode != nil else { return }
        _ = lanes.wait(stored.file, on: mounts.mount(of: stored.file)) { FoundFile.takeBack(stored, files) }
    }
}

/// The files of a download that was about to be renamed.
private enum FoundFile {
    static func look(_ stored: Transfer) -> RecoveryPolicy.FoundFiles {
        guard let partial = stored.checkpoint?.download?.data.partialPath else { return .init() }
        let named = status(stored.file)
        return RecoveryPolicy.FoundFiles(
            hasPartial: status(partial) != nil, finalLength: named.map { Int64($0.st_size) },
            finalInode: named.map { UInt64($0.st_ino) })
    }

    /// A renamed file that may have lost bytes in a power cut becomes a partial file again.
    static func takeBack(_ stored: Transfer, _ files: RecoveryPolicy.FoundFiles) {
        guard !files.hasPartial, let inode = stored.checkpoint?.download?.inode, inode == files.finalInode,
            let partial = stored.checkpoint?.download?.data.partialPath
        else { return }
        _ = clinux_rename_no_replace(stored.file, partial)
    }

    static func device(_ path: String) -> UInt64? { status(path).map { UInt64($0.st_dev) } }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
