// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// The last steps of a download: its checksum and its name.
extension DownloadRun {
    /// All bytes have arrived: verifies them, then renames the file into place.
    ///
    /// Not while it is paused: that was confirmed, and is what the next process finds. Then everything is kept.
    func finishDownload(_ task: DownloadTask) {
        guard engine.queue[id]?.state != .paused else { return hold(task) }
        if let error = kept.lost { return lost(error) }
        if pieces == nil { sources.contributed(sources.lead) }
        let total = noteWhole(task)
        engine.update(id) { $0.file = file }
        guard let partial else {
            let mismatch = download.checksum.flatMap { Self.mismatch(address, $0, task.digest, isStored: false) }
            return engine.end(id, mismatch == nil ? .completed : .failed, mismatch)
        }
        // A 206 may leave it out (RFC 9110, section 15.3.7).
        let date = task.response?.headerFields.first(.lastModified) ?? pieces?.point.validator.lastModified
        let modified = date.flatMap { HTTPDate.parse($0) }
        let placement = DownloadPlacement(
            partial: partial, path: file,
            overwrites: download.replaces, permissions: FilePermissions(description.options), modified: modified,
            total: total, mayHaveRecord: kept.recordedAt != nil || kept.mayHaveRecord)
        guard let pieces, pieces.isRecorded else { return verify(placement, task.digest) }
        // Its length is right only now; what came out of order was not digested.
        let attempt = generation
        engine.onFiles(of: self, partial.path, survivesStop: true) { () throws(TransferError) -> TransferError? in
            if let problem = PartialCheck.problem(with: partial, holding: pieces.reach) { return problem }
            try partial.truncate(to: total)
            return nil
        } then: { [self] found in
            if let problem = try found.get() { return lost(problem) }
            if engine.queue[id]?.state == .paused { return hold(task) }
            // Resumed since: its next attempt finds all bytes.
            if generation == attempt { verify(placement, nil) }
        }
    }

    private func hold(_ task: DownloadTask) {
        engine.shadow?.whole(self)
        wholeWhilePaused = task
        noteWhole(task)
        if pieces == nil, kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion() }
        if partial != nil { record(task) }
        engine.update(id, .progress)
    }

    /// - Returns: the length of the file.
    @discardableResult
    private func noteWhole(_ task: DownloadTask) -> Int64 {
        let total = pieces?.plan.total ?? task.resumePoint?.offset ?? task.progress.resumedFrom + task.progress.received
        engine.update(id) {
            $0.bytes = total
            $0.total = total
            $0.confirmed = total
            $0.setPace(nil)
        }
        return total
    }

    private func verify(_ placement: DownloadPlacement, _ digest: [UInt8]?) {
        engine.shadow?.whole(self)
        if let digests = download.pieces, pieces?.checks?.isDone != true || pieces?.hasCut == true {
            return compareWhole(digests, placement.partial, total: placement.total) { [self] isRight in
                if isRight { verifyWhole(placement, nil) } else { verified(placement, partMismatch) }
            }
        }
        verifyWhole(placement, digest)
    }

    private func verifyWhole(_ placement: DownloadPlacement, _ digest: [UInt8]?) {
        // What one server says of its own bytes need not be proved; that of several addresses' must.
        guard let checksum = download.checksum ?? (sources.isMixed ? announced : nil) else {
            return engine.place(self, placement)
        }
        guard let digest else { return verifySlowly(checksum, placement) }
        verified(placement, Self.mismatch(address, checksum, digest))
    }

    /// Reads the file again, away from the queue, since that has no time limit. The open file is the one that is
    /// renamed later.
    private func verifySlowly(_ checksum: Checksum, _ placement: DownloadPlacement) {
        engine.update(id, .verifying) { $0.status = .verifying($0.status.note) }
        let partial = placement.partial
        engine.readFile(of: self) {
            FileDigest.compute(checksum.algorithm, of: partial.descriptor)
        } then: { [self] found in
            guard let found else {
                return engine.failed(self, TransferError(.cannotReadSource, file: .readAgain, path: partial.path))
            }
            verified(placement, Self.mismatch(address, checksum, found))
        }
    }

    private func verified(_ placement: DownloadPlacement, _ mismatch: TransferError?) {
        guard let mismatch else { return engine.place(self, placement) }
        // Another program's file under the partial name must stay.
        engine.onFiles(of: self, placement.partial.path, survivesStop: true) {
            PartialCheck.problem(with: placement.partial, holding: placement.total, isWhole: true)
        } then: { [self] found in
            if case .success(let problem?) = found { return lost(problem) }
            discardPartial()
            if !requestsAgain(after: mismatch) { engine.end(id, .failed, mismatch) }
        }
    }

    /// - Parameter isStored: whether the bytes are in a file, which is deleted.
    private static func mismatch(
        _ url: TransferURL, _ checksum: Checksum, _ found: [UInt8]?, isStored: Bool = true
    ) -> TransferError? {
        if found == checksum.bytes { return nil }
        return TransferError(
            ContentMismatch(isStored ? .download : .stream, expected: checksum, found: found), host: url.authority)
    }

    func placed(_ outcome: DownloadPlacement.Outcome, _ placement: DownloadPlacement) {
        if case .named = outcome { return engine.end(id, .completed, nil) }
        // It was not renamed, so no later process has to look for it under its final name.
        engine.journal.change(id) { $0.download = nil }
        switch outcome {
        case .named: break
        case .refused(let error):
            // Another program took the name while the file arrived. The search may not wait for a remote file system.
            let isTaken = error.systemErrno == EEXIST && mount?.isLocal != false
            if let free = isTaken
                ? admission?.claimOtherName() : admission?.claimAcceptedName(after: error.systemErrno)
            {
                var next = placement
                next.path = free
                engine.update(id) { $0.file = free }
                return engine.place(self, next)
            }
            if error.systemErrno == EEXIST, download.existing == .skips {
                discardPartial()
                return endUnfetched(file, .exists)
            }
            // Only for a small file is this found so late; it is not worth resuming.
            if error.systemErrno == EEXIST, engine.queue[id]?.total ?? .max < DownloadAdmission.smallBody {
                discardPartial()
            }
            engine.failed(self, error)
        case .lost(let error): lost(error)
        }
    }
}
