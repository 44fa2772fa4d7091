// SPDX-License-Identifier: MIT

import TransferModel

extension QueueUpdate {
    /// The part of the update that concerns one background session; `nil`: none. Removed transfers are not filtered,
    /// because their session is unknown.
    func concerning(session: String) -> QueueUpdate? {
        switch self {
        case .snapshot(let snapshot):
            return .snapshot(
                QueueSnapshot(transfers: snapshot.transfers.filter { $0.session == session }, limits: snapshot.limits))
        case .events(let events):
            let own = events.filter { $0.transfer.session == session }
            return own.isEmpty ? nil : .events(own)
        case .removed: return self
        case .order, .limits: return nil
        }
    }
}
