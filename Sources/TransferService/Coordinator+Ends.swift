// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// What an end means: done, again later, or over.
extension Coordinator {
    /// All bytes of a download are here: check them, then give the file its name.
    func finishDownload(_ job: Job, _ task: DownloadTask) {
        guard let download = job.download else { return }
        let total = task.resumePoint?.offset ?? task.progress.resumedFrom + task.progress.received
        note(job.id) { $0.bytes = total; $0.total = total; $0.confirmed = total; $0.rate = nil; $0.eta = nil }
        let file = job.file
        note(job.id) { $0.file = file }
        guard let partial = job.partial else {
            let mismatch = download.checksum.flatMap { Self.mismatch(job.description.url, $0, task.digest) }
            return end(job, mismatch == nil ? .completed : .failed, mismatch)
        }
        let modified = task.response?.headerFields.first(.lastModified).flatMap { HTTPDate.parse($0) }
        let placement = DownloadPlacement(partial: partial, path: file,
                                          overwrites: download.overwrites || download.existing == .updates, modified: modified, total: total,
                                          mayHaveRecord: job.kept.recordedAt != nil || job.kept.mayHaveRecord)
        guard let checksum = download.checksum else { return place(job, placement) }
        guard let digest = task.digest else { return verifySlowly(job, checksum, placement) }
        verified(job, placement, Self.mismatch(job.description.url, checksum, digest))
    }

    /// Reading the file again takes as long as it takes: away from the queue. It is the open file that is read, which is the one that will
    /// be named.
    private func verifySlowly(_ job: Job, _ checksum: Checksum, _ placement: DownloadPlacement) {
        change(job.id, .verifying) { $0.state = .verifying }
        let partial = placement.partial
        elsewhere(job) {
            FileDigest.compute(checksum.algorithm, of: partial.descriptor)
        } then: { [self] found in
            guard let found else {
                return failed(job, TransferError(.cannotReadSource, "\(partial.path): cannot be read again for its sum"))
            }
            verified(job, placement, Self.mismatch(job.description.url, checksum, found))
        }
    }

    private func verified(_ job: Job, _ placement: DownloadPlacement, _ mismatch: TransferError?) {
        guard let mismatch else { return place(job, placement) }
        // Another program's file under the partial name is not to be deleted for it.
        if let trouble = PartialCheck.trouble(with: placement.partial, holding: placement.total, isWhole: true) { return lost(job, trouble) }
        discardPartial(job)
        end(job, .failed, mismatch)
    }

    private static func mismatch(_ url: TransferURL, _ checksum: Checksum, _ found: [UInt8]?) -> TransferError? {
        if found == checksum.bytes { return nil }
        return TransferError(.checksumMismatch, "\(url.authority): \(checksum.algorithm.rawValue) is "
            + "\(found.map { Hex.encode($0) } ?? "unknown"), expected \(checksum.hex); the file was not kept")
    }

    // MARK: Failures

    /// Decides what a failed try means.
    /// - Parameter isAfterWholeBody: of an upload that the server refused: it had taken all of it, and the next attempt sends all again.
    func judge(_ job: Job, _ error: TransferError, retryAfter: Double?, isRepeatable: Bool = true, isAfterWholeBody: Bool = false) {
        if error.fields.networkObstacle != nil, job.description.options.waitsForConnectivity == false { return failed(job, error) }
        if error.code == .hostNotResolved { return judgeName(job, error) }
        switch FailurePolicy.verdict(error).next {
        case .end: failed(job, error)
        case .pause where configuration.pausesOnFullDisk: pauseForRoom(job, error)
        case .pause: failed(job, error)
        case .restart:
            guard !job.hasRestarted else { return failed(job, error) }
            job.hasRestarted = true
            note(job.id) { $0.reason = "started from the first byte: \(error.message)" }
            retry(job, error, retryAfter: nil)
        case .wait where job.description.options.waitsForConnectivity == false: failed(job, error)
        case .retry, .wait:
            guard isRepeatable else { return failed(job, error) }
            job.refusals = isAfterWholeBody ? job.refusals + 1 : 0
            if job.refusals >= Self.maximumRefusals, job.description.options.retries == nil {
                var error = error
                error.message += " (given up after \(job.refusals) attempts)"
                return failed(job, error)
            }
            retry(job, error, retryAfter: retryAfter)
        }
    }

    /// Transports have one code for a name that does not exist and for a resolver that does not answer.
    private func judgeName(_ job: Job, _ error: TransferError) {
        let host = job.lastHost ?? job.description.url.host
        elsewhere(job) {
            NameCheck.ask(host)
        } then: { [self] answer in
            if answer != .doesNotExist { retry(job, error, retryAfter: nil) } else { failed(job, error) }
        }
    }

    /// The task was paused or cancelled while this was being found out: then there is nothing to do.
    private var unsettled: Set<TransferState> { [.running, .waiting, .retrying, .verifying] }

    func failed(_ job: Job, _ error: TransferError) {
        job.lastError = error
        guard let state = queue[job.id]?.state, unsettled.contains(state) || state == .paused else { return }
        if let partial = job.partial, partial.length == 0 { discardPartial(job) }
        if !ask(job, error) { end(job, .failed, error) }
    }

    private func pauseForRoom(_ job: Job, _ error: TransferError) {
        job.dropPartial()
        job.pausedAt = scheduler.now
        change(job.id, .paused) { transfer in
            transfer.state = .paused
            transfer.reason = error.message
            transfer.advice = "free some space where the file is written, then resume it"
            (transfer.rate, transfer.eta) = (nil, nil)
        }
        startWhatMay()
    }

    /// Whole bodies that are sent to a server that refuses each of them, where nobody has said how many.
    private static let maximumRefusals = 5

    private func retry(_ job: Job, _ error: TransferError, retryAfter: Double?) {
        let verdict = FailurePolicy.verdict(error)
        if job.hasProgressed { job.failures = 0 }
        if verdict.countsAttempt { job.failures += 1 }
        job.lastError = error
        let isCostly = job.refusals > 0 && isDurable
        let delay = (isCostly ? costlyBackoff : backoff).delay(afterFailures: isCostly ? job.refusals : job.failures,
                                                               random: configuration.jitter(), retryAfter: retryAfter)
        let next = scheduler.now + delay
        if let allowed = job.description.options.retries, job.failures > allowed { return failed(job, error) }
        if let deadline = job.deadline, next >= deadline { return failed(job, error) }
        guard queue[job.id]?.state != .paused else { return }
        let wallTime = scheduler.wallNow + delay
        change(job.id, .retrying) { transfer in
            transfer.state = .retrying
            transfer.reason = error.message
            transfer.retryAt = wallTime
            transfer.attempt += 1
            transfer.rate = nil
            transfer.eta = nil
        }
        let hopes = retryAfter == nil && verdict.mayBePath
        job.retry = Job.Retry(failedAt: scheduler.now, time: next, hopesForPath: hopes)
        if hopes { observePath() }
        startRetry(of: job, at: next)
        startWhatMay()
    }

    /// Lets the next try begin at `time`, unless another start has come before it.
    func startRetry(of job: Job, at time: Double) {
        let (id, generation) = (job.id, job.generation)
        scheduler.schedule(at: time) { [self] in
            work.async { [self] in
                guard let job = jobs[id], job.generation == generation else { return }
                note(id) { if $0.state == .retrying { $0.state = .queued } }
                startWhatMay()
            }
        }
    }
}
