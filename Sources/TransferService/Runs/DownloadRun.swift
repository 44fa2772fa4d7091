// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

typealias HTTPMethod = HTTPRequest.Method

/// A download under way: its partial file, what is recorded of it, and how it comes to its name.
final class DownloadRun: Run, @unchecked Sendable {
    // Sendable: as Run.

    let download: Download
    var admission: DownloadAdmission?
    var files: KeptFiles?
    var kept = KeptBytes()
    /// When the partial file was last found to be in its place, on the scheduler's clock.
    var checkedAt = -Double.infinity
    /// The farthest position that any attempt has left behind: only beyond it is progress.
    private var farthest: Int64 = 0
    var responseNotice: String?
    private var bytesLeftBehind: String?

    /// What is known of the partial file beside its bytes.
    struct KeptBytes {
        /// When its record was written last, on the scheduler's clock.
        var recordedAt: Double?
        /// Bytes that are known to be on the disk itself.
        var syncedBytes: Int64 = 0
        /// Whether the present attempt asked to resume from them; false once the server has sent another version.
        var isBeingResumed = false
        /// Whether a record of an earlier attempt or process may lie beside the file.
        var mayHaveRecord = false
        /// The next attempt asks for the whole: its range was refused.
        var asksForWhole = false
        /// Why the attempt under way asked for the whole although bytes are kept.
        var restartCause: String?
        /// Whether the attempt under way has been checked for what its owner should know of the response.
        var isNoted = false
    }

    init(_ id: TransferID, _ description: Spec, _ download: Download, _ engine: Coordinator) {
        self.download = download
        super.init(id, description, engine)
    }

    override var file: String { admission?.path ?? super.file }
    override var notice: String? { responseNotice }
    override var leftBehind: String? { bytesLeftBehind }

    /// The unfinished file that is being written.
    var partial: PartialFile? { files?.current }

    override func letGo() {
        files?.unlock()
        files = nil
    }

    override func finish(_ state: TransferState) {
        // A file that has its final name needs no unlocking: nobody looks for it under the old one.
        if state == .completed { files?.removeOther() } else { files?.unlock() }
        files = nil
        // A queue that lives on may be asked for the same file again; whether it may be replaced, its description says.
        if state != .completed || engine.outlivesProcess, let path = admission?.path {
            engine.claims.release(path, by: id)
        }
    }

    override func discardIfEmpty() {
        if let partial, partial.length == 0 { discardPartial() }
    }

    // MARK: Beginning

    override func begin() throws {
        if let old = admission?.path { engine.claims.release(old, by: id) }
        let admission = DownloadAdmission(download, authority: description.url.authority, id: id, claims: engine.claims)
        self.admission = admission
        guard let partialPath = DownloadAdmission.partialPath(download.destination) else { return try beginStream() }
        if let path = admission.path, let checksum = download.checksum, DownloadAdmission.exists(path) {
            return compareExisting(path, checksum, partialPath)
        }
        if let path = admission.path, try endsAtOnce(path) { return }
        try beginFile(partialPath)
    }

    /// A file with the right sum is what was asked for; any other is as if no sum had been given.
    private func compareExisting(_ path: String, _ checksum: Checksum, _ partialPath: String) {
        engine.runInBackground(for: self) {
            FileDigest.compute(checksum.algorithm, path: path) == checksum.bytes
        } then: { [self] matches in
            if matches {
                let size = FileDigest.size(path)
                engine.update(id) {
                    $0.bytes = size
                    $0.total = size
                    $0.confirmed = size
                    $0.file = path
                }
                return engine.end(id, .completed, nil)
            }
            if !download.overwrites, download.existing == .skips {
                throw TransferError(
                    .checksumMismatch, "\(path): exists already, and its \(checksum.algorithm.rawValue) is another",
                    fields: .init(path: path, variant: .existingDiffers))
            }
            if case .file = download.destination, !download.overwrites, download.existing == .fails {
                throw DownloadAdmission.existsError(path)
            }
            try beginFile(partialPath)
        }
    }

    private func beginFile(_ partialPath: String) throws {
        let earlier = files
        let files = if let earlier { earlier } else { try open(partialPath) }
        self.files = files
        kept.mayHaveRecord = earlier != nil || files.hadBytes
        let asksForWhole = kept.asksForWhole || download.body != nil
        let resume = asksForWhole ? nil : files.choose(url: description.url.string, isRetry: earlier != nil)
        if !asksForWhole { kept.restartCause = resume == nil ? causeOfRestart(files) : nil }
        kept.asksForWhole = false
        if resume == nil { forgetVersion() }
        kept.isBeingResumed = resume != nil
        engine.update(id) {
            $0.bytes = resume?.offset ?? 0
            $0.confirmed = $0.bytes
            $0.total = resume?.total ?? $0.total
        }
        receive(.partial(files.current), resume)
    }

