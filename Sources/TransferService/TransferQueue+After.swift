// SPDX-License-Identifier: MIT

package import TransferModel

/// Transfers that start after others.
extension TransferQueue {
    mutating func noteSuccessor(_ transfer: Transfer) {
        for id in transfer.after ?? [] { successors[id, default: []].insert(transfer.id) }
    }

    /// Predecessors that have not completed, and why it cannot wait for one of them; `nil` if it can. One
    /// that has completed was dropped before it could leave the queue.
    package func predecessors(of transfer: Transfer) -> (open: [TransferID]?, obstacle: TransferNote?) {
        let open = (transfer.after ?? []).filter { !isCompleted($0) }
        let ended = open.first { self[$0]?.state.isEnded ?? true }
        return (open.isEmpty ? nil : open, ended.map { .predecessor($0, self[$0]?.state) })
    }

    /// Whether one of `ids` would wait for itself if all of them started after `predecessors`.
    package func isCycle(_ ids: [TransferID], after predecessors: [TransferID]) -> Bool {
        var (pending, seen) = (predecessors, Set<TransferID>())
        let ids = Set(ids)
        while let id = pending.popLast() {
            if ids.contains(id) { return true }
            if seen.insert(id).inserted { pending += self[id]?.after ?? [] }
        }
        return false
    }
}
