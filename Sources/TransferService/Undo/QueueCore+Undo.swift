// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// Reverting commands; see ``TransferControl/QueueClient/undo()``.
extension QueueCore {
    func undo() async throws -> UndoneCommand {
        guard let entry = await run({ $0.undoLog.take(at: $0.scheduler.now) }) else {
            throw TransferError(.usage, "nothing to undo", fields: .init(variant: .nothingToUndo))
        }
        var undone = UndoneCommand(command: entry.command, performedAt: entry.performedAt)
        var (done, touched): (Set<TransferID>, Set<TransferID>) = ([], [])
        for (index, step) in entry.steps.enumerated() {
            do {
                if case .relist(let ids) = step { try await relist(ids) }
                if case .unclear(let ids) = step {
                    try await onStore { core throws(TransferError) in try core.store.setCleared(ids, false) }
                }
                if case .describe(let id, let spec, let old) = step {
                    touched.insert(id)
                    if try await revert(id, to: spec, old), done.insert(id).inserted { undone.ids.append(id) }
                    continue
                }
            } catch {
                let failure = error as? TransferError
                // A reason that stays must not keep the earlier commands from being reverted.
                if case .describe = step, index == 0, failure == entry.failure, failure?.isOfPlace == true { continue }
                // What was not reverted can be tried again.
                var rest = entry
                rest.steps.removeFirst(index)
                rest.failure = failure
                await run { [rest] in $0.undoLog.note(rest, at: $0.scheduler.now) }
                throw error
            }
            let (ids, concerned) = await run { coordinator in coordinator.revert(step) }
            undone.ids += ids.filter { done.insert($0).inserted }
            touched.formUnion(concerned)
            if case .limits = step { undone.limits = await run { $0.queue.limits } }
        }
        undone.skipped = touched.count { !done.contains($0) }
        try await awaitCommit()
        if entry.steps.contains(where: \.isHold) {
            try await awaitFinishedHold()
            undone.isHeld = await run { $0.isHeld }
        }
        return undone
    }

    /// - Parameter old: where it stood; `nil`: it continues as it is described.
    /// - Returns: false if the transfer is completed, or gone.
    private func revert(_ id: TransferID, to spec: Spec, _ old: UndoLog.OldStanding?) async throws -> Bool {
        guard let state = await run({ $0.queue[id]?.state }), state != .completed else { return false }
        if old != nil, state == .verifying { return false }
        try await describe(id) { _ in (spec, []) }
        guard let old, !state.isEnded || state == .failed else { return true }
        if !state.isEnded {
            await run { coordinator in coordinator.carryOut(.cancel(deletingPartial: false), on: [id]) }
            await stopped([id])
        }
        return await run { coordinator in
            guard let now = coordinator.queue[id]?.state, now == .cancelled || now == .failed else { return false }
            coordinator.shadow?.restored(old)
            coordinator.restore(old)
            return true
        }
    }

    /// Those that are still in the history, and finished.
    private func relist(_ ids: [TransferID]) async throws {
        let missing = await run { coordinator in ids.filter { coordinator.queue[$0] == nil } }
        await waitForStore()
        try await onStore { core throws(TransferError) in
            var found: [Transfer] = []
            for id in missing {
                if let stored = try core.store.transfer(id), stored.state.isEnded { found.append(stored) }
            }
            try core.store.setListed(found.map(\.id), true)
            EngineActor.sync { core.coordinator.relist(found) }
        }
    }
}

extension TransferError {
    /// Whether it stays until the user does something about the place to which the transfer would return.
    fileprivate var isOfPlace: Bool {
        [.folderMissing, .folderNotWritable, .nameOfOtherDownload].contains(fields.variant)
    }
}

extension Coordinator {
    /// - Returns: the transfers that are as before, and all that the step concerns.
    func revert(_ step: UndoLog.Step) -> ([TransferID], [TransferID]) {
        switch step {
        case .perform(let command, let ids, let states):
            let fitting = ids.filter { id in queue[id].map { states.contains($0.state) } ?? false }
            if !fitting.isEmpty { carryOut(command, on: fitting) }
            return (fitting, ids)
        case .unclear(let ids): return (ids, ids)
        case .relist(let ids): return (ids.filter { queue[$0] != nil }, ids)
        case .places(let places):
            recallFetches()
            let ids = places.map(\.id)
            let (change, restored) = queue.restore(places)
            // Also in the same order: the store may have the places at which they came back into the list.
            keepPlaces(restored)
            report(change)
            startWhatMay()
            return (restored, ids)
        case .limits(let limits):
            applyLimits(limits)
            return ([], [])
        case .timetable(let timetable):
            applyTimetable(timetable)
            return ([], [])
        case .held(let wanted):
            let changed = wanted == isHeld ? [] : setHeld(wanted)
            return (changed, changed)
        // Takes the store.
        case .describe(let id, _, _): return ([], [id])
        case .standings(let standings, let states):
            let fitting = standings.filter { old in queue[old.id].map { states.contains($0.state) } ?? false }
            if let shadow { for old in fitting { shadow.restored(old) } }
            for old in fitting { restore(old) }
            startWhatMay()
            return (fitting.map(\.id), standings.map(\.id))
        }
    }

    /// The transfer stands where it stood: one that awaited its next attempt awaits it again, until the same time.
    func restore(_ old: UndoLog.OldStanding) {
        let id = old.id
        if old.status.state != .paused {
            runs[id]?.resumeClock(at: scheduler.now)
            // No state follows directly on all others; no client sees the one between.
            update(id) { $0.status = .queued(old.status.note) }
        }
        var status = old.status
        if case .retrying(let time, let note) = status, time <= scheduler.wallNow { status = .queued(note) }
        let cause: TransferEvent.Name =
            switch status.state {
            case .retrying: .retrying
            case .queued: .queued
            default: .changed
            }
        update(id, cause, program: .none) { ($0.status, $0.attempt) = (status, old.attempt) }
        if case .retrying(let time, _) = status { awaitRetry(id, at: time) }
    }

    /// - Parameter wallTime: seconds since 1970.
    private func awaitRetry(_ id: TransferID, at wallTime: Double) {
        let time = scheduler.now + wallTime - scheduler.wallNow
        if let run = runs[id] { return startRetry(of: run, at: time) }
        // The next attempt makes its run.
        scheduler.schedule(at: time) { [self] in
            EngineActor.async { [self] in
                guard runs[id] == nil, queue[id]?.retryAt == wallTime else { return }
                shadow?.note(.due, id)
                update(id) { $0.status = .queued($0.note) }
                startWhatMay()
            }
        }
    }
}
