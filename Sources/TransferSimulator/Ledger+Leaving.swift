// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What leaves the list, comes back, or is undone.
extension Ledger {
    // MARK: Leaving

    /// What only the history has comes back with a command.
    func mayReturn(_ ids: [TransferID]) {
        let returned = ids.filter(clear.everDismissed.contains)
        clear.touched(ids)
        gone.subtract(returned)
        returning.formUnion(returned)
    }

    /// Whether nothing keeps the store from having what was reported.
    var isStoring: Bool { !origin.swarm.has(.fullDisk) && !origin.swarm.has(.readOnlyDisk) }
    var isRemoving: Bool { removals.contains { $0.value > 0 } }

    /// As was reported, or in the history alone.
    var ended: Set<TransferID> {
        Set(states.filter { $0.value.isEnded && added[$0.key] != nil }.keys).union(clear.dismissed).subtracting(removed)
    }

    func beganClearing(_ filter: QueueFilter) -> ClearLedger.Clear {
        commands += 1
        beganReordering()
        beganRemoving(Array(added.keys))
        undo.began("clear")
        // What could not be stored is not found.
        let known =
            !isStoring || relocations > 0
            ? [:]
            : states.filter { id, state in
                inFlight[id, default: 0] == 0 && unreported[id] == nil && state.isEnded
                    && ClearLedger.takes(filter, id, state)
                    && added[id] != nil
            }
        return clear.began(filter, matching: Set(known.keys), commands: commands)
    }

    /// - Parameters:
    ///   - ids: what had been added when it was given; `later`: and since then, up to the reply.
    ///   - snapshot: taken after the reply, as `entries` of the whole history.
    func endedClearing(
        _ clear: ClearLedger.Clear, _ ids: [TransferID], later: [TransferID], _ snapshot: QueueSnapshot,
        _ entries: [HistoryEntry]?, succeeded: Bool
    ) {
        endedRemoving(ids, succeeded: succeeded)
        endedReordering()
        if !succeeded { losesOrder() }
        guard let entries else {
            undecided.formUnion(ids + later)
            return
        }
        let left = Set(snapshot.transfers.map(\.id)).union(entries.map(\.transfer.id))
        self.clear.ended(clear, left, commands: commands, succeeded: succeeded)
        for id in ids + later where !left.contains(id) {
            // A dismissal under way fails if the clearing was first.
            if removals[id, default: 0] == 0 { isGone(id, wasCleared: true) } else { undecided.insert(id) }
        }
    }

    /// - Parameter left: what queue and history have.
    func decide(_ left: Set<TransferID>) {
        for id in undecided.sorted() where !left.contains(id) { isGone(id) }
        undecided = []
    }

    private func isGone(_ id: TransferID, wasCleared: Bool = false) {
        removed.insert(id)
        guard let item = added.removeValue(forKey: id) else { return }
        goneItems.append(item)
        if wasCleared { cleared[id] = item }
    }

    /// An undo may revert a clearing: what was cleared is in the list, in the history, or gone.
    func mayUnclear() {
        for (id, item) in cleared {
            removed.remove(id)
            goneItems.removeAll { $0 === item }
            added[id] = item
        }
        undecided.formUnion(cleared.keys)
        clear.mayReturn(undecided)
        cleared = [:]
        // Those too whose addition was never confirmed.
        returning.formUnion(gone.subtracting(removed))
    }

    /// Whether the next process has to show its history, too.
    var needsHistory: Bool { !clear.everDismissed.isEmpty || !undecided.isEmpty }

    // MARK: Undo

    var isUndoing: Bool { undos > 0 }
    var isChangingLimits: Bool { !limitsInFlight.isEmpty }

    /// No command is under way.
    var isIdle: Bool {
        inFlight.allSatisfy { $0.value == 0 } && limitsInFlight.isEmpty && addsInFlight == 0 && reorderings == 0
            && undos == 0 && relocations == 0 && hold.isIdle && timetables.isIdle
    }

    func beganRelocation(_ id: TransferID) {
        commands += 1
        mayReturn([id])
        unreported[id] = machine.wallNow
        relocations += 1
        undo.began("relocate")
    }

    func endedRelocation(_ id: TransferID) {
        relocations -= 1
        mayReturn([id])
    }

    /// Whatever was commanded before may be reverted.
    func beganUndo(_ ids: [TransferID]) {
        began(ids, promising: nil)
        rates.beganUndo()
        timetables.began(nil)
        undos += 1
        beganReordering()
        hold.beganUndo(ids)
        answers.beganRetry()
        areLimitsKnown = false
        (allowed, allowedPerHost) = (.max, .max)
    }

    /// - Parameter snapshot: taken after the reply.
    func endedUndo(_ ids: [TransferID], _ snapshot: QueueSnapshot, succeeded: Bool, undid: Bool) {
        undos -= 1
        rates.endedUndo()
        ended(ids, promising: nil)
        endedReordering()
        if !succeeded { losesOrder() }
        hold.endedUndo(snapshot, succeeded: succeeded, undid: undid)
        answers.endedRetry()
        guard undos == 0 else { return }
        limits = snapshot.limits
        limits.isHeld = nil
        if !succeeded { unstoredLimits.append((limits, commands)) }
        areLimitsKnown = succeeded && unstoredLimits.isEmpty
    }
}
