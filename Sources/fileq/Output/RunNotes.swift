// SPDX-License-Identifier: MIT

import TransferModel

/// Notes about a running transfer: each restart, and once that its server does not support resuming.
struct RunNotes {
    private var said: [TransferID: Set<TransferNote>] = [:]

    /// The note of `event`, if it is new; `nil` for a transfer that is not running.
    mutating func take(_ event: TransferEvent) -> String? {
        let transfer = event.transfer
        if transfer.state.isEnded { forget(transfer.id) }
        guard transfer.state == .running || event.name == .restarted, let note = transfer.note else { return nil }
        let isNew = said[transfer.id, default: []].insert(note).inserted
        guard isNew || event.name == .restarted else { return nil }
        return MessageCatalog.text(note)
    }

    mutating func forget(_ id: TransferID) { said[id] = nil }
}
