// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

/// Transfers that leave the queue, and return to it because the store could not write that, or from the history.
extension Coordinator {
    /// What the queue knew of transfers that have left it.
    struct Leaving: Sendable {
        fileprivate struct Entry: Sendable {
            var transfer: Transfer
            var checkpoint: Checkpoint?
            var memory: RunMemory?
        }

        fileprivate var entries: [Entry] = []
        fileprivate(set) var places: [TransferQueue.OldPlace] = []

        var ids: [TransferID] { entries.map(\.transfer.id) }
    }

    /// - Parameter leave: removes those that may leave, and returns them.
    func setAside(_ ids: [TransferID], _ leave: ([TransferID]) -> [TransferID]) -> Leaving {
        var known: [TransferID: Leaving.Entry] = [:]
        for id in ids {
            known[id] = queue[id].map {
                Leaving.Entry(transfer: $0, checkpoint: journal.checkpoint(of: id), memory: memories[id])
            }
        }
        let places = queue.places(of: Array(known.keys))
        let gone = leave(ids)
        let left = Set(gone)
        return Leaving(
            entries: gone.compactMap { known[$0] }, places: places.filter { left.contains($0.id) })
    }

    /// The store still has them.
    func putBack(_ left: Leaving) {
        var returned: Set<TransferID> = []
        for entry in left.entries where queue.add(entry.transfer) {
            let id = entry.transfer.id
            returned.insert(id)
            shadow?.added(entry.transfer)
            if let checkpoint = entry.checkpoint { journal.change(id) { $0 = checkpoint } }
            memories[id] = entry.memory
            announce(.changed, id)
        }
        report(queue.restore(left.places.filter { returned.contains($0.id) }).change)
    }

    /// Ended transfers return from the history, with what their last attempts left: a file may have its name already,
    /// a server an upload.
    func relist(_ stored: [Transfer]) {
        let policy = RecoveryPolicy(bootID: BootID.current)
        for transfer in stored where queue[transfer.id] == nil && transfer.state != .completed {
            guard let checkpoint = transfer.checkpoint else { continue }
            journal.change(transfer.id) { $0 = checkpoint }
            if let rename = PendingRename(transfer, policy) {
                memories[transfer.id, default: RunMemory()].rename = rename
            }
        }
        appendStored(stored, [])
    }
}
