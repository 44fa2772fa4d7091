// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// Partial files that another program changed.
extension DownloadRun {
    /// Checks at most every ``PartialCheck/interval`` whether the partial name still leads to the open file, with all
    /// its bytes.
    /// - Returns: false if it does not; then the task is being ended, since further bytes would be lost.
    func isIntact(_ task: DownloadTask, holding position: Int64) -> Bool {
        guard let partial, stop == nil, engine.scheduler.now - checkedAt >= PartialCheck.interval else {
            return stop == nil
        }
        checkedAt = engine.scheduler.now
        engine.onFiles(of: self, partial.path) {
            PartialCheck.problem(with: partial, holding: position)
        } then: { [self] found in
            // Of a folder that does not respond nothing is known.
            guard case .success(let problem?) = found, self.task === task, stop == nil else { return }
            stop = .lost(problem)
            task.cancel()
        }
        return stop == nil
    }

    // MARK: Another name

    /// Whether files are open, or are being opened or checked.
    var hasFiles: Bool { files != nil || isOnFiles || stopping != nil }

    /// Releases files that have another name in the spec by now.
    func releaseIfMoved() {
        if let files, files.path != DownloadAdmission.partialPath(download.destination) { releaseFiles() }
    }

    /// The same, unless what is under way does it later.
    func releaseIfIdle() { if !isOnFiles, stopping == nil { releaseIfMoved() } }

    /// Renames unlocked files to where the spec has them.
    func moveFiles(from old: String?) {
        guard let old, let new = DownloadAdmission.partialPath(download.destination), new != old else { return }
        let move = PartialMove(from: old, to: new)
        let sharing = engine.sharing(of: id, at: old)
        engine.onFiles(at: old, mount) { move.carryOut(leaving: sharing) }
    }

    // MARK: Ends of attempts

    /// What an attempt leaves.
    struct Left: Sendable {
        /// What another program did to the file; `nil` if it is intact.
        var problem: TransferError?
        /// Of the partial file; `nil` if the folder does not respond.
        var length: Int64?
    }

    /// Checks what the task of an attempt has left, which has ended.
    func inspect(_ task: DownloadTask, then proceed: @escaping @EngineActor @Sendable (Left) -> Void) {
        guard let partial else { return proceed(Left(length: 0)) }
        isOnFiles = true
        guard let pieces, pieces.isRecorded, arePiecesCurrent else {
            return inspect(partial, holding: task.resumePoint?.offset ?? 0, then: proceed)
        }
        recordPieces { [self] in inspect(partial, holding: pieces.reach, then: proceed) }
    }

    private func inspect(
        _ partial: PartialFile, holding offset: Int64, then proceed: @escaping @EngineActor @Sendable (Left) -> Void
    ) {
        engine.onFiles(of: self, partial.path, survivesStop: true) {
            Left(problem: PartialCheck.problem(with: partial, holding: offset), length: partial.length)
        } then: { [self] found in
            // What follows decides on the next attempt.
            (isOnFiles, beginsAfterFiles) = (false, false)
            var left = (try? found.get()) ?? Left()
            left.problem = left.problem ?? kept.lost
            proceed(left)
            engine.notifyStopWaiters()
        }
    }

    func lost(_ error: TransferError) {
        forsake(error)
        engine.update(id) { $0.setPace(nil) }
        engine.failed(self, error)
    }

    /// Removes the record, which no longer describes the file. Another program's file under the partial name stays.
    func forsake(_ problem: TransferError) {
        guard let partial else { return }
        if [.partialFile, .checksumMismatch].contains(problem.code) || problem == kept.lost { return discardPartial() }
        onFiles { _ in PartialRecord.remove(partial.path) }
        releaseFiles()
        kept = .init()
        pieces = nil
        engine.update(id) {
            $0.bytes = 0
            $0.confirmed = 0
        }
    }
}

/// Downloads whose file exists already.
extension DownloadRun {
    enum Unfetched: Sendable {
        case exists, notModified
    }

    /// Completes without a byte from the server. Partial data of another version stays.
    func endUnfetched(_ path: String, _ cause: Unfetched) {
        if let partial, partial.lengthAtOpening == 0 { discardPartial() }
        engine.onFiles(of: self, path, survivesStop: true) {
            FileDigest.size(path)
        } then: { [self] size in
            endUnfetched(path, cause, size: (try? size.get()) ?? 0)
        }
    }

    func endUnfetched(_ path: String, _ cause: Unfetched, size: Int64) {
        engine.update(id) {
            $0.bytes = size
            $0.total = size
            $0.confirmed = size
            $0.file = path
        }
        engine.end(id, .completed, nil, note: cause == .exists ? .skipped : .notModified)
    }

    /// - Returns: why the task ended without a file, if that was requested.
    func unfetched(_ task: DownloadTask, _ error: TransferError?) -> Unfetched? {
        guard !download.overwrites else { return nil }
        if let cause = admission?.unfetched { return cause }
        return download.existing == .updates && error == nil && task.response?.status.code == 304 ? .notModified : nil
    }
}
