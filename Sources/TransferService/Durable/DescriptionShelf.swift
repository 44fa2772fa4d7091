// SPDX-License-Identifier: MIT

import TransferModel

/// Descriptions of transfers that are about to start, and of whom else one is wanted. Pure.
///
/// A long queue does not keep what was asked for in memory: a few are fetched ahead, in the queue's order.
struct DescriptionShelf {
    /// How many are fetched at once, and how many lie ready at most.
    static let portion = 64
    private static let capacity = 256
    /// Whether nothing else keeps them: then all stay here until their transfers are completed or forgotten.
    let keepsAll: Bool

    /// Outside of the table, which keeps its size.
    private final class Box: Sendable {
        let spec: Spec
        init(_ spec: Spec) { self.spec = spec }
    }

    private var ready: [TransferID: Box] = [:]
    private var awaited: Set<TransferID> = []
    private var isFetching = false
    /// Replaced while they were being fetched.
    private var outdated: Set<TransferID> = []

    init(keepsAll: Bool = false) { self.keepsAll = keepsAll }

    mutating func take(_ id: TransferID) -> Spec? { ready.removeValue(forKey: id)?.spec }

    /// Drops the one of a transfer that is being started otherwise.
    mutating func forget(_ id: TransferID) { ready[id] = nil }

    func known(_ id: TransferID) -> Spec? { ready[id]?.spec }

    mutating func put(_ description: Spec, _ id: TransferID) {
        // Those that have lain here longest are of transfers that do not start.
        if !keepsAll, ready.count >= Self.capacity { ready.removeAll(keepingCapacity: true) }
        ready[id] = Box(description)
    }

    /// What was just added: the first of them are likely to start soon.
    mutating func put(_ descriptions: [Spec], of ids: [TransferID]) {
        for (description, id) in zip(descriptions, ids).prefix(keepsAll ? .max : Self.portion) { put(description, id) }
    }

    /// Puts back what a transfer was asked for that has ended and may be retried, unless the store keeps it.
    mutating func putBack(_ description: Spec, _ id: TransferID) {
        if keepsAll { ready[id] = Box(description) }
    }

    mutating func await(_ id: TransferID) { awaited.insert(id) }

    /// - Parameter following: those that start next.
    /// - Returns: which to fetch now; `nil` while a fetch is under way, or where nobody waits.
    mutating func nextFetch(following: (Int) -> [TransferID]) -> [TransferID]? {
        guard !isFetching, !awaited.isEmpty else { return nil }
        isFetching = true
        let ahead = following(Self.portion).filter { !awaited.contains($0) && ready[$0] == nil }
        return awaited.sorted() + ahead
    }

    /// - Returns: who waited, of those that were fetched; and whose description is another by now.
    mutating func fetched(_ ids: [TransferID]) -> (waiting: [TransferID], outdated: Set<TransferID>) {
        isFetching = false
        defer { outdated = [] }
        return (ids.filter { awaited.remove($0) != nil }, outdated)
    }

    mutating func forget(_ ids: [TransferID]) {
        for id in ids { ready[id] = nil }
        if isFetching { outdated.formUnion(ids) }
    }
}
