// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

typealias HTTPMethod = HTTPRequest.Method

/// How downloads begin, and what is kept of them.
extension Coordinator {
    func startDownload(_ job: Job, _ download: Download) throws {
        if let old = job.admission?.path { claims.release(old, by: job.id) }
        let admission = DownloadAdmission(download, authority: job.description.url.authority, id: job.id, claims: claims)
        job.admission = admission
        guard let partialPath = DownloadAdmission.partialPath(download.destination) else {
            return try startStream(job, download, admission)
        }
        if let path = admission.path, let checksum = download.checksum, DownloadAdmission.exists(path) {
            return compareExisting(job, path, checksum, partialPath)
        }
        if let path = admission.path, try endsAtOnce(job, download, path) { return }
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
            if !download.overwrites, download.existing == .skips {
                throw TransferError(.checksumMismatch, "\(path): exists already, and its \(checksum.algorithm.rawValue) is another; "
                    + "use --overwrite to replace it")
            }
            if case .file = download.destination, !download.overwrites, download.existing == .fails { throw DownloadAdmission.existsError(path) }
            try startFile(job, download, partialPath)
        }
    }

    private func startFile(_ job: Job, _ download: Download, _ partialPath: String) throws {
        let earlier = job.files
        let files = if let earlier { earlier } else { try open(partialPath, for: job) }
        job.files = files
        job.kept.mayHaveRecord = earlier != nil || files.hadBytes
        let asksForWhole = job.kept.asksForWhole || download.body != nil
        let resume = asksForWhole ? nil : files.choose(url: job.description.url.string, isRetry: earlier != nil)
        if !asksForWhole { job.kept.restartCause = resume == nil ? causeOfRestart(files, job) : nil }
        job.kept.asksForWhole = false
        if resume == nil { forgetVersion(job) }
        job.kept.isBeingResumed = resume != nil
        note(job.id) { $0.bytes = resume?.offset ?? 0; $0.confirmed = $0.bytes; $0.total = resume?.total ?? $0.total }
        begin(job, download, place: .partial(files.current), resume: resume)
    }

    /// - Throws: code `cannotWrite`; where another transfer of this queue writes it, naming that one.
    private func open(_ path: String, for job: Job) throws(TransferError) -> KeptFiles {
        do throws(TransferError) { return try KeptFiles(path: path) } catch {
            guard let other = jobs.values.first(where: { $0.files?.path == path }) else { throw error }
            throw TransferError(.cannotWrite, "\(job.file): transfer \(other.id) is writing this file; give one of them another name")
        }
    }

    /// Why bytes that are kept are not gone on from; `nil` where there are none.
    private func causeOfRestart(_ files: KeptFiles, _ job: Job) -> String? {
        guard job.kept.mayHaveRecord, files.current.length > 0 else { return nil }
        let record = PartialRecord.load(PartialRecord.path(of: files.current.path))
        if let record, record.url != job.description.url.string { return "the bytes that are here came from another address" }
        return "the bytes that are here cannot be resumed: their server gave no strong validator"
    }

    /// What was written to a stream in an earlier try is part of it for good.
    private func startStream(_ job: Job, _ download: Download, _ admission: DownloadAdmission) throws {
        guard case .stream(let descriptor) = download.destination else { return }
        let written = queue[job.id]?.bytes ?? 0
        let resume = job.streamPoint
        guard written == 0 || resume?.offset == written else {
            throw TransferError(.partialFile, "\(job.description.url.authority): broke off after \(written) bytes; they "
                + "cannot be taken back from the output, and the server gave no strong validator to go on from")
        }
        begin(job, download, place: .stream(descriptor: descriptor), resume: resume)
    }

    private func begin(_ job: Job, _ download: Download, place: DownloadTarget.Place, resume: ResumePoint?) {
        guard let session, let admission = job.admission else { return }
        admission.began(as: resume?.contentType)
        job.kept.isNoted = false
        // A file whose checksum is known to be wrong is not asked about.
        let standing = download.existing == .updates && !download.overwrites && download.checksum == nil
            ? admission.path.flatMap { StandingFile($0) } : nil
        var target = DownloadTarget(place: place, resume: resume, copy: standing?.validator, body: download.body,
                                    digest: download.checksum?.algorithm) { admission.judge($0) }
        if let files = job.files {
            target.replacement = { () throws(TransferError) -> PartialFile in try files.makeRoom() }
        }
        run(session.downloadTask(with: request(for: job, method: .get), to: target), for: job)
    }

    // MARK: What is kept

    /// Writes down what the partial file holds.
    func record(_ job: Job, _ task: DownloadTask) {
        // The version first: a point of an earlier one is then refused.
        guard let files = job.files else { return }
        let version = files.version
        guard let point = task.resumePoint else { return }
        job.kept.recordedAt = scheduler.now
        files.save(ResumeData(
            url: job.description.url.string, validator: point.validator,
            ranges: ByteRangeSet(0..<min(job.kept.syncedBytes, point.offset)), total: point.total,
            partialPath: version.file.path, bootID: BootID.current, contentType: point.contentType,
            contentEncoding: point.contentEncoding), of: version)
    }

    /// The first record is written as soon as there is something to keep; from then on, every half minute, bytes are synced
    /// first and then recorded as safe against a crash of the machine.
    func checkpoint(_ job: Job, _ task: DownloadTask) {
        notice(job, task)
        guard let files = job.files else { return }
        if job.kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion(job) }
        guard let last = job.kept.recordedAt else { return record(job, task) }
        guard scheduler.now - last >= 30 else { return }
        job.kept.recordedAt = scheduler.now
        let version = files.version
        let reached = task.resumePoint?.offset ?? 0
        elsewhere(job) {
            fdatasync(version.file.descriptor) == 0
        } then: { [self] isSynced in
            guard isSynced, job.task === task, job.files?.version.number == version.number else { return }
            job.kept.syncedBytes = reached
            record(job, task)
        }
    }

    /// At the end of a try that did not finish: what has arrived stays, and is recorded where it can be resumed.
    func keepPartial(_ job: Job, _ task: DownloadTask) {
        notice(job, task, .brokenOff)
        guard let partial = job.partial else {
            job.streamPoint = task.resumePoint
            return
        }
        if job.kept.isBeingResumed, task.progress.resumedFrom == 0 { forgetVersion(job) }
        if partial.length == 0 { return discardPartial(job) }
        // Where nothing moved, what is recorded is still so.
        if job.didMove { record(job, task) }
    }

    // MARK: What its owner should know

    /// How far a response is that its owner should know something of.
    enum Stage { case arriving, whole, brokenOff }

    /// Reports, once for each version, that another one is being written than the one whose bytes are kept; notes, once for each
    /// try, what the response means beyond its bytes.
    func notice(_ job: Job, _ task: DownloadTask, _ stage: Stage = .arriving) {
        let superseded = job.files?.takeSuperseded()
        if let superseded {
            forgetVersion(job)
            let cause = task.restartReason ?? job.kept.restartCause ?? "the bytes that are here cannot be resumed"
            note(job.id) { transfer in
                transfer.reason = "started from the first byte: \(cause); \(Self.name(superseded.path)) keeps its "
                    + "\(superseded.bytes) bytes until the new version is whole"
            }
        }
        if stage != .brokenOff { noticeForm(job, task, isWhole: stage == .whole) }
        if superseded != nil { tell(.restarted, job.id) }
    }

    /// No resuming, or a coding that was not asked for.
    private func noticeForm(_ job: Job, _ task: DownloadTask, isWhole: Bool) {
        guard !job.kept.isNoted, let head = task.response else { return }
        job.kept.isNoted = true
        job.notice = codingNotice(head, job)
        let progress = task.progress
        // What is here already need not be resumed; what is to be known of the file is said at its end.
        guard !isWhole, progress.expectedToReceive.map({ progress.resumedFrom + progress.received < $0 }) ?? true else { return }
        var reasons = [job.notice].compactMap { $0 }
        if job.files != nil, !allowsResuming(task) { reasons.append("this server does not allow resuming") }
        guard !reasons.isEmpty else { return }
        note(job.id) { $0.reason = ([$0.reason].compactMap { $0 } + reasons).joined(separator: "; ") }
    }

    /// Where the bytes are of a download that was stopped and cannot be resumed; `nil` for any other.
    func whereBytesAre(_ job: Job, _ task: DownloadTask) -> String? {
        guard job.didMove, let partial = job.partial, partial.length > 0, !allowsResuming(task) else { return nil }
        return "\(partial.length) bytes are in \(Self.name(partial.path)); this server does not allow resuming them"
    }

    private func allowsResuming(_ task: DownloadTask) -> Bool {
        task.resumePoint != nil && task.response?.headerFields.first(.acceptRanges)?.lowercased() != "none"
    }

    /// A file whose name says how it is coded is what it says it is.
    private func codingNotice(_ head: HTTPResponse, _ job: Job) -> String? {
        guard let coding = head.contentCoding, !job.description.options.headers.contains(where: { $0.name == .acceptEncoding })
        else { return nil }
        let endings = ["gzip": ["gz", "tgz", "svgz"], "br": ["br"], "zstd": ["zst", "tzst"], "compress": ["z"], "deflate": ["zz"]]
        let ending = job.file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if endings[coding]?.contains(ending) == true { return nil }
        return "the server encoded it without being asked (Content-Encoding: \(TextLine.first(of: coding))); the file is saved as it came"
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What was recorded and synced belongs to a version that is no longer in the file.
    private func forgetVersion(_ job: Job) {
        job.kept.isBeingResumed = false
        job.kept.recordedAt = nil
        job.kept.syncedBytes = 0
    }

    /// Removes the file of the version under way; what is kept of another one stays.
    func discardPartial(_ job: Job) {
        guard let files = job.files else { return }
        files.removeCurrent()
        forgetFiles(job)
    }

    /// Removes all that is kept, as the transfer's owner asked.
    func discardKept(_ job: Job) {
        guard let path = job.files?.path ?? job.download.flatMap({ DownloadAdmission.partialPath($0.destination) }) else { return }
        if let files = job.files {
            files.removeAll()
        } else {
            // Only under the file's lock: another transfer may be writing it.
            guard DownloadAdmission.exists(path) || DownloadAdmission.exists(path + KeptFiles.newSuffix),
                let files = try? KeptFiles(path: path) else { return }
            files.removeAll()
        }
        forgetFiles(job)
    }

    private func forgetFiles(_ job: Job) {
        job.dropPartial()
        job.kept = .init()
        note(job.id) { $0.bytes = 0; $0.confirmed = 0 }
    }
}
