// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension QueueSelection {
    /// Finds the transfers that are meant: named ones in the order in which they were named, others in that of the
    /// queue.
    /// - Parameter states: of those that are not named, only those in these are looked at; `nil`: all.
    /// - Throws: code `usage` for an id that is unknown, and for a range without any.
    func resolve(with client: ControlClient, states: Set<TransferState>? = nil) async throws -> [TransferSnapshot] {
        guard namesTransfers else {
            var filter = filter
            if let states, states.count < TransferState.allCases.count {
                filter.states = TransferState.allCases.filter(states.contains)
            }
            return try await client.transfers(matching: filter)
        }
        var found: [TransferSnapshot] = []
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

    /// What is no longer in the queue may still be in the history.
    private func named(with client: ControlClient) async throws -> [TransferSnapshot] {
        var byID: [TransferID: TransferSnapshot] = [:]
        for transfer in try await client.transfers(matching: QueueFilter(ids: ids)) { byID[transfer.id] = transfer }
        for id in ids where byID[id] == nil { byID[id] = try await client.info(id).transfer }
        return ids.compactMap { byID[$0] }
    }
}
