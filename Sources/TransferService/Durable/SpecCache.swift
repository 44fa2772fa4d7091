// SPDX-License-Identifier: MIT

import TransferModel

/// A cache of specs of transfers that will start soon, and the transfers that wait for theirs. Pure.
///
/// A long queue does not hold its specs in memory: some are prefetched, in the queue's order.
struct SpecCache {
    /// Specs per fetch.
    static let portion = 64
    /// Specs per fetch of small downloads, which need them quickly.
    static let largePortion = 256
    /// Specs of new transfers that stay here, instead of being decoded again.
    static let capacity = 16_384
    /// Whether no store has the specs: then all stay here until their transfers are completed or removed.
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
        // The oldest entries belong to transfers that do not start.
        if !keepsAll, ready.count >= Self.capacity { ready.removeAll(keepingCapacity: true) }
        ready[id] = Box(description)
    }

    /// Adds the specs of new transfers: the first of them will probably start soon.
    /// - Parameter start: how many were added before them at the same time.
    mutating func put(_ descriptions: some Collection<Spec>, of ids: [TransferID], from start: Int = 0) {
        guard keepsAll || start < Self.capacity else { return }
        for (description, id) in zip(descriptions, ids).prefix(keepsAll ? .max : max(0, Self.capacity - ready.count)) {
            put(description, id)
        }
    }

    /// Keeps the spec of an ended transfer for a retry, unless the store has it.
    mutating func putBack(_ description: Spec, _ id: TransferID) {
        if keepsAll { ready[id] = Box(description) }
    }

    mutating func await(_ id: TransferID) { awaited.insert(id) }

    /// - Parameter following: returns the transfers that start next.
    /// - Returns: the specs to fetch now; `nil` while a fetch is pending, or if no transfer waits.
    mutating func nextFetch(following: (Int) -> [TransferID]) -> [TransferID]? {
        guard !isFetching, !awaited.isEmpty else { return nil }
        isFetching = true
        let ahead = following(Self.portion).filter { !awaited.contains($0) && ready[$0] == nil }
        return awaited.sorted() + ahead
    }

    /// - Returns: the specs to fetch now for small downloads; `nil` while a fetch is pending, or if enough are here.
    mutating func nextPrefetch(following: (Int) -> [TransferID]) -> [TransferID]? {
        guard !keepsAll, !isFetching, ready.count < Self.largePortion / 2 else { return nil }
        let ahead = following(Self.largePortion).filter { ready[$0] == nil && !awaited.contains($0) }
        guard !ahead.isEmpty else { return nil }
        isFetching = true
        return awaited.sorted() + ahead
    }

    /// - Returns: the fetched transfers that wait for their spec, and those whose spec was replaced meanwhile.
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
