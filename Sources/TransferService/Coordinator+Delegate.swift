// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferControl
import TransferModel

/// What the session tells: progress becomes records, ends become decisions.
extension Coordinator: TransferDataDelegate, TransferDownloadDelegate {
    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {
        guard let job = owner(of: task) else { return }
        if let wait { waits(job, wait) } else { goesOn(job, task) }
    }

    func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?) {
        guard let job = owner(of: task) else { return }
        warnOfClearPassword(task)
        moved(job, to: total, total: expected, confirmed: 0)
    }

    func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?) {
        guard let job = owner(of: task) else { return }
        job.meter.start(offset, at: scheduler.now)
        note(job.id) { $0.bytes = offset; $0.confirmed = offset; $0.total = expected ?? $0.total }
        job.beganAt = offset
        if queue[job.id]?.state == .running { tell(.resumed, job.id) }
    }

    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?) {
        guard let job = owner(of: task) else { return }
        warnOfClearPassword(task)
        let isStillRunning = task.state == .running
        if isStillRunning {
            guard isIntact(job, task, holding: total) else { return }
            checkpoint(job, task)
        }
        moved(job, to: total, total: expected, confirmed: total, isLast: !isStillRunning)
    }

    private func moved(_ job: Job, to position: Int64, total: Int64?, confirmed: Int64, isLast: Bool = false) {
        job.didMove = true
        job.meter.note(position, at: scheduler.now)
        note(job.id) { transfer in
            transfer.bytes = position
            transfer.total = total
            transfer.confirmed = confirmed
            // What was on its way when it was paused says nothing of a rate.
            guard transfer.state == .running else { return }
            transfer.rate = job.meter.rate
            transfer.eta = total.flatMap { job.meter.eta(remaining: $0 - position) }
        }
        // The end of a try tells the last count itself.
        if !isLast, queue[job.id]?.state == .running { tell(.progress, job.id) }
    }

    /// An upload's answer is kept for its first words alone.
    func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
        guard let job = owner(of: task), job.answer.count < ServerReason.limit else { return }
        job.answer += bytes.prefix(ServerReason.limit - job.answer.count)
    }

    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
        guard let job = owner(of: task) else { return }
        job.metrics = metrics
        job.latest = metrics
        job.metrics.include(earlier: job.earlier)
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        guard let job = owner(of: task) else { return }
        release(task, of: job)
        job.lastHost = task.currentURL.host
        keepLogins(job, task)
        warnOfClearPassword(task)
        if queue[job.id]?.session != nil, let head = task.response {
            job.responseFields = head.headerFields.map { SessionEvent.Field(name: $0.name.rawName, value: $0.value) }
        }
        note(job.id) { $0.status = task.response?.status.code ?? $0.status }
        if let stop = job.stop { return stopped(job, task, stop, error) }
        switch task {
        case let download as DownloadTask: downloadEnded(job, download, error)
        case let upload as UploadTask: uploadEnded(job, upload, error)
        case _ where job.folders != nil: folderAnswered(job, task, error)
        default: sessionAnswered(job, task, error)
        }
    }

    /// The task was ended from here; it may have succeeded a moment before.
    private func stopped(_ job: Job, _ task: TransferTask, _ stop: Job.Stop, _ error: TransferError?) {
        job.stop = nil
        defer { tellStopped() }
        if error == nil, let download = task as? DownloadTask { return downloadEnded(job, download, nil) }
        let place = (task as? DownloadTask).flatMap { whereBytesAre(job, $0) }
        if error == nil, let upload = task as? UploadTask, isAccepted(upload, job) { return uploadEnded(job, upload, nil) }
        if let trouble = trouble(job, task) { forsake(job, trouble) }
        switch stop {
        case .cancel(let deletingPartial):
            if deletingPartial { discardKept(job) } else if let download = task as? DownloadTask { keepPartial(job, download) }
            if let place, !deletingPartial { note(job.id) { $0.reason = place } }
            end(job, .cancelled, nil)
        case .relocate:
            if let download = task as? DownloadTask { keepPartial(job, download) }
            beginAnew(job)
        case .lost(let error): lost(job, error)
        case .shutDown:
            if let download = task as? DownloadTask { keepPartial(job, download) }
            if journal != nil { return rests(job) }
            if let place { note(job.id) { $0.reason = place } }
            end(job, .cancelled, TransferError(.interrupted, "interrupted"))
        }
    }

    /// Whether the server has the bytes: any other answer is none that a transfer would go on for that is to be ended.
    private func isAccepted(_ upload: UploadTask, _ job: Job) -> Bool {
        upload.response.map { HTTPStatusError.make($0, authority: job.description.url.authority) == nil } ?? false
    }

    private func downloadEnded(_ job: Job, _ task: DownloadTask, _ error: TransferError?) {
        if let cause = unfetched(job, task, error) { return endUnfetched(job, job.file, cause) }
        guard let error = error.map({ explained($0, job, task) }) else {
            notice(job, task, .whole)
            return finishDownload(job, task)
        }
        // Only what lies beyond every earlier try counts: a server that ignores ranges sends the same bytes each time.
        let reached = task.resumePoint?.offset ?? 0
        job.hasProgressed = job.didMove && reached > job.farthest
        job.farthest = max(job.farthest, reached)
        if let trouble = trouble(job, task) { return lost(job, trouble) }
        job.leftBehind = whereBytesAre(job, task)
        keepPartial(job, task)
        // Once more, for the whole, which goes beside what is kept.
        if error.code == .rangeRefused { (job.kept.asksForWhole, job.kept.restartCause) = (true, error.message) }
        judge(job, error, retryAfter: retryAfter(task.response),
              isRepeatable: Self.isRepeatable(job.description.options.method ?? .get))
    }

    /// With what the server says of its refusal.
    private func explained(_ error: TransferError, _ job: Job, _ task: DownloadTask) -> TransferError {
        guard error.code == .httpStatus || error.code == .loginDenied, let head = task.response, !task.refusedBody.isEmpty else { return error }
        let said = ServerReason.text(of: task.refusedBody)
        return HTTPStatusError.make(head, authority: job.description.url.authority, said: said) ?? error
    }

    /// RFC 9110, section 9.2.2: sending it again changes nothing more.
    static func isRepeatable(_ method: HTTPMethod) -> Bool {
        [.get, .head, .put, .delete, .options].contains(method)
    }

    func retryAfter(_ head: HTTPResponse?) -> Double? {
        guard let text = head?.headerFields[.retryAfter] else { return nil }
        if let seconds = Double(text), seconds >= 0 { return min(seconds, 86_400) }
        return HTTPDate.parse(text, now: Int64(scheduler.wallNow)).map { max(0, min(Double($0) - scheduler.wallNow, 86_400)) }
    }
}
