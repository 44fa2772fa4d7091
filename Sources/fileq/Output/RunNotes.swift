// SPDX-License-Identifier: MIT

import TransferModel

/// Notes about a running transfer, each once: it restarted, or its server does not support resuming.
struct RunNotes {
    private var said: [TransferID: Set<String>] = [:]

    /// The note of `event`, if it is new; `nil` for a transfer that is not running.
    mutating func take(_ event: TransferEvent) -> String? {
        let transfer = event.transfer
        if transfer.state.isEnded { forget(transfer.id) }
        guard transfer.state == .running || event.name == .restarted, let reason = transfer.reason,
            said[transfer.id, default: []].insert(reason).inserted
        else { return nil }
        return reason
    }

    mutating func forget(_ id: TransferID) { said[id] = nil }
}
