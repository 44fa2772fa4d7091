// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// Decides what follows the end of an attempt: completion, another attempt, or failure.
extension Coordinator {
    /// Decides what follows a failed attempt.
    /// - Parameter isAfterWholeBody: of an upload that failed after the server had taken the whole body; the next
    ///   attempt sends all of it again.
    func handleFailure(
        _ run: Run, _ error: TransferError, retryAfter: Double?, isRepeatable: Bool = true,
        isAfterWholeBody: Bool = false
    ) {
        if error.fields.networkObstacle != nil, run.description.options.waitsForConnectivity == false {
            return failed(run, error)
        }
        if error.code == .hostNotResolved { return checkName(run, error) }
        switch FailurePolicy.verdict(error).next {
        case .end: failed(run, error)
        case .pause where configuration.pausesOnFullDisk: pauseForSpace(run, error)
        case .pause: failed(run, error)
        case .restart:
            let mayRepeat = !FailurePolicy.verdict(error).countsAttempt || run.description.options.retries != 0
            guard !run.hasRestarted, mayRepeat else { return failed(run, error) }
            run.hasRestarted = true
            update(run.id) { $0.setNote(.restarted(.failure(error))) }
            retry(run, error, retryAfter: nil)
        case .wait where run.description.options.waitsForConnectivity == false: failed(run, error)
        case .retry, .wait:
            guard isRepeatable, !isProxyGivenUp(run, error) else { return failed(run, error) }
            // A captive portal is not the server.
            let isRefusal =
                isAfterWholeBody && error.fields.refusal?.portal == nil
                && !isExplainedBySuspend(run, FailurePolicy.verdict(error))
            if isRefusal { run.refusals += 1 }
            let most = error.code == .timedOut ? policy.maximumLateVerdicts : Self.maximumRefusals
            if isRefusal, run.refusals >= most {
                var error = error
                error.amendRefusal(" (given up after \(run.refusals) attempts)") { $0.attempts = run.refusals }
                return failed(run, error)
            }
            retry(run, error, retryAfter: retryAfter)
        }
    }

    /// A proxy that refuses the connection to a server says the same of a server that does not exist.
    private func isProxyGivenUp(_ run: Run, _ error: TransferError) -> Bool {
        guard error.code == .httpStatus, error.fields.proxy != nil else {
            run.proxyRefusedSince = nil
            return false
        }
        let since = run.proxyRefusedSince ?? scheduler.now
        run.proxyRefusedSince = since
        return scheduler.now - since >= Self.proxyPatience
    }

    /// Seconds for which a proxy is asked that refuses the connection to a server.
    private static let proxyPatience = 86_400.0

    /// Transports have one code for a name that does not exist and for a resolver that does not respond.
    private func checkName(_ run: Run, _ error: TransferError) {
        let host = run.lastHost ?? run.description.url.host
        runInBackground(for: run) {
            NameCheck.ask(host)
        } then: { [self] answer in
            if answer != .doesNotExist { retry(run, error, retryAfter: nil) } else { failed(run, error) }
        }
    }

    /// Otherwise the transfer was paused or cancelled in the meantime, and there is nothing to do.
    private var interruptible: Set<TransferState> { [.running, .waiting, .retrying, .verifying] }

    func failed(_ run: Run, _ error: TransferError) {
        let error = Self.stating(run.resourceTimeout, error)
        run.lastError = error
        guard let state = queue[run.id]?.state, interruptible.contains(state) || state == .paused else { return }
        run.discardIfEmpty()
        if !ask(run, error) { end(run.id, .failed, error) }
    }

    /// An attempt has what is left of the resource timeout; what the user set is the whole of it.
    private static func stating(_ resourceTimeout: Double, _ error: TransferError) -> TransferError {
        guard error.fields.problem?.kind == .resourceTimeout else { return error }
        var error = error
        error.fields.problem?.seconds = resourceTimeout
        error.reword()
        return error
    }

    private func pauseForSpace(_ run: Run, _ error: TransferError) {
        shadow?.note(.failed(.space), run.id)
        run.releaseFiles()
        run.pausedAt = scheduler.now
        update(run.id, .paused) { $0.status = .paused(.noSpace(error)) }
        startWhatMay()
    }

    /// Attempts that fail after the server had taken the whole body, whatever number of retries is allowed.
    nonisolated static let maximumRefusals = 5

