// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Whether a queue has anything left to do by itself. Pure.
struct QueueActivity {
    private var active: Set<TransferID> = []
    /// False until the first snapshot: nothing is known before.
    private var isKnown = false

    var isActive: Bool { !isKnown || !active.isEmpty }

    /// What is paused waits for somebody, who starts the service by asking for it.
    static func keepsAlive(_ state: TransferState) -> Bool { !state.isEnded && state != .paused }

    mutating func receive(_ update: QueueUpdate) {
        switch update {
        case .snapshot(let snapshot):
            isKnown = true
            active = Set(snapshot.transfers.lazy.filter { Self.keepsAlive($0.state) }.map(\.id))
        case .events(let events):
            for event in events {
                if Self.keepsAlive(event.transfer.state) {
                    active.insert(event.transfer.id)
                } else {
                    active.remove(event.transfer.id)
                }
            }
        case .removed(let ids): active.subtract(ids)
        case .order, .limits: break
        }
    }
}
