// SPDX-License-Identifier: MIT

import Platform
import SessionCore
import TransferModel
import TransferStore

/// Transfers whose partial files are copied to another file system. They are queued meanwhile, without being started,
/// and stand afterwards where they stood. The store has them as they stand, so that the next process continues so.
extension Coordinator {
    struct Moving {
        let copy: PartialCopy
        /// Called once, when nothing uses the files any more.
        var begins: (@Sendable (TransferError?) -> Void)?
        /// `nil`: its attempt has not ended yet, or a command came meanwhile, which counts.
        var standing: UndoLog.OldStanding?
        /// Its files are to be deleted, once they are not in use.
        var discards = false
        /// Its folder does not respond: no command waits for it, nor does the end of the queue.
        var isStuck = false
    }

    /// Sets a transfer aside until ``endMove(_:_:)``.
    /// - Parameter begins: called once, on any thread; with an error if it cannot be moved now.
    func beginMove(_ id: TransferID, _ copy: PartialCopy, _ begins: @escaping @Sendable (TransferError?) -> Void) {
        let run = runs[id] as? DownloadRun
        guard !isShuttingDown, moves[id] == nil, !isBeingPlaced(id), run?.stop == nil, run?.stopping == nil,
            run?.isOnFiles != true
        else { return begins(.isBeingMoved(id)) }
        shadow?.note(.relocate(.copy), id)
        withdrawFetch(id)
        moves[id] = Moving(copy: copy, begins: begins)
        guard let run, let task = run.task else { return standBy(id) }
        run.stop = .move
        task.cancel()
    }

    /// Nothing is under way for it any more.
    func standBy(_ id: TransferID) {
        guard let transfer = queue[id], let moving = moves[id], let begins = moving.begins else { return }
        if shadow?.op(id) != .copy { shadow?.note(.stopped, id) }
        if let run = runs[id] {
            run.releaseFiles()
            run.pausedAt = run.pausedAt ?? scheduler.now
            run.generation += 1
        }
        // No state follows directly on that.
        if transfer.state == .running { update(id) { $0.status = .retrying(at: 0, nil) } }
        moves[id]?.standing = UndoLog.OldStanding(transfer)
        moves[id]?.begins = nil
        copies[id] = StoreCopy(from: moving.copy.move.old, to: moving.copy.move.new)
        storeSettings()
        let folder = ParentFolder.path(of: moving.copy.move.new)
        update(id, .changed, program: .none, isRecorded: false) { $0.status = .queued(.moving(to: folder)) }
        startWhatMay()
        begins(nil)
    }

    /// A transfer has changed that is being moved: a command that stops it stops the copy, too. It does not start
    /// before that has ended.
    func followMove(_ id: TransferID, _ state: TransferState) {
        if moves[id]?.begins != nil {
            if state.isEnded || state == .verifying { refuseMove(id) }
        } else if state == .queued {
            queue.reserve(id)
        } else {
            moves[id]?.standing = nil
            stopCopy(of: id)
        }
    }

    func stopCopy(of id: TransferID) {
        guard let copy = moves[id]?.copy else { return }
        copy.stop()
        scheduler.schedule(at: scheduler.now + FileLanes.patience) { [weak self] in
            EngineActor.async { [weak self] in
                guard let self, moves[id]?.copy === copy else { return }
                moves[id]?.isStuck = true
                notifyStopWaiters()
                finishShuttingDown()
            }
        }
    }

    /// Resumes a transfer that was paused since the disk was full: it has another folder.
    func continueWithRoom(_ id: TransferID) {
        guard case .paused(.noSpace)? = queue[id]?.status else { return }
        resume(id)
        if isHeld { carryOut(PostponedCommand.hold, id) }
        startWhatMay()
    }

    /// A move that has not begun does not begin.
    func refuseMove(_ id: TransferID) {
        guard let begins = moves[id]?.begins else { return }
        moves[id] = nil
        begins(.isBeingMoved(id))
    }

    /// As it is stored.
    func recorded(_ transfer: Transfer) -> Transfer {
        guard let standing = moves[transfer.id]?.standing else { return transfer }
        var transfer = transfer
        transfer.status = standing.status
        return transfer
    }

    /// Its files are where they should be, and unlocked.
    /// - Parameter error: why they are where they were.
    func endMove(_ id: TransferID, _ error: TransferError?) {
        guard let moving = moves.removeValue(forKey: id), !hasEnded else { return }
        if shadow?.op(id) == .copy { shadow?.note(.copied(isMoved: error == nil), id) }
        copies[id] = nil
        storeSettings()
        queue.unreserve(id)
        if var standing = moving.standing {
            if standing.status == .paused(.by(.queue)), !isHeld { standing.status = .queued() }
            if ![.running, .waiting].contains(standing.status.state) {
                restore(standing)
            } else if let run = runs[id] {
                run.resumeClock(at: scheduler.now)
                run.replaced = error.map(TransferNote.failure) ?? .moved
                startAgain(run)
            } else {
                shadow?.note(.due, id)
                update(id, .queued) { $0.status = .queued() }
            }
        }
        if moving.discards { discardPartialFiles(id) }
        if error == nil { continueWithRoom(id) }
        notifyStopWaiters()
        startWhatMay()
        finishShuttingDown()
    }
}

extension TransferError {
    static func isBeingMoved(_ id: TransferID) -> TransferError {
        TransferError(
            .usage, "transfer \(id) is being changed or moved", fields: .init(variant: .beingMoved, transfer: id))
    }
}
