// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension QueueSelection {
    /// Finds the selected transfers: named ones in the order given, others in queue order.
    /// - Parameter states: restricts transfers that are not named; `nil`: all states.
    /// - Throws: code `usage` for an unknown ID, and for an empty range.
    func resolve(with client: any QueueClient, states: Set<TransferState>? = nil) async throws -> [Transfer] {
        guard namesTransfers else {
            var filter = filter
            if let states, states.count < TransferState.allCases.count {
                filter.states = TransferState.allCases.filter(states.contains)
            }
            return try await client.transfers(matching: filter)
        }
        var found: [Transfer] = []
        if !ids.isEmpty { found += try await named(with: client) }
        if !ranges.isEmpty {
            let inside = try await client.transfers(matching: QueueFilter(terms: [.init(.ids(ranges))])).sorted {
                $0.id < $1.id
            }
            if let empty = ranges.first(where: { range in !inside.contains { range.contains($0.id.rawValue) } }) {
                throw TransferError(.usage, "no transfer has an ID from \(empty.lowerBound) to \(empty.upperBound)")
            }
            let known = Set(ids)
            found += inside.filter { !known.contains($0.id) }
        }
        return QueueFilter(terms: terms).apply(to: found)
    }

    /// A transfer that left the queue may still be in the history.
    private func named(with client: any QueueClient) async throws -> [Transfer] {
        var byID: [TransferID: Transfer] = [:]
        for transfer in try await client.transfers(matching: QueueFilter(ids: ids)) { byID[transfer.id] = transfer }
        for id in ids where byID[id] == nil { byID[id] = try await client.info(id).transfer }
        return ids.compactMap { byID[$0] }
    }
}
