// SPDX-License-Identifier: MIT

import Dispatch
public import TransferControl
public import TransferModel
import TransferStore

/// What the store knows beside what is in memory.
extension DurableQueue {
    public func info(_ id: TransferID) async throws -> TransferInfo {
        let (known, running) = await core.run { ($0.queue[id], $0.journal?.past(of: id)?.attempt) }
        await settle()
        return try await onStore { queue throws(TransferError) in
            var found = known
            if found == nil, let stored = try queue.store.transfer(id) { found = TransferSnapshot(stored) }
            guard let transfer = found else { throw TransferError(.usage, "no transfer has the id \(id)") }
            var attempts = try queue.store.attempts(of: id)
            if var running, attempts.last?.number != running.number {
                running.lastByte = transfer.bytes
                attempts.append(running)
            }
            return TransferInfo(transfer: transfer, attempts: attempts.map(TransferAttempt.init))
        }
    }

    public func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        await settle()
        return try await onStore { queue throws(TransferError) in
            var found: [HistoryEntry] = []
            var place = query.before
            let limit = min(max(1, query.limit), HistoryQuery.maximumLimit)
            while found.count < limit {
                let page = try queue.store.history(before: place.map { ($0.endedAt, $0.id) }, limit: 1000)
                guard let last = page.last else { break }
                let transfers = page.map(TransferSnapshot.init)
                found += query.filter.apply(to: transfers).map { HistoryEntry(endedAt: $0.endedAt ?? 0, transfer: $0) }
                place = HistoryEntry.Place(endedAt: last.endedAt ?? 0, id: last.id)
            }
            return Array(found.prefix(limit))
        }
    }

    public func clear(_ filter: QueueFilter) async throws -> Int {
        await settle()
        var count = 0
        while true {
            let ids = try await history(HistoryQuery(filter: filter, limit: HistoryQuery.maximumLimit)).map(\.transfer.id)
            guard !ids.isEmpty else { return count }
            let forgotten = try await forget(ids)
            guard forgotten > 0 else { return count }
            count += forgotten
        }
    }

    @discardableResult
    public func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await readmit([id])
        await settle()
        return try await onStore { queue throws(TransferError) in
            guard let stored = try queue.store.transfer(id) else { throw TransferError(.usage, "no transfer has the id \(id)") }
            guard stored.state != .completed else {
                throw TransferError(.usage, "transfer \(id) is completed: there is nothing left to fetch from another address")
            }
            let (description, dropped) = try queue.store.description(of: id).relocated(to: place)
            _ = try queue.store.replaceDescription(of: id, with: description)
            queue.core.work.sync { queue.core.coordinator.relocated(id, description) }
            return dropped
        }
    }

    // MARK: Inside

    func forget(_ ids: [TransferID]) async throws -> Int {
        try await onStore { queue throws(TransferError) in
            let (ended, unknown) = queue.core.work.sync {
                (ids.filter { queue.core.coordinator.queue[$0]?.state.isEnded == true }, ids.filter { queue.core.coordinator.queue[$0] == nil })
            }
            for id in unknown {
                guard try queue.store.transfer(id) != nil else { throw TransferError(.usage, "no transfer has the id \(id)") }
            }
            // One that somebody has started again a moment ago stays.
            let gone = queue.core.work.sync { queue.core.coordinator.forget(ended) }
            try queue.store.remove(gone + unknown)
            return gone.count + unknown.count
        }
    }

    /// Takes transfers that have ended out of the queue, now and when it is opened again; the history keeps them.
    func dismiss(_ ids: [TransferID]) async throws {
        await settle()
        try await onStore { queue throws(TransferError) in
            let unknown = queue.core.work.sync { ids.filter { queue.core.coordinator.queue[$0] == nil } }
            for id in unknown {
                guard try queue.store.transfer(id) != nil else { throw TransferError(.usage, "no transfer has the id \(id)") }
            }
            // Those that have not ended stay.
            let gone = queue.core.work.sync { queue.core.coordinator.forget(ids) }
            try queue.store.setListed(gone, false)
        }
    }

    /// Takes transfers back into the queue that ended long ago and are in the history alone.
    func readmit(_ ids: [TransferID]) async throws {
        let missing = await core.run { coordinator in ids.filter { coordinator.queue[$0] == nil } }
        guard !missing.isEmpty else { return }
        await settle()
        try await onStore { queue throws(TransferError) in
            var found: [StoredTransfer] = []
            for id in missing {
                guard let stored = try queue.store.transfer(id) else { throw TransferError(.usage, "no transfer has the id \(id)") }
                if stored.state.isEnded { found.append(stored) }
            }
            try queue.store.setListed(found.map(\.id), true)
            queue.core.work.sync { queue.core.coordinator.takeIn(found, []) }
        }
    }

    /// Returns when the store knows all that has happened so far.
    func settle() async {
        // What was told a moment ago is recorded on `work`.
        await core.run { _ in }
        // Where the disk takes nothing, the writer has reported it, and what the store has is all there is.
        try? await journal.writer.flush()
    }

    func onStore<Value: Sendable>(_ body: @escaping @Sendable (DurableQueue) throws(TransferError) -> Value) async throws -> Value {
        try await withCheckedContinuation { done in
            storing.async { [self] in done.resume(returning: Result { () throws(TransferError) in try body(self) }) }
        }.get()
    }
}

extension TransferAttempt {
    init(_ stored: StoredAttempt) {
        self.init(number: stored.number, startedAt: stored.startedAt, url: stored.url, firstByte: stored.firstByte)
        (endedAt, lastByte, status) = (stored.endedAt, stored.lastByte, stored.status)
        (error, metrics) = (stored.error, stored.metrics)
    }
}
