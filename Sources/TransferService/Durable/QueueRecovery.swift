// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// What a durable queue is when it is opened, however the last process ended.
struct QueueRecovery {
    /// In the order of the queue, what has ended among them.
    var transfers: [Transfer] = []
    /// Of those that had not ended.
    var checkpoints: [TransferID: Checkpoint] = [:]
    /// Those that turned out to be completed: the process ended between giving the name and writing that down.
    var completed: [(id: TransferID, syncing: SyncTarget?)] = []
    /// Those that are not attempted again, as the process crashed on them.
    var crashed: [TransferID] = []

    private var mounts = Mounts()
    private var lanes = FileLanes(scheduler: SystemScheduler())

    /// Nothing was remembered.
    init() {}

    /// How many of those that have ended are taken back into the queue; all of them stay in the history.
    static let maximumEnded = 1000

    /// Reads the store and looks at the files of those that were about to be named.
    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - condemned: see ``CrashLedger/condemned``.
    init(store: TransferStore, bootID: String?, time: Double, condemned: Set<TransferID> = []) throws(TransferError) {
        let policy = RecoveryPolicy(bootID: bootID)
        let found = try store.unfinished() + store.listedHistory(limit: Self.maximumEnded)
        transfers.reserveCapacity(found.count)
        for var stored in found.sorted(by: { $0.place < $1.place }) {
            if !stored.state.isEnded { recover(&stored, policy, time) }
            if condemned.contains(stored.id) { brake(&stored, time) }
            transfers.append(stored)
        }
    }

    /// A paused transfer waits for its owner anyway.
    private mutating func brake(_ stored: inout Transfer, _ time: Double) {
        guard stored.state == .queued else { return }
        let error = TransferError(
            .repeatedCrash, "the program crashed on it twice in a row", fields: .init(transfer: stored.id))
        stored.status = .failed(.init(at: time, note: stored.status.note), error)
        crashed.append(stored.id)
    }

    private mutating func recover(_ stored: inout Transfer, _ policy: RecoveryPolicy, _ time: Double) {
        // Of a folder that does not respond nothing is known: the transfer is attempted again.
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
        checkpoints[stored.id] = stored.checkpoint
    }
}

extension QueueRecovery {
    private func look(_ stored: Transfer) -> RecoveryPolicy.FoundFiles? {
        lanes.wait(stored.file, on: mounts.mount(of: stored.file)) { FoundFile.look(stored) }
    }

    /// - Returns: what may have to be synced yet.
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

/// The files of a download that was about to be named.
private enum FoundFile {
    static func look(_ stored: Transfer) -> RecoveryPolicy.FoundFiles {
        guard let partial = stored.checkpoint?.download?.data.partialPath else { return .init() }
        let named = status(stored.file)
        return RecoveryPolicy.FoundFiles(
            hasPartial: status(partial) != nil, finalLength: named.map { Int64($0.st_size) },
            finalInode: named.map { UInt64($0.st_ino) })
    }

    /// A file that has its name, while a power cut may have taken bytes of it, becomes a partial file again.
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
