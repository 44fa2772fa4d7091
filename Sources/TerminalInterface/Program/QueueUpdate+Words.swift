// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension QueueUpdate {
    /// Replaces error messages by those of `words`.
    func worded(by words: (TransferError) -> String) -> QueueUpdate {
        switch self {
        case .snapshot(var snapshot):
            for index in snapshot.transfers.indices { snapshot.transfers[index].wordError(words) }
            return .snapshot(snapshot)
        case .events(var events):
            for index in events.indices { events[index].transfer.wordError(words) }
            return .events(events)
        case .order, .removed, .limits: return self
        }
    }
}
