// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferModel

/// The end of the queue, and of transfers that are being cancelled.
extension Coordinator {
    /// - Parameter done: called when no task runs any more.
    func shutDown(_ done: @escaping () -> Void) {
        isShuttingDown = true
        if let shadow { for id in queue.order { shadow.note(.endOfQueue, id) } }
        for id in moves.keys {
            refuseMove(id)
            stopCopy(of: id)
        }
        for id in queue.order {
            guard let state = queue[id]?.state, !state.isEnded else { continue }
            withdrawFetch(id)
            if let run = runs[id], let task = run.task {
                // A transfer that is being cancelled must not resume in the next process.
                if !run.isBeingCancelled { run.stop = .shutDown }
                task.cancel()
            } else if state != .verifying, policy.interruptsAtEnd {
                interrupt(id)
            }
        }
        whenEmpty.append(done)
        hurryPlacements()
        hurryLandings()
        finishShuttingDown()
    }

    func interrupt(_ id: TransferID, note: TransferNote? = nil) {
        end(id, .cancelled, TransferError(.interrupted, "interrupted"), note: note)
    }

    /// - Parameter done: called when none of these is being cancelled any more.
    func whenStopped(_ ids: [TransferID], _ done: @escaping () -> Void) {
        stopWaiters.append((ids, done))
        notifyStopWaiters()
    }

    func notifyStopWaiters() {
        guard !stopWaiters.isEmpty else { return }
        let waiting = stopWaiters
        stopWaiters = []
        for (ids, done) in waiting {
            let left = ids.filter {
                runs[$0]?.isBeingCancelled == true || discarding.contains($0) || moves[$0]?.isStuck == false
            }
            if left.isEmpty { done() } else { stopWaiters.append((left, done)) }
        }
    }

    func finishShuttingDown() {
        guard isShuttingDown, !whenEmpty.isEmpty, runs.values.allSatisfy({ $0.task == nil }),
            moves.values.allSatisfy(\.isStuck),
            placements.values.allSatisfy(\.isStuck), discarding.isEmpty, fileWork.isEmpty,
            committing.values.allSatisfy({ $0 }), writesUnderWay == 0,
            !policy.interruptsAtEnd || queue.order.allSatisfy({ queue[$0]?.state.isEnded ?? true })
        else { return }
        let waiting = whenEmpty
        whenEmpty = []
        // The next process may open them before this one has ended.
        for run in runs.values { run.releaseFiles() }
        for placing in placements.values { placing.run.releaseFiles() }
        placements = [:]
        landings = FetchLandings(maximum: 1)
        hasEnded = true
        runs = [:]
        session?.finishTasksAndInvalidate()
        session = nil
        pathObservation = nil
        hub.finish()
        for done in waiting { done() }
    }
}
