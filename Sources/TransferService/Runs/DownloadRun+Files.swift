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
    /// - Returns: false where it does not; then the task is being ended: whatever it would still receive is lost.
    func isIntact(_ task: DownloadTask, holding position: Int64) -> Bool {
        guard let partial, stop == nil, engine.scheduler.now - checkedAt >= PartialCheck.interval else {
            return stop == nil
        }
        checkedAt = engine.scheduler.now
        guard let trouble = PartialCheck.trouble(with: partial, holding: position) else { return true }
        stop = .lost(trouble)
        task.cancel()
        return false
    }

    /// What another program did to the file that a task has written; `nil` where it is intact.
    func trouble(_ task: DownloadTask) -> TransferError? {
        guard let partial else { return nil }
        return PartialCheck.trouble(with: partial, holding: task.resumePoint?.offset ?? 0)
    }

    func lost(_ error: TransferError) {
        forsake(error)
        engine.update(id) {
            $0.rate = nil
            $0.eta = nil
        }
        engine.failed(self, error)
    }

    /// Removes the record, which no longer describes the file. Another program's file under the partial name stays.
    func forsake(_ trouble: TransferError) {
        guard let partial else { return }
        if trouble.code == .partialFile { return discardPartial() }
        PartialRecord.remove(partial.path)
        letGo()
        kept = .init()
        engine.update(id) {
            $0.bytes = 0
            $0.confirmed = 0
        }
    }
}

/// Downloads that need not fetch what is here already.
extension DownloadRun {
    enum Unfetched: String, Sendable {
        case exists = "exists already; skipped"
        case notModified = "not modified"
    }

    /// Completes without a byte from the server. What an earlier run kept of another version stays as it is.
    func endUnfetched(_ path: String, _ cause: Unfetched) {
        if let partial, partial.lengthAtOpening == 0 { discardPartial() }
        let size = FileDigest.size(path)
        engine.update(id) {
            $0.bytes = size
            $0.total = size
            $0.confirmed = size
            $0.file = path
        }
        engine.end(id, .completed, nil, note: cause.rawValue)
    }

    /// Decides before the first request.
    /// - Returns: whether the download has ended.
    /// - Throws: code `cannotWrite` where the name is taken and must not be replaced.
    func endsAtOnce(_ path: String) throws(TransferError) -> Bool {
        guard !download.overwrites, DownloadAdmission.exists(path) else { return false }
        let isFile = StandingFile(path) != nil
        switch download.existing {
        case .skips where isFile:
            endUnfetched(path, .exists)
            return true
        case .updates where isFile: return false
        case .fails, .skips, .updates:
            // In a folder, the server may propose a name that is free.
            guard case .file = download.destination else { return false }
            throw DownloadAdmission.existsError(path)
        }
    }

    /// - Returns: why the task ended without a file, where that is what was asked for.
    func unfetched(_ task: DownloadTask, _ error: TransferError?) -> Unfetched? {
        guard !download.overwrites else { return nil }
        if let cause = admission?.unfetched { return cause }
        return download.existing == .updates && error == nil && task.response?.status.code == 304 ? .notModified : nil
    }
}
