// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Waiting for the network, and the effect of network changes on scheduled attempts.
extension Coordinator {
    /// The network cannot carry the transfer, or not for a new reason. Its slot is free for others.
    func waits(_ run: Run, _ wait: PathWait) {
        guard let state = queue[run.id]?.state, state == .running || state == .waiting else { return }
        shadow?.note(.waits, run.id)
        run.heldUp()
        let now = scheduler.wallNow
        update(run.id, .waiting) { transfer in
            transfer.status = .waiting(NetworkWait(wait, since: transfer.waitingSince ?? now))
        }
        startWhatMay()
    }

    /// A server responds again. If no slot is free, the transfer is queued.
    func continues(_ run: Run) {
        takeSlotAgain(run)
        if queue[run.id]?.state == .queued { run.suspendTask() } else { (run as? UploadRun)?.sendBeside() }
    }

    /// Continues a transfer that waited for the network, with its task or another one. It is queued if no slot is free.
    /// Has no effect on a transfer that does not wait.
    func takeSlotAgain(_ run: Run) {
        guard let transfer = queue[run.id], transfer.state == .waiting else { return }
        shadow?.note(.carries, run.id)
        // A free slot is the transport's as long as it has transfers that wait for one.
        guard fetches.waiting == 0, queue.hasSlot(for: run.id) else {
            update(run.id, .queued) { $0.status = .queued() }
            return
        }
        run.meter.start(transfer.bytes, at: scheduler.now)
        update(run.id, .started) { $0.status = .running() }
    }

    /// Checks whether the network is free of cost, if a transfer waits for that.
    func evaluateNetwork() {
        guard let pathMonitor, let url = queue.heldForFreeNetwork.flatMap({ queue[$0]?.url }),
            let host = try? TransferURL(url).host
        else { return }
        observePath()
        var requirements = PathRequirements()
        (requirements.allowsExpensive, requirements.allowsConstrained) = (false, false)
        let verdict = requirements.evaluate(pathMonitor.path(to: PathTarget(host: host)), host: host)
        if case .satisfied = verdict { queue.isNetworkFree = true } else { queue.isNetworkFree = false }
    }

    /// The route of the first unfinished transfer to another machine.
    var networkInUse: NetworkInUse? {
        guard let pathMonitor else { return nil }
        for id in runs.keys.sorted().prefix(16) {
            guard let transfer = queue[id], !transfer.state.isEnded, let host = try? TransferURL(transfer.url).host
            else {
                continue
            }
            let target = PathTarget(host: host)
            guard !target.isLoopback else { continue }
            let path = pathMonitor.path(to: target)
            let obstacle = if case .unsatisfied(let obstacle) = path.status { obstacle.message } else { String?.none }
            let interface = path.preferred.first ?? path.interface
            guard interface != nil || obstacle != nil else { return nil }
            return NetworkInUse(
                interface: interface?.name, expensive: interface?.isExpensive == true ? true : nil,
                constrained: interface?.isConstrained == true ? true : nil,
                obstacle: path.preferred.isEmpty ? obstacle : nil)
        }
        return nil
    }

    // MARK: Retrying

    /// From now on scheduled attempts, and transfers that wait for a network without cost, are notified of its changes.
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

    /// The network carries more than before: attempts that failed because of it need not wait out their delays.
    ///
    /// Once per failure, and no earlier than a second after it. An attempt that the network cut short does not count,
    /// so that a flapping interface uses up none.
    private func pathImproved() {
        for id in queue.order {
            guard let run = runs[id], queue[id]?.state == .retrying, var retry = run.retry, retry.hopesForPath else {
                continue
            }
            let time = max(scheduler.now, retry.failedAt + 1)
            guard time < retry.time else { continue }
            (retry.time, retry.hopesForPath) = (time, false)
            run.retry = retry
            if retry.isCounted { run.failures = max(0, run.failures - 1) }
            let wallTime = scheduler.wallNow + (time - scheduler.now)
            update(id, .changed) {
                if case .retrying(_, let note) = $0.status { $0.status = .retrying(at: wallTime, note) }
            }
            startRetry(of: run, at: time)
        }
    }
}
