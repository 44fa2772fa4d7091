// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Whether a queue is active. No I/O.
struct QueueActivity {
    private var active: Set<TransferID> = []
    /// False until the first snapshot.
    private var isKnown = false

    var isActive: Bool { !isKnown || !active.isEmpty }

    /// A paused transfer waits for the user, whose command starts the service.
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
