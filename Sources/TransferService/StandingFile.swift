// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// A regular file that bears a download's final name before the download begins.
struct StandingFile: Sendable, Equatable {
    var size: Int64
    /// Whole seconds since 1970.
    var modified: Int64

    /// `nil` where nothing bears the name, or something that is no regular file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
    }

    init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }

    /// What the server is asked to compare its version with. Fractions of a second are dropped, so a file that was written in
    /// the second of the server's version is not taken for older.
    var validator: Validator { Validator(lastModified: HTTPDate.format(modified)) }

    /// Whether a response that the server sent in spite of the question is the version that is here: not newer, and of the
    /// same size where the response says its size.
    func isCurrent(against head: HTTPResponse) -> Bool {
        guard head.status.code == 200, let date = head.headerFields.first(.lastModified).flatMap({ HTTPDate.parse($0) }),
            date <= modified else { return false }
        return head.headerFields.first(.contentLength).flatMap { Int64($0) }.map { $0 == size } ?? true
    }
}

/// Downloads that need not fetch what is here already.
extension Coordinator {
    enum Unfetched: String, Sendable {
        case exists = "exists already; skipped"
        case notModified = "not modified"
    }

    /// Completes without a byte from the server. What an earlier run kept of another version stays as it is.
    func endUnfetched(_ job: Job, _ path: String, _ cause: Unfetched) {
        if let partial = job.partial, partial.lengthAtOpening == 0 { discardPartial(job) }
        let size = FileDigest.size(path)
        note(job.id) { $0.bytes = size; $0.total = size; $0.confirmed = size; $0.file = path }
        end(job, .completed, nil, note: cause.rawValue)
    }

    /// Decides before the first request.
    /// - Returns: whether the download has ended.
    /// - Throws: code `cannotWrite` where the name is taken and must not be replaced.
    func endsAtOnce(_ job: Job, _ download: Download, _ path: String) throws(TransferError) -> Bool {
        guard !download.overwrites, DownloadAdmission.exists(path) else { return false }
        let isFile = StandingFile(path) != nil
        switch download.existing {
        case .skips where isFile:
            endUnfetched(job, path, .exists)
            return true
        case .updates where isFile: return false
        case .fails, .skips, .updates:
            // In a folder, the server may propose a name that is free.
            guard case .file = download.destination else { return false }
            throw DownloadAdmission.existsError(path)
        }
    }

    /// - Returns: why the task ended without a file, where that is what was asked for.
    func unfetched(_ job: Job, _ task: DownloadTask, _ error: TransferError?) -> Unfetched? {
        guard let download = job.download, !download.overwrites else { return nil }
        if let cause = job.admission?.unfetched { return cause }
        return download.existing == .updates && error == nil && task.response?.status.code == 304 ? .notModified : nil
    }
}
