// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferModel

/// Waiting for the network, and what its changes mean for tries that have a time.
extension Coordinator {
    /// The network cannot carry it now, or another reason than before keeps it from it. Its place is for others.
    func waits(_ run: Run, _ wait: PathWait) {
        guard let state = queue[run.id]?.state, state == .running || state == .waiting else { return }
        let now = scheduler.wallNow
        update(run.id, .waiting) { transfer in
            transfer.status = .waiting(NetworkWait(wait, since: transfer.waitingSince ?? now))
        }
        startWhatMay()
    }

    /// A server answers again. Where others have taken all places meanwhile, it stands in line for the next one.
    func goesOn(_ run: Run, _ task: TransferTask) {
        guard let transfer = queue[run.id], transfer.state == .waiting else { return }
        guard queue.hasPlace(for: run.id) else {
            task.suspend()
            update(run.id, .queued) { $0.status = .queued() }
            return
        }
        run.meter.start(transfer.bytes, at: scheduler.now)
        update(run.id, .started) { $0.status = .running() }
    }

    /// Whether the network costs nothing, where somebody waits for one that does not.
    func weighNetwork() {
        guard let pathMonitor, let url = queue.heldForFreeNetwork.flatMap({ queue[$0]?.url }),
            let host = try? TransferURL(url).host
        else { return }
        observePath()
        var requirements = PathRequirements()
        (requirements.allowsExpensive, requirements.allowsConstrained) = (false, false)
        let verdict = requirements.evaluate(pathMonitor.path(to: PathTarget(host: host)), host: host)
        if case .satisfied = verdict { queue.isNetworkFree = true } else { queue.isNetworkFree = false }
    }

    // MARK: Retrying

    /// From now on tries that have a time, and those that wait for a network without cost, hear of its changes.
    func observePath() {
        guard pathObservation == nil else { return }
        pathObservation = pathMonitor?.addObserver { [weak self] change in
            guard let self else { return }
            let hasImproved = !change.available.isEmpty || change.hasBetterPath
            EngineActor.async { [weak self] in
                guard let self else { return }
                if hasImproved { pathImproved() }
                if queue.heldForFreeNetwork != nil { startWhatMay() }
            }
        }
    }

    /// The network carries more than before: tries that failed for want of it need not sit out their pauses.
    ///
    /// Once for each failure, and no earlier than a second after it. A try that the network has cut short is not
    /// counted, so that an interface that comes and goes uses none up.
    private func pathImproved() {
        for id in queue.order {
            guard let run = runs[id], queue[id]?.state == .retrying, var retry = run.retry, retry.hopesForPath else {
                continue
            }
            let time = max(scheduler.now, retry.failedAt + 1)
            guard time < retry.time else { continue }
            (retry.time, retry.hopesForPath) = (time, false)
            run.retry = retry
            run.failures = max(0, run.failures - 1)
            let wallTime = scheduler.wallNow + (time - scheduler.now)
            update(id, .changed) {
                if case .retrying(_, let note) = $0.status { $0.status = .retrying(at: wallTime, note) }
            }
            startRetry(of: run, at: time)
        }
    }
}
