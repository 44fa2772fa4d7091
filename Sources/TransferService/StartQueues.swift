// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Those that may start, one line a host, so that a host without a free place holds up no other. Pure.
///
/// Changes cost O(log n), reading the first of all O(1).
struct StartQueues: Sendable {
    /// Of all hosts, as long as they are not limited: their name is empty then.
    private var unlimited: IndexedHeap<TransferID, QueueRank> = .init()
    private var queues: [String: IndexedHeap<TransferID, QueueRank>] = [:]
    /// The first transfer of each host that has a free slot.
    private var heads: IndexedHeap<String, QueueRank> = .init()
    private var full: Set<String> = []

    /// Whether no transfer is queued, at full hosts either.
    var isEmpty: Bool { unlimited.isEmpty && queues.isEmpty }

    /// The transfer to start next.
    var first: TransferID? { unlimited.first?.key ?? heads.first.flatMap { queues[$0.key]?.first?.key } }

    /// About the first `count` transfers.
    func leading(_ count: Int) -> [TransferID] {
        unlimited.leading(count) + heads.leading(8).flatMap { queues[$0]?.leading(count) ?? [] }
    }

    mutating func add(_ id: TransferID, _ rank: QueueRank, host: String) {
        guard !host.isEmpty else { return unlimited.set(id, rank) }
        queues[host, default: .init()].set(id, rank)
        lead(host)
    }

    mutating func remove(_ id: TransferID, host: String) {
        guard !host.isEmpty else { return unlimited.remove(id) }
        queues[host]?.remove(id)
        if queues[host]?.isEmpty == true { queues[host] = nil }
        lead(host)
    }

    mutating func setFull(_ isFull: Bool, host: String) {
        if isFull { full.insert(host) } else { full.remove(host) }
        lead(host)
    }

    private mutating func lead(_ host: String) {
        if !full.contains(host), let first = queues[host]?.first {
            heads.set(host, first.rank)
        } else {
            heads.remove(host)
        }
    }
}
