// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import Platform
import SessionCore
import TransferModel

/// The partial data of a download, from which a later attempt resumes.
extension DownloadRun {
    /// Writes the record of the partial file.
    func record(_ task: DownloadTask) {
        // The version first: a resume point of an earlier one is then rejected.
        guard let files else { return }
        let version = files.version
        guard pieces.map({ !$0.isRecorded && !$0.isRecording }) ?? true, let point = task.resumePoint else { return }
        kept.recordedAt = engine.scheduler.now
        var record = ResumeData(
            url: address.string, validator: point.validator,
            ranges: ByteRangeSet(0..<min(kept.syncedBytes, point.offset)), total: point.total,
            partialPath: version.file.path, bootID: BootID.current, contentType: point.contentType,
            contentEncoding: point.contentEncoding)
        record.noteSource(withSource(point))
        engine.onFiles(at: files.path, mount) { [record] in files.save(record, of: version) }
    }

    /// After a relocation, the address that has sent the bytes is no longer asked.
    func withSource(_ point: ResumePoint) -> ResumePoint {
        var point = point
        if kept.requested != address { point.address = nil }
        return point
    }

    /// Writes the first record with the first bytes; from then on, every half minute, syncs the bytes and records them
    /// as surviving a power cut.
    func checkpoint(_ task: DownloadTask) {
        notice(task)
        guard let files else { return }
        if kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion() }
        if pieces?.isRecorded == true { return checkpointPieces() }
        guard let last = kept.recordedAt else { return record(task) }
        guard engine.scheduler.now - last >= 30 else { return }
        kept.recordedAt = engine.scheduler.now
        let version = files.version
        let reached = task.resumePoint?.offset ?? 0
        engine.syncFile(of: self, version.file, isAwaited: false) { [self] code in
            guard self.task === task, self.files?.version.number == version.number else { return }
            guard code == 0 else { return noteLostBytes(code) }
            kept.syncedBytes = reached
            record(task)
        }
    }

    /// The disk did not take bytes of the file. Linux reports that once and counts their pages as clean: a later sync
    /// succeeds without them.
    /// - Parameter code: of the sync.
    func noteLostBytes(_ code: Int32) {
        // Some file systems lack the call.
        guard files != nil, ![EINVAL, EOPNOTSUPP, ENOSYS].contains(code) else { return }
        let error = TransferError(.cannotWrite, file: .write, path: file, systemErrno: code)
        kept.lost = error
        guard let task else { return }
        stop = stop ?? .lost(error)
        task.cancel()
    }

    /// At the end of an attempt that did not finish: what has arrived stays, and is recorded if it can be resumed.
    /// - Parameter length: of the file, if known.
    func keepPartial(_ task: DownloadTask, _ length: Int64?) {
        notice(task, .brokenOff)
        guard partial != nil else {
            engine.memories[id, default: RunMemory()].streamPoint = task.resumePoint.map(withSource)
            return
        }
        // The record is current since the file was inspected.
        if pieces?.isRecorded == true, arePiecesCurrent { return }
        if kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion() }
        if length == 0 { return discardPartial() }
        // Without new bytes the record is still right.
        if didMove { record(task) }
    }

    /// What was recorded and synced belongs to a version that is no longer in the file.
    func forgetVersion() {
        dropPieces()
        sources.startedOver()
        kept.isBeingResumed = false
        kept.recordedAt = nil
        kept.syncedBytes = 0
    }

    /// Removes the file of the current version; partial data of another one stays.
    func discardPartial() {
        guard files != nil else { return }
        onFiles { $0.removeCurrent() }
        forgetFiles()
    }

    /// Removes all partial data, as the user asked, without that of other transfers.
    /// - Parameter areDamaged: the disk has lost bytes: those of others go, too.
    func discardPartialFiles(areDamaged: Bool = false) {
        let sharing: PartialSharing =
            if areDamaged {
                .alone
            } else if let files {
                engine.sharing(of: id, at: files.path)
            } else {
                engine.sharing(of: id)
            }
        if files != nil {
            onFiles { $0.removeAll(leaving: sharing) }
        } else {
            engine.removePartialFiles(of: description, sharing)
        }
        forgetFiles()
    }

    private func forgetFiles() {
        releaseFiles()
        kept = .init()
        pieces = nil
        engine.update(id) {
            $0.bytes = 0
            $0.confirmed = 0
        }
    }
}
