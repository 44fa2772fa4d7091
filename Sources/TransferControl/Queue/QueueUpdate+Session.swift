// SPDX-License-Identifier: MIT

import TransferModel

extension QueueUpdate {
    /// What of it concerns the transfers of one background session; `nil`: nothing. Where transfers are removed it is
    /// not known whose they were, so that stays as it is.
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
