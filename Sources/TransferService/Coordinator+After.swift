// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// Transfers that start after others: each waits in the queue, and is paused if one of its predecessors ends without
/// completing. If that is retried, it waits again.
extension Coordinator {
    /// A transfer is in another state, or starts after others than before.
    func changed(_ transfer: Transfer) {
        guard !queue.successors.isEmpty || transfer.isHeldByPredecessor else { return }
        considerPredecessors(of: transfer.id)
        guard let successors = queue.successors[transfer.id] else { return }
        for id in successors.sorted() { considerPredecessors(of: id) }
        if transfer.state == .completed { queue.successors[transfer.id] = nil }
    }

    /// Checks the predecessors of all transfers, at the start of the process.
    func considerPredecessors() {
        for id in Set(queue.successors.values.joined()).sorted() { considerPredecessors(of: id) }
    }

    private func considerPredecessors(of id: TransferID) {
        if let shadow, let transfer = queue[id] {
            let (open, obstacle) = queue.predecessors(of: transfer)
            shadow.note(.predecessors(open == nil ? .none : obstacle == nil ? .open : .ended), id)
        }
        guard let transfer = queue[id], transfer.state != .completed,
            transfer.after != nil || transfer.isHeldByPredecessor
        else { return }
        let (open, obstacle) = queue.predecessors(of: transfer)
        guard open == transfer.after else {
            // Which calls this again.
            update(id, .changed) { $0.after = open }
            return
        }
        // While its bytes are moved it is queued, whatever it is afterwards.
        guard moves[id] == nil else { return }
        if let obstacle, transfer.state == .queued || transfer.isHeldByPredecessor {
            if transfer.note != obstacle { setAside(id, .setAside(obstacle)) }
        } else if transfer.isHeldByPredecessor {
            if isHeld { setAside(id, .by(.queue)) } else { requeue(id, .queued) }
        }
    }

    /// - Throws: code `usage` if a transfer would wait for itself.
    func checkPredecessors(_ command: QueueCommand, of ids: [TransferID]) throws(TransferError) {
        guard case .after(let predecessors) = command, queue.isCycle(ids, after: predecessors) else { return }
        throw TransferError(
            .usage, "a transfer cannot start after itself, nor after one that waits for it",
            fields: .init(variant: .waitsForItself))
    }
}

extension QueueCore {
    /// Without those that are only in the history, and completed.
    /// - Throws: code `usage` for one that is unknown.
    func knownPredecessors(_ ids: [TransferID]) async throws -> [TransferID] {
        let missing = await run { coordinator in ids.filter { coordinator.queue[$0] == nil } }
        guard !missing.isEmpty else { return ids }
        await waitForStore()
        let completed = try await onStore { core throws(TransferError) in
            var completed: Set<TransferID> = []
            for id in missing {
                guard let stored = try core.store.transfer(id) else { throw TransferError.unknownTransfer(id) }
                if stored.state == .completed { completed.insert(id) }
            }
            return completed
        }
        return ids.filter { !completed.contains($0) }
    }
}
