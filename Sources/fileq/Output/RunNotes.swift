// SPDX-License-Identifier: MIT

import TransferModel

/// What its owner should know of a transfer that runs, each thing once: it began again, or its server does not allow
/// resuming.
struct RunNotes {
    private var said: [TransferID: Set<String>] = [:]

    /// The reason that comes with `event`, unless it was said before; `nil` for a transfer that does not run.
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
