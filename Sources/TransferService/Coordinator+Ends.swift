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
        if let partial = job.partial, partial.length != total {
            return failed(job, TransferError(.partialFile, "\(partial.path): holds \(partial.length) bytes instead of \(total); "
                + "something else has written it"))
        }
        let file = job.file
        note(job.id) { $0.file = file }
        guard let partial = job.partial else {
            let mismatch = download.checksum.flatMap { Self.mismatch(job.description.url, $0, task.digest) }
            return end(job, mismatch == nil ? .completed : .failed, mismatch)
        }
        let modified = task.response?.headerFields.first(.lastModified).flatMap { HTTPDate.parse($0) }
        let placement = DownloadPlacement(partial: partial, path: file, overwrites: download.overwrites, modified: modified)
        guard download.checksum == nil || task.digest != nil, !download.syncs else {
            return verifySlowly(job, download, placement, digest: task.digest)
        }
        if let checksum = download.checksum, let error = Self.mismatch(job.description.url, checksum, task.digest) {
            discardPartial(job)
            return end(job, .failed, error)
        }
        give(job, placement, total: total)
    }

    /// Reading the file again, or syncing it, takes as long as it takes: away from the queue.
    private func verifySlowly(_ job: Job, _ download: DownloadDescription, _ placement: DownloadPlacement, digest: [UInt8]?) {
        change(job.id, .verifying) { $0.state = .verifying }
        guard let journal, let transfer = queue[job.id], let total = transfer.total else {
            return verifyAndPlace(job, download, placement, digest)
        }
        let (generation, work) = (job.generation, work)
        journal.intend(transfer, job, placement.partial, total: total, synced: download.syncs) { [self] in
            work.async { [self] in
                guard job.generation == generation else { return }
                verifyAndPlace(job, download, placement, digest)
            }
        }
    }

    /// Gives a checked file its name; where there is a journal, it says beforehand which file will bear it.
    private func give(_ job: Job, _ placement: DownloadPlacement, total: Int64) {
        guard let journal else { return placed(job, placement.place()) }
        note(job.id) { $0.state = .verifying }
        guard let transfer = queue[job.id] else { return }
        let (generation, work) = (job.generation, work)
        journal.intend(transfer, job, placement.partial, total: total, synced: false) { [self] in
            work.async { [self] in
                guard job.generation == generation, queue[job.id]?.state == .verifying else { return }
                placed(job, placement.place())
            }
        }
    }

    private func verifyAndPlace(_ job: Job, _ download: DownloadDescription, _ placement: DownloadPlacement, _ digest: [UInt8]?) {
        elsewhere(job) {
            var mismatch: TransferError?
            if let checksum = download.checksum {
                let found = digest ?? FileDigest.compute(checksum.algorithm, path: placement.partial.path)
                guard let found else {
                    return (nil, TransferError(.cannotReadSource, "\(placement.partial.path): cannot be read again for its sum"))
                }
                mismatch = Self.mismatch(job.description.url, checksum, found)
            }
            return (mismatch, mismatch == nil ? placement.place(syncs: download.syncs) : nil)
        } then: { [self] (mismatch: TransferError?, failure: TransferError?) in
            if mismatch != nil { discardPartial(job) }
            placed(job, mismatch ?? failure)
        }
    }

    private func placed(_ job: Job, _ error: TransferError?) {
        guard let partial = job.partial else { return end(job, .failed, error) }
        if let error {
            // Only a small file learns this late that its name is taken; nobody would go on from it.
            if error.systemErrno == EEXIST, queue[job.id]?.total ?? .max < DownloadAdmission.smallBody { discardPartial(job) }
            return failed(job, error)
        }
        // Also where this transfer wrote none: one may be left whose partial file somebody took away.
        if job.kept.recordedAt != nil || job.kept.mayHaveRecord || journal == nil { PartialRecord.remove(partial.path) }
        end(job, .completed, nil)
    }

    private static func mismatch(_ url: TransferURL, _ checksum: Checksum, _ found: [UInt8]?) -> TransferError? {
        if found == checksum.bytes { return nil }
        return TransferError(.checksumMismatch, "\(url.authority): \(checksum.algorithm.rawValue) is "
            + "\(found.map { Hex.encode($0) } ?? "unknown"), expected \(checksum.hex); the file was not kept")
    }

    // MARK: Failures

    /// Decides what a failed try means.
    func judge(_ job: Job, _ error: TransferError, status: Int?, retryAfter: Double?, isRepeatable: Bool = true) {
        if error.networkObstacle != nil, job.description.options.waitsForConnectivity == false { return failed(job, error) }
        if error.code == .hostNotResolved { return judgeName(job, error) }
        let verdict = status.flatMap { FailureClassifier.verdict(onStatus: $0) } ?? FailureClassifier.verdict(on: error)
        switch verdict {
        case .permanent: failed(job, error)
        case .pause where configuration.pausesOnFullDisk: pauseForRoom(job, error)
        case .pause: failed(job, error)
        case .restartFromZero:
            guard !job.hasRestarted else { return failed(job, error) }
            job.hasRestarted = true
            note(job.id) { $0.reason = "started from the first byte: \(error.message)" }
            retry(job, error, retryAfter: nil)
        case .waitForConnectivity where job.description.options.waitsForConnectivity == false: failed(job, error)
        case .transient, .waitForConnectivity:
            if isRepeatable { retry(job, error, retryAfter: retryAfter) } else { failed(job, error) }
        }
    }

    /// libcurl has one code for a name that does not exist and for a resolver that does not answer.
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
        change(job.id, .paused) { $0.state = .paused; $0.reason = error.message; $0.rate = nil; $0.eta = nil }
        startWhatMay()
    }

    private func retry(_ job: Job, _ error: TransferError, retryAfter: Double?) {
        job.failures = job.hasProgressed ? 1 : job.failures + 1
        job.lastError = error
        let delay = backoff.delay(afterFailures: job.failures, random: configuration.jitter(), retryAfter: retryAfter)
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
        let hopes = retryAfter == nil && Self.mayBePaths(error)
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
