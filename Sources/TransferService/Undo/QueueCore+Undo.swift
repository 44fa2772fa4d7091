// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// Reverting commands; see ``TransferControl/QueueClient/undo()``.
extension QueueCore {
    func undo() async throws -> UndoneCommand {
        guard let entry = await run({ $0.undoLog.take(at: $0.scheduler.now) }) else {
            throw TransferError(.usage, "nothing to undo")
        }
        var undone = UndoneCommand(command: entry.command, performedAt: entry.performedAt)
        var touched: [TransferID] = []
        for step in entry.steps {
            if case .relist(let ids) = step { try await relist(ids) }
            if case .describe(let id, let spec) = step {
                touched.append(id)
                if try await revert(id, to: spec) { undone.ids.append(id) }
                continue
            }
            let (ids, concerned) = try await run { coordinator in Result { try coordinator.revert(step) } }.get()
            undone.ids += ids.filter { !undone.ids.contains($0) }
            touched += concerned.filter { !touched.contains($0) }
        }
        undone.skipped = touched.count { !undone.ids.contains($0) }
        try await awaitCommit()
        return undone
    }

    /// - Returns: false if the transfer is completed, or gone.
    private func revert(_ id: TransferID, to spec: Spec) async throws -> Bool {
        guard let state = await run({ $0.queue[id]?.state }), state != .completed else { return false }
        try await describe(id) { _ in (spec, []) }
        return true
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

extension Coordinator {
    /// - Returns: the transfers that are as before, and all that the step concerns.
    func revert(_ step: UndoLog.Step) throws -> ([TransferID], [TransferID]) {
        switch step {
        case .perform(let command, let ids, let states):
            let fitting = ids.filter { id in queue[id].map { states.contains($0.state) } ?? false }
            if !fitting.isEmpty { try carryOut(command, on: fitting) }
            return (fitting, ids)
        case .relist(let ids): return (ids.filter { queue[$0] != nil }, ids)
        case .places(let places):
            recallFetches()
            let ids = places.map(\.id)
            let (change, restored) = queue.restore(places)
            if change.isOrderChanged { keepPlaces(restored) }
            report(change)
            startWhatMay()
            return (restored, ids)
        case .limits(let limits):
            applyLimits(limits)
            return ([], [])
        // Takes the store.
        case .describe(let id, _): return ([], [id])
        }
    }
}
