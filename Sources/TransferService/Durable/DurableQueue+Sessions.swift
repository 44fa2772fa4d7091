// SPDX-License-Identifier: MIT

public import TransferControl
import TransferModel
import TransferStore

/// What background sessions are told, once somebody listens.
extension DurableQueue {
    public func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await onStore { queue throws(TransferError) in
            var events: [SessionEvent] = []
            for stored in try queue.store.events(of: session, limit: min(max(1, limit), SessionEvent.maximumLimit)) {
                events.append(try SessionEvent(decoding: stored.payload, sequence: stored.sequence))
            }
            return events
        }
    }

    public func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        try await onStore { queue throws(TransferError) in try queue.store.acknowledgeEvents(of: session, upTo: sequence) }
    }
}
