// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

typealias HTTPMethod = HTTPRequest.Method

/// How downloads begin, and what is kept of them.
extension Coordinator {
    func startDownload(_ job: Job, _ download: DownloadDescription) throws {
        if let old = job.admission?.path { claims.release(old, by: job.id) }
        let admission = DownloadAdmission(download, authority: job.description.url.authority, id: job.id, claims: claims)
        job.admission = admission
        guard let partialPath = DownloadAdmission.partialPath(download.destination) else {
            return try startStream(job, download, admission)
        }
        if let path = admission.path, let checksum = download.checksum, DownloadAdmission.exists(path) {
            return compareExisting(job, path, checksum, partialPath)
        }
        if case .file(let path) = download.destination, !download.overwrites, DownloadAdmission.exists(path) {
            throw DownloadAdmission.existsError(path)
        }
        try startFile(job, download, partialPath)
    }

    /// A file with the right sum is what was asked for; any other is as if no sum had been given.
    private func compareExisting(_ job: Job, _ path: String, _ checksum: Checksum, _ partialPath: String) {
        elsewhere(job) {
            FileDigest.compute(checksum.algorithm, path: path) == checksum.bytes
        } then: { [self] matches in
            guard let download = job.download else { return }
            if matches {
                let size = FileDigest.size(path)
                note(job.id) { $0.bytes = size; $0.total = size; $0.confirmed = size; $0.file = path }
                return end(job, .completed, nil)
            }
            if case .file = download.destination, !download.overwrites { throw DownloadAdmission.existsError(path) }
            try startFile(job, download, partialPath)
        }
    }

    private func startFile(_ job: Job, _ download: DownloadDescription, _ partialPath: String) throws {
        let kept = job.partial
        let partial = if let kept { kept } else { try open(partialPath, for: job) }
        job.partial = partial
        job.kept.mayHaveRecord = kept != nil || partial.lengthAtOpening > 0
        let resume = PartialRecord.resumePoint(for: partial, url: job.description.url.string, isRetry: kept != nil)
        if resume == nil { forgetVersion(job) }
        job.kept.isBeingResumed = resume != nil
        note(job.id) { $0.bytes = resume?.offset ?? 0; $0.confirmed = $0.bytes; $0.total = resume?.total ?? $0.total }
        begin(job, download, place: .partial(partial), resume: resume)
    }

    /// - Throws: code `cannotWrite`; where another transfer of this queue writes it, naming that one.
    private func open(_ path: String, for job: Job) throws(TransferError) -> PartialFile {
        do throws(TransferError) { return try PartialFile(path: path) } catch {
            guard let other = jobs.values.first(where: { $0.partial?.path == path }) else { throw error }
            throw TransferError(.cannotWrite, "\(job.file): transfer \(other.id) is writing this file; give one of them another name")
        }
    }

    /// What was written to a stream in an earlier try is part of it for good.
    private func startStream(_ job: Job, _ download: DownloadDescription, _ admission: DownloadAdmission) throws {
        guard case .stream(let descriptor) = download.destination else { return }
        let written = queue[job.id]?.bytes ?? 0
        let resume = job.streamPoint
        guard written == 0 || resume?.offset == written else {
            throw TransferError(.partialFile, "\(job.description.url.authority): broke off after \(written) bytes; they "
                + "cannot be taken back from the output, and the server gave no strong validator to go on from")
        }
        begin(job, download, place: .stream(descriptor: descriptor), resume: resume)
    }

    private func begin(_ job: Job, _ download: DownloadDescription, place: DownloadTarget.Place, resume: ResumePoint?) {
        guard let session, let admission = job.admission else { return }
        let recorded = job.kept.mayHaveRecord ? job.partial?.path : nil
        let target = DownloadTarget(place: place, resume: resume, digest: download.checksum?.algorithm) { head in
            let verdict = admission.judge(head)
            // Before the first byte of another version is written, nothing may say any more that the file holds the old one.
            if verdict == .accept, head.status.code != 206, let recorded { PartialRecord.remove(recorded) }
            return verdict
        }
        run(session.downloadTask(with: request(for: job, method: .get), to: target), for: job)
    }

    // MARK: What is kept

    /// Writes down what the partial file holds.
    func record(_ job: Job, _ task: DownloadTask) {
        guard let partial = job.partial, let point = task.resumePoint else { return }
        job.kept.recordedAt = scheduler.now
        PartialRecord.save(ResumeData(
            url: job.description.url.string, validator: point.validator,
            ranges: ByteRangeSet(0..<min(job.kept.syncedBytes, point.offset)), total: point.total,
            partialPath: partial.path, bootID: BootID.current))
    }

    /// The first record is written as soon as there is something to keep; from then on, every half minute, bytes are synced
    /// first and then recorded as safe against a crash of the machine.
    func checkpoint(_ job: Job, _ task: DownloadTask) {
        guard let partial = job.partial else { return }
        if job.kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion(job) }
        guard let last = job.kept.recordedAt else { return record(job, task) }
        guard scheduler.now - last >= 30 else { return }
        job.kept.recordedAt = scheduler.now
        let reached = task.resumePoint?.offset ?? 0
        elsewhere(job) {
            fdatasync(partial.descriptor) == 0
        } then: { [self] isSynced in
            guard isSynced, job.task === task else { return }
            job.kept.syncedBytes = reached
            record(job, task)
        }
    }

    /// At the end of a try that did not finish: keep what can be gone on from, remove what cannot.
    func keepPartial(_ job: Job, _ task: DownloadTask) {
        guard let partial = job.partial else {
            job.streamPoint = task.resumePoint
            return
        }
        if job.kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion(job) }
        if task.resumePoint != nil { return record(job, task) }
        // What this transfer has not written may be somebody else's, of another address.
        if job.didMove || partial.lengthAtOpening == 0 { discardPartial(job) }
    }

    /// What was recorded and synced belongs to a version that is no longer in the file.
    private func forgetVersion(_ job: Job) {
        job.kept.isBeingResumed = false
        job.kept.recordedAt = nil
        job.kept.syncedBytes = 0
    }

    func discardPartial(_ job: Job) {
        guard let path = job.partial?.path ?? job.download.flatMap({ DownloadAdmission.partialPath($0.destination) }) else { return }
        // Only under the file's lock: another transfer may be writing it.
        guard job.partial != nil || (DownloadAdmission.exists(path) && (try? PartialFile(path: path)) != nil) else { return }
        PartialRecord.remove(path)
        unlink(path)
        job.dropPartial()
        job.kept = .init()
        note(job.id) { $0.bytes = 0; $0.confirmed = 0 }
    }
}
