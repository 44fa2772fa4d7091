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

extension AsyncStream<QueueUpdate> {
    /// Updates of one background session; `nil`: all.
    package func concerning(session: String?) -> AsyncStream<QueueUpdate> {
        guard let session else { return self }
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        let listening = Task {
            for await update in self {
                if let own = update.concerning(session: session) { continuation.yield(own) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in listening.cancel() }
        return stream
    }
}