    /// Another attempt after a delay, whatever the error means elsewhere.
    func retry(_ run: Run, _ error: TransferError, retryAfter: Double?) {
        let verdict = FailurePolicy.verdict(error)
        if run.hasProgressed { run.failures = 0 }
        let isExplained = isExplainedBySuspend(run, verdict)
        let isCounted = verdict.countsAttempt && !isExplained
        if isCounted { run.failures += 1 }
        run.lastError = error
        let (pace, failures) =
            if run.refusals > 0, let slower = policy.refusalBackoff {
                (slower, run.refusals)
            } else {
                (backoff, run.failures)
            }
        var delay = pace.delay(afterFailures: failures, random: configuration.jitter(), retryAfter: retryAfter)
        // Failures that do not count do not lengthen it.
        if isExplained { delay = max(delay, 1) }
        let next = scheduler.now + delay
        if let allowed = run.description.options.retries, run.failures > allowed { return failed(run, error) }
        var error = error
        // The server asked for this delay: say so.
        let most = run.description.options.maximumRetryWait ?? .infinity
        if let retryAfter, retryAfter > min(backoff.ceiling, most) {
            error.amendRefusal("; the server asks to wait \(TransferError.Refusal.wait(retryAfter))") {
                $0.retryAfter = retryAfter
            }
        }
        if let retryAfter, retryAfter > most {
            error.fields.variant = .longRetryWait
            return failed(run, error)
        }
        if let deadline = run.deadline, next >= deadline { return failed(run, error) }
        shadow?.note(.failed(.retry(after: Float(delay))), run.id)
        guard queue[run.id]?.state != .paused else { return forgetSentBytes(of: run) }
        noteRetry(of: run, at: scheduler.wallNow + delay, .failure(error))
        let hopes = retryAfter == nil && verdict.mayBePath
        run.retry = Run.Retry(failedAt: scheduler.now, time: next, hopesForPath: hopes, isCounted: isCounted)
        if hopes { observePath() }
        startRetry(of: run, at: next)
        if verdict.isShortage { lowerSlots() }
        carryOutPostponed(run.id)
        startWhatMay()
    }

    func noticeSuspend() { suspends.look(configuration.timeSuspended(), at: scheduler.now) }

    /// Whether the attempt failed for want of a connection that a suspend of the machine has broken: that predicts
    /// nothing of the next attempt.
    private func isExplainedBySuspend(_ run: Run, _ verdict: FailurePolicy.Verdict) -> Bool {
        noticeSuspend()
        switch verdict.path {
        case .innocent, .answered: return false
        case .unresolved, .unreached, .broke:
            return suspends.explainFailure(since: run.suspendedBefore, at: scheduler.now)
        }
    }

    /// Seconds for which no more transfers run than did when the system lacked something for another one.
    private static let shortageTime = 5.0

    /// Limits transfers to the number that run now, since the system lacks resources for more. Another program may hold
    /// them, so the limit ends soon.
    private func lowerSlots() {
        let time = scheduler.now + Self.shortageTime
        (queue.ceiling, shortageEnds) = (queue.occupied, time)
        scheduler.schedule(at: time) { [weak self] in
            EngineActor.async { [weak self] in
                guard let self, shortageEnds == time, !hasEnded else { return }
                (queue.ceiling, shortageEnds) = (nil, nil)
                startWhatMay()
            }
        }
    }

    /// Another attempt at another address.
    /// - Parameter pause: seconds for which that address asked for no request.
    func tryNext(_ run: Run, _ note: TransferNote, after pause: Double = 0) {
        shadow?.note(.failed(.again(after: Float(pause))), run.id)
        noteRetry(of: run, at: scheduler.wallNow + pause, note)
        startRetry(of: run, at: scheduler.now + pause)
        carryOutPostponed(run.id)
        startWhatMay()
    }

    /// Not announced if a postponed command follows at once, which was confirmed before.
    private func noteRetry(of run: Run, at wallTime: Double, _ note: TransferNote) {
        let isAnnounced = postponed(run.id) == nil
        update(run.id, .retrying, isAnnounced: isAnnounced) { transfer in
            transfer.status = .retrying(at: wallTime, note)
            transfer.attempt += 1
        }
        forgetSentBytes(of: run, isAnnounced: isAnnounced)
    }

    /// Resets the byte counts of an upload that starts again from its first byte. Its last attempt must have been
    /// recorded.
    func forgetSentBytes(of run: Run, isAnnounced: Bool = true) {
        guard run.beginsAgain, let transfer = queue[run.id], transfer.bytes > 0 else { return }
        update(run.id, .progress, isAnnounced: isAnnounced) {
            $0.bytes = 0
            $0.confirmed = 0
        }
    }

    /// Starts the next attempt at `time`, unless another start comes first.
    func startRetry(of run: Run, at time: Double) {
        let (id, generation) = (run.id, run.generation)
        scheduler.schedule(at: time) { [self, weak run] in
            EngineActor.async { [self, weak run] in
                // After a cancel and a retry another one has the transfer, which counts from 0 again.
                guard let run, runs[id] === run, run.generation == generation else { return }
                shadow?.note(.due, id)
                update(id) {
                    if $0.state == .retrying { $0.status = .queued($0.note) }
                }
                startWhatMay()
            }
        }
    }
}
