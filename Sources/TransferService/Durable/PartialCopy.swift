// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Synchronization
import TransferModel
import TransferStore

/// The partial files of a download on their way to another file system. The spec in the store decides which of the two
/// places counts: the old one until all is synced in the new one. ``StoreCopy`` says where a process that was killed
/// has left files that do not count.
final class PartialCopy: Sendable {
    let move: PartialMove
    private let sharing: PartialSharing
    private let disk: PlacementDisk
    private let isStopped = Atomic(false)
    /// Both are locked.
    private let files = Mutex<[(old: PartialFile, new: PartialFile)]>([])

    /// - Parameter sharing: whose files they are.
    init(_ move: PartialMove, _ sharing: PartialSharing = .alone, _ disk: PlacementDisk = PlacementDisk()) {
        (self.move, self.sharing, self.disk) = (move, sharing, disk)
    }

    /// Ends ``carryOut()`` soon. From any thread.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Takes as long as the disks do.
    /// - Throws: code `cannotWrite`, or `cancelled` after ``stop()``; then nothing is left of the copy.
    func carryOut() throws(TransferError) {
        do throws(TransferError) {
            for suffix in ["", PartialFiles.newSuffix] where DownloadAdmission.exists(move.old + suffix) {
                if !sharing.isOfAnother(move.old + suffix) { try copy(suffix) }
            }
            // With the records, and all names.
            guard let last = files.withLock({ $0.last?.new }) else { return }
            try Self.checkSync(disk.syncFileSystem(last.descriptor), last.path)
            try checkStop()
        } catch {
            end(keepingNew: false)
            throw error
        }
    }

    /// Removes the files of the place that does not count, and unlocks those of the other one.
    func end(keepingNew: Bool) {
        let files = files.withLock { files in
            defer { files = [] }
            return files
        }
        for (old, new) in files {
            let left = keepingNew ? old : new
            // The record last: without it the file could not be recognized.
            left.remove()
            PartialRecord.remove(left.path)
            old.unlock()
            new.unlock()
        }
    }

    private func copy(_ suffix: String) throws(TransferError) {
        let old = try PartialFile(path: move.old + suffix)
        guard !DownloadAdmission.exists(move.new + suffix) else { throw PartialMove.taken(move.new + suffix) }
        var status = stat()
        let mode = fstat(old.descriptor, &status) == 0 ? status.st_mode & 0o777 : 0o600
        let new = try PartialFile(path: move.new + suffix, permissions: mode)
        files.withLock { $0.append((old, new)) }
        try copyBytes(from: old, to: new)
        try Self.checkSync(new.sync(), new.path)
        // It says how far the bytes can be trusted: after them.
        let hasRecord = PartialRecord.load(PartialRecord.path(of: old.path)) != nil
        if hasRecord, !PartialRecord.copy(from: old.path, to: new.path) { try Self.check(EIO, new.path) }
    }

    /// Bytes at once, and bytes between two syncs: what has been begun ends soon after ``stop()``.
    private static let (piece, stretch) = (1 << 20, 64 << 20)

    /// Leaves out the gaps, which have no bytes yet.
    private func copyBytes(from old: PartialFile, to new: PartialFile) throws(TransferError) {
        let length = off_t(old.length)
        try new.truncate(to: old.length)
        var (position, unsynced) = (off_t(0), 0)
        while position < length {
            // SEEK_DATA and SEEK_HOLE, lseek(2): a file system that does not know its gaps has none.
            let data = lseek(old.descriptor, position, 3)
            if data < 0, errno == ENXIO { return }
            position = max(position, data)
            let gap = lseek(old.descriptor, position, 4)
            let end = gap > position ? gap : length
            lseek(new.descriptor, position, SEEK_SET)
            while position < end {
                try checkStop()
                let count = sendfile(new.descriptor, old.descriptor, &position, min(Self.piece, Int(end - position)))
                if count < 0, errno == EINTR { continue }
                try Self.check(count > 0 ? 0 : count < 0 ? errno : EIO, new.path)
                unsynced += count
                guard unsynced >= Self.stretch else { continue }
                try Self.checkSync(new.sync(), new.path)
                unsynced = 0
            }
        }
    }

    private func checkStop() throws(TransferError) {
        if isStopped.load(ordering: .relaxed) { throw TransferError.cancelled }
    }

    private static func checkSync(_ code: Int32, _ path: String) throws(TransferError) {
        try check(FileSync.isNeedless(code) ? 0 : code, path)
    }

    private static func check(_ code: Int32, _ path: String) throws(TransferError) {
        guard code != 0 else { return }
        throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
    }
}

extension StoreCopy {
    /// Removes what a process that was killed has left in the place that does not count. May wait for the file systems.
    /// - Parameter path: of the partial file, as the store has it.
    /// - Returns: false if something stays, since that place cannot be found now, or a process still copies.
    func removeLeft(keeping path: String?) -> Bool {
        guard let path, path == old || path == new else { return true }
        let left = path == old ? new : old
        guard PartialFiles.exist(at: path) else { return !PartialFiles.exist(at: left) }
        var isDone = true
        for suffix in ["", PartialFiles.newSuffix] {
            let record = PartialRecord.load(PartialRecord.path(of: left + suffix))
            let known = PartialRecord.load(PartialRecord.path(of: path + suffix))
            // A copy gets its record last. Any other record is that of another download since.
            let isOwn = record.map { $0.validator.ifRange == known?.validator.ifRange && $0.total == known?.total }
            guard isOwn ?? (path == old || known == nil) else { continue }
            if DownloadAdmission.exists(left + suffix) {
                guard let file = try? PartialFile(path: left + suffix) else {
                    isDone = false
                    continue
                }
                file.remove()
            }
            PartialRecord.remove(left + suffix)
        }
        return isDone
    }
}
