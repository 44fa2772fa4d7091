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
        let isStillRunning = task.state == .running
        if isStillRunning { checkpoint(job, task) }
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
        guard let job = owner(of: task), job.answer.count < 4096 else { return }
        job.answer += bytes.prefix(4096 - job.answer.count)
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
        if queue[job.id]?.session != nil, let head = task.response {
            job.responseFields = head.headerFields.map { SessionEvent.Field(name: $0.name.rawName, value: $0.value) }
        }
        note(job.id) { $0.status = task.response?.status.code ?? $0.status }
        if let stop = job.stop { return stopped(job, task, stop, error) }
        switch task {
        case let download as DownloadTask: downloadEnded(job, download, error)
        case let upload as UploadTask: uploadEnded(job, upload, error)
        default: sessionAnswered(job, task, error)
        }
    }

    /// The task was ended from here; it may have succeeded a moment before.
    private func stopped(_ job: Job, _ task: TransferTask, _ stop: Job.Stop, _ error: TransferError?) {
        job.stop = nil
        defer { tellStopped() }
        if error == nil, let download = task as? DownloadTask { return downloadEnded(job, download, nil) }
        if error == nil, let upload = task as? UploadTask, isAccepted(upload, job) { return uploadEnded(job, upload, nil) }
        switch stop {
        case .cancel(let deletingPartial):
            if deletingPartial { discardPartial(job) } else if let download = task as? DownloadTask { keepPartial(job, download) }
            end(job, .cancelled, nil)
        case .relocate:
            if let download = task as? DownloadTask { keepPartial(job, download) }
            beginAnew(job)
        case .shutDown:
            if let download = task as? DownloadTask { keepPartial(job, download) }
            if journal != nil { return rests(job) }
            end(job, .cancelled, TransferError(.interrupted, "interrupted"))
        }
    }

    /// Whether the server has the bytes: any other answer is none that a transfer would go on for that is to be ended.
    private func isAccepted(_ upload: UploadTask, _ job: Job) -> Bool {
        upload.response.map { HTTPStatusError.make($0, authority: job.description.url.authority) == nil } ?? false
    }

    private func downloadEnded(_ job: Job, _ task: DownloadTask, _ error: TransferError?) {
        if let reason = task.restartReason { note(job.id) { $0.reason = "started from the first byte: \(reason)" } }
        guard let error else { return finishDownload(job, task) }
        // Only what lies beyond every earlier try counts: a server that ignores ranges sends the same bytes each time.
        let reached = task.resumePoint?.offset ?? 0
        job.hasProgressed = job.didMove && reached > job.farthest
        job.farthest = max(job.farthest, reached)
        if error.code == .rangeRefused { discardPartial(job) } else { keepPartial(job, task) }
        let head = task.response
        let status = error.code == .httpStatus || error.code == .loginDenied ? head?.status.code : nil
        judge(job, error, status: status, retryAfter: retryAfter(head),
              isRepeatable: Self.isRepeatable(job.description.options.method ?? .get))
    }

    /// RFC 9110, section 9.2.2: sending it again changes nothing more.
    private static func isRepeatable(_ method: HTTPMethod) -> Bool {
        [.get, .head, .put, .delete, .options].contains(method)
    }

    private func uploadEnded(_ job: Job, _ task: UploadTask, _ error: TransferError?) {
        let head = task.response
        let said = TextCleaner.firstLine(job.answer)
        let failure = error ?? head.flatMap {
            HTTPStatusError.make($0, authority: job.description.url.authority, said: said)
        }
        if let failure {
            let isRepeatable = canRepeat(job, task)
            return judge(job, failure, status: error == nil ? head?.status.code : nil, retryAfter: retryAfter(head),
                         isRepeatable: isRepeatable)
        }
        if let checksum = job.upload?.checksum, task.digest != checksum.bytes {
            return failed(job, TransferError(.checksumMismatch, "\(job.file): what was sent does not have the sum "
                + "\(checksum); the server has a file that you did not mean"))
        }
        let sent = task.progress.sent
        note(job.id) { $0.bytes = sent; $0.total = sent; $0.confirmed = sent }
        end(job, .completed, nil)
    }

    /// Whether sending again can neither store twice nor miss bytes: a method that may be repeated, FileQ's key, or
    /// nothing sent; and a source that can be read again.
    private func canRepeat(_ job: Job, _ task: UploadTask) -> Bool {
        guard let upload = job.upload else { return false }
        let hasSentNothing = job.metrics.bodySent == job.earlier.bodySent && task.progress.sent == 0
        if case .stream = upload.source, !hasSentNothing || job.didMove { return false }
        if case .fileQ = upload.form { return true }
        return Self.isRepeatable(job.description.options.method ?? .put) || (hasSentNothing && !job.didMove)
    }

    private func retryAfter(_ head: HTTPResponse?) -> Double? {
        guard let text = head?.headerFields[.retryAfter] else { return nil }
        if let seconds = Double(text), seconds >= 0 { return min(seconds, 86_400) }
        return HTTPDate.parse(text, now: Int64(scheduler.wallNow)).map { max(0, min(Double($0) - scheduler.wallNow, 86_400)) }
    }
}

/// Text of an answer's body, for a message.
enum TextCleaner {
    /// The first line with something in it, without control characters; empty for markup and for what is no text.
    static func firstLine(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.drop(while: \.isWhitespace).hasPrefix("<") else { return "" }
        return TextLine.first(of: text)
    }
}
