// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferControl
import TransferModel

/// The session's callbacks: progress becomes records, ends become decisions.
extension Coordinator: TransferDataDelegate, TransferDownloadDelegate {
    nonisolated func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else {
                if wait != nil { task.cancel() }
                return
            }
            if let wait { waits(run, wait) } else { continues(run) }
        }
    }

    nonisolated func session(
        _ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?
    ) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else {
                ownerOfHelper(task)?.helper(task, hasMoved: total)
                return
            }
            warnOfClearPassword(task)
            guard let progress = (run as? UploadRun)?.sent(total) else {
                return moved(run, to: total, total: expected, confirmed: 0)
            }
            // What one request of a stream has is not the size of the stream.
            moved(run, to: progress.bytes, total: progress.total, confirmed: progress.confirmed)
        }
    }

    nonisolated func session(
        _ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse
    ) {
        EngineActor.assumeIsolated {
            (owner(of: task) as? UploadRun)?.receivedInterim(head, from: task.currentURL)
        }
    }

    nonisolated func session(
        _ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?
    ) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else { return }
            let offset = run.stored(at: offset)
            run.meter.start(offset, at: scheduler.now)
            update(run.id) {
                $0.bytes = offset
                $0.confirmed = offset
                $0.total = expected ?? $0.total
            }
            // Another connection of the attempt may take the place of the first.
            run.beganAt = run.didMove ? min(run.beganAt, offset) : offset
            if queue[run.id]?.state == .running { update(run.id, .resumed) }
        }
    }

    nonisolated func session(
        _ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?
    ) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else {
                ownerOfHelper(task)?.helper(task, hasMoved: total)
                return
            }
            warnOfClearPassword(task)
            let isStillRunning = task.state == .running
            if isStillRunning {
                guard run.advanced(task, to: total) else { return }
            }
            let stored = run.stored(at: total)
            moved(run, to: stored, total: expected, confirmed: stored, isLast: !isStillRunning)
        }
    }

    func moved(_ run: Run, to position: Int64, total: Int64?, confirmed: Int64, isLast: Bool = false) {
        run.didMove = true
        if let before = queue[run.id] {
            let bytes = position - before.bytes
            traffic.note(bytes, before.kind == .download ? .received : .sent, at: scheduler.now)
            if before.state == .running { sample(bytes, of: run.id) }
        }
        run.meter.note(position, at: scheduler.now)
        let silentSince = silentSince(of: run)
        update(run.id) { transfer in
            transfer.bytes = position
            transfer.total = total
            transfer.confirmed = confirmed
            // Bytes that were in flight when the transfer was paused are no measure of its rate.
            transfer.setPace(run.pace(of: transfer, silentSince: silentSince))
        }
        scheduleRateCheck()
        // The end of an attempt reports the last count itself.
        if !isLast, queue[run.id]?.state == .running { update(run.id, .progress) }
    }

    /// Nothing: the default makes a `URL` of the path.
    nonisolated func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {}

    /// Bodies that are not written to a file are cut at ``Run/answerLimit``.
    nonisolated func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task), run.answer.count < run.answerLimit else { return }
            run.answer += bytes.prefix(run.answerLimit - run.answer.count)
            if run.answer.count >= run.answerLimit { run.answerIsFull() }
        }
    }

    nonisolated func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else {
                ownerOfHelper(task)?.include(metrics)
                return
            }
            var metrics = metrics
            metrics.resumedFrom = run.start(of: metrics)
            run.metrics = metrics
            run.latest = metrics
            run.metrics.include(earlier: run.earlier)
        }
    }

    nonisolated func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        EngineActor.assumeIsolated {
            guard let run = owner(of: task) else {
                let run = ownerOfHelper(task)
                release(helper: task)
                run?.helper(task, hasEnded: error)
                return
            }
            switch run.taskEnded(task, error) {
            case .continues: break
            case .ends(let error): completed(run, task, error)
            }
        }
    }

    /// The attempt has ended.
    func completed(_ run: Run, _ task: TransferTask, _ error: TransferError?) {
        release(task, of: run)
        run.lastHost = task.currentURL.host
        storeLogins(run, task)
        warnOfClearPassword(task)
        if queue[run.id]?.session != nil, let head = task.response {
            run.responseFields = head.headerFields.map {
                SessionEvent.Field(name: $0.name.rawName, value: $0.value)
            }
        }
        if let response = task.response { recentHeads.note(TransferHeads(task.currentRequest, response), of: run.id) }
        update(run.id) { $0.httpStatus = task.response?.status.code ?? $0.httpStatus }
        // What was under way when the network went may have been the end.
        if error == nil { takeSlotAgain(run) }
        guard let stop = run.stop else { return run.ended(task, error) }
        (run.stop, run.stopping) = (nil, nil)
        run.stopped(task, stop, error)
        notifyStopWaiters()
    }

    /// RFC 9110, section 9.2.2: sending it again has no further effect.
    static func isRepeatable(_ method: HTTPMethod) -> Bool {
        [.get, .head, .put, .delete, .options].contains(method)
    }

    func retryAfter(_ head: HTTPResponse?) -> Double? { head?.retryAfter(at: scheduler.wallNow) }
}
