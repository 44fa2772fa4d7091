// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension QueueUpdate {
    /// Replaces error messages by those of `words`.
    func worded(by words: (TransferError) -> String) -> QueueUpdate {
        switch self {
        case .snapshot(var snapshot):
            for index in snapshot.transfers.indices { snapshot.transfers[index].word(by: words) }
            return .snapshot(snapshot)
        case .events(var events):
            for index in events.indices { events[index].transfer.word(by: words) }
            return .events(events)
        case .order, .removed, .limits: return self
        }
    }
}

extension TransferSnapshot {
    fileprivate mutating func word(by words: (TransferError) -> String) {
        guard let error else { return }
        let text = words(error)
        if text != error.message { self.error?.message = text }
    }
}