    /// - Throws: code `cannotWrite`; where another transfer of this queue writes it, naming that one.
    private func open(_ path: String) throws(TransferError) -> KeptFiles {
        do throws(TransferError) { return try KeptFiles(path: path) } catch {
            guard let other = engine.runs.values.first(where: { ($0 as? DownloadRun)?.files?.path == path }) else {
                throw error
            }
            throw TransferError(
                .cannotWrite, "\(file): transfer \(other.id) is writing this file; give one of them another name")
        }
    }

    /// Why bytes that are kept are not gone on from; `nil` where there are none.
    private func causeOfRestart(_ files: KeptFiles) -> String? {
        guard kept.mayHaveRecord, files.current.length > 0 else { return nil }
        let record = PartialRecord.load(PartialRecord.path(of: files.current.path))
        if let record, record.url != description.url.string {
            return "the bytes that are here came from another address"
        }
        return "the bytes that are here cannot be resumed: their server gave no strong validator"
    }

    /// What was written to a stream in an earlier try is part of it for good.
    private func beginStream() throws {
        guard case .stream(let descriptor) = download.destination else { return }
        let written = engine.queue[id]?.bytes ?? 0
        let resume = engine.journal.past(of: id)?.streamPoint
        guard written == 0 || resume?.offset == written else {
            throw TransferError(
                .partialFile,
                "\(description.url.authority): broke off after \(written) bytes; they "
                    + "cannot be taken back from the output, and the server gave no strong validator to go on from")
        }
        receive(.stream(descriptor: descriptor), resume)
    }

    private func receive(_ place: DownloadTarget.Place, _ resume: ResumePoint?) {
        guard let session = engine.session, let admission else { return }
        admission.began(as: resume?.contentType)
        kept.isNoted = false
        // A file whose checksum is known to be wrong is not asked about.
        let standing =
            download.existing == .updates && !download.overwrites && download.checksum == nil
            ? admission.path.flatMap { StandingFile($0) } : nil
        var target = DownloadTarget(
            place: place, resume: resume, copy: standing?.validator, body: download.body,
            digest: download.checksum?.algorithm
        ) { admission.judge($0) }
        if let files {
            target.replacement = { () throws(TransferError) -> PartialFile in try files.makeRoom() }
        }
        engine.launch(session.downloadTask(with: engine.request(for: self, method: .get), to: target), for: self)
    }

    // MARK: Ending

    override func launched() {
        // What is received within the first interval is checked when it is named.
        checkedAt = engine.scheduler.now
    }

    override func advanced(_ task: DownloadTask, to total: Int64) -> Bool {
        guard isIntact(task, holding: total) else { return false }
        checkpoint(task)
        return true
    }

    override func ended(_ task: TransferTask, _ error: TransferError?) {
        if let task = task as? DownloadTask { ended(task, error) }
    }

    private func ended(_ task: DownloadTask, _ error: TransferError?) {
        if let cause = unfetched(task, error) { return endUnfetched(file, cause) }
        guard let error = error.map({ explained($0, task) }) else {
            notice(task, .whole)
            return finishDownload(task)
        }
        // Only what lies beyond every earlier try counts: a server that ignores ranges sends the same bytes each time.
        let reached = task.resumePoint?.offset ?? 0
        hasProgressed = didMove && reached > farthest
        farthest = max(farthest, reached)
        if let trouble = trouble(task) { return lost(trouble) }
        bytesLeftBehind = whereBytesAre(task)
        keepPartial(task)
        // Once more, for the whole, which goes beside what is kept.
        if error.code == .rangeRefused { (kept.asksForWhole, kept.restartCause) = (true, error.message) }
        engine.judge(
            self, error, retryAfter: engine.retryAfter(task.response),
            isRepeatable: Coordinator.isRepeatable(description.options.method ?? .get))
    }

    /// With what the server says of its refusal.
    private func explained(_ error: TransferError, _ task: DownloadTask) -> TransferError {
        guard error.code == .httpStatus || error.code == .loginDenied, let head = task.response,
            !task.refusedBody.isEmpty
        else { return error }
        let said = ServerReason.text(of: task.refusedBody)
        return HTTPStatusError.make(head, authority: description.url.authority, said: said) ?? error
    }

    override func stopped(_ task: TransferTask, _ stop: Stop, _ error: TransferError?) {
        guard let task = task as? DownloadTask else { return super.stopped(task, stop, error) }
        if error == nil { return ended(task, nil) }
        let place = whereBytesAre(task)
        if let trouble = trouble(task) { forsake(trouble) }
        switch stop {
        case .cancel(let deletingPartial):
            if deletingPartial { engine.discardKept(id) } else { keepPartial(task) }
            if let place, !deletingPartial { engine.update(id) { $0.reason = place } }
            engine.end(id, .cancelled, nil)
        case .relocate:
            keepPartial(task)
            engine.beginAnew(self)
        case .lost(let error): lost(error)
        case .shutDown:
            keepPartial(task)
            engine.rests(self, at: place)
        }
    }
}
