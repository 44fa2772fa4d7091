// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// The hold of the whole queue, also of what is added meanwhile.
extension Coordinator {
    var isHeld: Bool { queue.limits.isHeld == true }

    /// Holds all transfers that are not paused, or releases those that a hold has paused.
    /// - Returns: the ones that it changed.
    @discardableResult
    func setHeld(_ isHeld: Bool) -> [TransferID] {
        var limits = queue.limits
        limits.isHeld = isHeld ? true : nil
        queue.setLimits(limits)
        hub.post(.limits(limits))
        let ids = applyHold()
        startWhatMay()
        return ids
    }

    /// Pauses what the hold concerns, or resumes it. The store commits no change of a transfer before the settings, and
    /// until it has committed all, these say that some may be missing: then the next process does this again.
    @discardableResult
    func applyHold() -> [TransferID] {
        holds += 1
        (isHoldUnfinished, isHoldStored) = (true, false)
        storeSettings()
        let isHeld = isHeld
        let ids = queue.order.filter { id in
            guard let transfer = queue[id] else { return false }
            // A pause of its own outlasts the hold.
            if transfer.state == .verifying { return isHeld ? postponed(id) == nil : postponed(id) == .hold }
            // One that is being moved is queued only meanwhile.
            let standing = moves[id]?.standing?.status
            if isHeld { return transfer.state.isPausable && standing?.state.isPausable != false }
            return transfer.isHeldWithQueue || standing == .paused(.by(.queue))
        }
        for id in ids { if isHeld { carryOut(PostponedCommand.hold, id) } else { resume(id) } }
        finishHold()
        return ids
    }

    /// Once the store has committed the hold, its settings no longer say that it may lack some. What is being added may
    /// have been stored as before: then that is waited for.
    private func finishHold() {
        let number = holds
        store.commit { [self] error in
            EngineActor.async { [self] in
                if error == nil { stored(hold: number) } else { finishHoldLater(number) }
            }
        }
    }

    /// The store has committed a hold, as ``holds`` counts them, and all that was recorded before.
    func stored(hold number: Int) {
        guard number == holds else { return }
        isHoldStored = true
        guard isHoldUnfinished, !hasEnded, addition ?? isHeld == isHeld else { return }
        isHoldUnfinished = false
        storeSettings()
    }

    /// The store repeats a commit that failed, and does not say when it succeeds.
    private func finishHoldLater(_ number: Int) {
        guard number == holds, !hasEnded else { return }
        scheduler.schedule(at: scheduler.now + Self.pauseOfHold) { [self] in
            EngineActor.async { [self] in if number == holds, isHoldUnfinished, !hasEnded { finishHold() } }
        }
    }

    /// Seconds.
    private static let pauseOfHold = 5.0

    /// Transfers are about to be stored, and appended. Serially.
    /// - Returns: whether they are held; `nil` if the store does not have the latest hold yet. It would have them
    ///   without it if the process ended now.
    func beginAddition() -> Bool? {
        guard isHoldStored else { return nil }
        addition = isHeld
        return isHeld
    }

    /// They stand where they should, or were not stored.
    func endAddition() {
        addition = nil
        guard isHoldUnfinished else { return }
        // An earlier commit may lack them.
        holds += 1
        finishHold()
    }

    /// Holds a transfer that has just been added if the queue is held now, whatever was in force when its record was
    /// made.
    func holdIfAdded(_ transfer: Transfer) {
        if isHeld, transfer.state == .queued {
            carryOut(PostponedCommand.hold, transfer.id)
        } else if !isHeld, transfer.isHeldWithQueue {
            resume(transfer.id)
        }
    }

    /// The steps that revert a hold or release of the whole queue, computed from the queue before it.
    func inverse(ofHold isHeld: Bool) -> [UndoLog.Step] {
        let retrying = queue.order.compactMap { queue[$0] }.filter { $0.state == .retrying }
        let standings = retrying.map(UndoLog.OldStanding.init)
        return (isHeld && !standings.isEmpty ? [.standings(standings, in: [.paused])] : []) + [.held(!isHeld)]
    }
}

extension Transfer {
    /// The transfer as it is added to a queue that is held.
    var held: Transfer {
        var held = self
        if state == .queued { held.status = .paused(.by(.queue)) }
        return held
    }

    /// Paused with the whole queue.
    fileprivate var isHeldWithQueue: Bool { state == .paused && pausedBy == .queue }
}
