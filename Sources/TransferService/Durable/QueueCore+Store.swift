// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// Calls that need the store besides the state in memory.
extension QueueCore {
    func info(_ id: TransferID) async throws -> TransferInfo {
        let (known, running, start, ranges, described, heads, expires) = await run {
            (
                $0.queue[id], $0.journal.attempt(of: id), $0.runs[id]?.firstByte, $0.ranges(of: id),
                ($0.runs[id] as? DownloadRun)?.describedAddresses, $0.heads(of: id), $0.uploadExpiry(of: id)
            )
        }
        // A flush would sync the disk, which `info` may wait long for and has no need of.
        let store = store
        _ = await withCheckedContinuation { done in store.commit(including: id) { done.resume(returning: $0) } }
        return try await onStore { core throws(TransferError) in
            var found = known
            if found == nil, let stored = try core.store.transfer(id) { found = stored }
            guard let transfer = found else { throw TransferError.unknownTransfer(id) }
            var attempts = try core.store.attempts(of: id)
            if var running {
                running.firstByte = start ?? running.firstByte
                running.lastByte = transfer.bytes
                if let last = attempts.last, last.number == running.number {
                    // What was stored when it was paused, by an earlier process, too.
                    if last.endedAt == nil {
                        running.startedAt = min(last.startedAt, running.startedAt)
                        running.firstByte = min(last.firstByte, running.firstByte)
                        attempts[attempts.count - 1] = running
                    }
                } else {
                    attempts.append(running)
                }
            }
            var mirrors = described ?? []
            if described == nil, transfer.kind == .download,
                case .success(let spec)? = try core.store.descriptions(of: [id])[id],
                case .download(let download) = spec.operation
            {
                mirrors = download.mirrors.map(\.url.string)
            }
            return TransferInfo(
                transfer: transfer, attempts: attempts, mirrors: mirrors.isEmpty ? nil : mirrors, ranges: ranges,
                heads: heads, uploadExpires: expires)
        }
    }

    func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        await waitForStore()
        return try await onStore { core throws(TransferError) in
            var found: [HistoryEntry] = []
            var place = query.before
            let limit = min(max(1, query.limit), HistoryQuery.maximumLimit)
            while found.count < limit {
                let page = try core.store.history(before: place.map { ($0.endedAt, $0.id) }, limit: 1000)
                guard let last = page.last else { break }
                found += query.filter.apply(to: page).map { HistoryEntry(endedAt: $0.endedAt ?? 0, transfer: $0) }
                place = HistoryEntry.Place(endedAt: last.endedAt ?? 0, id: last.id)
            }
            return Array(found.prefix(limit))
        }
    }

    func clear(_ filter: QueueFilter) async throws -> Int {
        await waitForStore()
        var cleared: [TransferID] = []
        var inverse: [UndoLog.Step] = []
        var failure: (any Error)?
        do {
            while true {
                let query = HistoryQuery(filter: filter, limit: HistoryQuery.maximumLimit)
                let ids = try await history(query).map(\.transfer.id)
                let (forgotten, steps) = ids.isEmpty ? ([], []) : try await forget(ids, matching: filter)
                if forgotten.isEmpty { break }
                cleared += forgotten
                inverse += steps
            }
        } catch { failure = error }
        await noteCleared(cleared, inverse)
        if let failure { throw failure }
        return cleared.count
    }

    /// Until it can no longer be undone, what was cleared is only hidden.
    private func noteCleared(_ ids: [TransferID], _ inverse: [UndoLog.Step]) async {
        guard !ids.isEmpty else { return }
        let end = await run { coordinator in
            coordinator.noteUndo("clear", inverse)
            return coordinator.scheduler.now + UndoneCommand.lifetime
        }
        coordinator.scheduler.schedule(at: end) { [storing, store, weak coordinator] in
            EngineActor.async {
                guard let coordinator else { return }
                // They came back, and were cleared again.
                let later = coordinator.undoLog.cleared(after: coordinator.scheduler.now)
                storing.async {
                    // Else the next opening removes them.
                    do {
                        try store.remove(ids.filter { try !later.contains($0) && store.transfer($0) == nil })
                    } catch {}
                }
            }
        }
    }

    // MARK: Inside

    /// - Parameter filter: what the queue has now must match it: the store may have an earlier state. `nil`: all leave,
    ///   permanently.
    /// - Returns: those that have left, and what returns them.
    func forget(
        _ ids: [TransferID], matching filter: QueueFilter? = nil
    ) async throws -> ([TransferID], [UndoLog.Step]) {
        let matcher = QueueFilterMatcher(filter ?? QueueFilter())
        return try await onStore { core throws(TransferError) in
            let unknown = EngineActor.sync { ids.filter { core.coordinator.queue[$0] == nil } }
            for id in unknown {
                guard try core.store.transfer(id) != nil else {
                    throw TransferError.unknownTransfer(id)
                }
            }
            // One that was started again a moment ago stays.
            let gone = EngineActor.sync {
                let matching = ids.filter { id in
                    core.coordinator.queue[id].map { $0.state.isEnded && matcher.takes($0) } == true
                }
                return core.coordinator.setAside(matching) { core.coordinator.forget($0) }
            }
            let all = gone.ids + unknown
            do throws(TransferError) {
                if filter == nil { try core.store.remove(all) } else { try core.store.setCleared(all, true) }
            } catch {
                EngineActor.sync { core.coordinator.putBack(gone) }
                throw error
            }
            return (all, [.unclear(all), .relist(gone.ids), .places(gone.places)])
        }
    }

    /// Removes ended transfers from the queue, also when it is opened again; the history keeps them.
    func dismiss(_ ids: [TransferID]) async throws {
        await waitForStore()
        try await onStore { core throws(TransferError) in
            let unknown = EngineActor.sync { ids.filter { core.coordinator.queue[$0] == nil } }
            for id in unknown {
                guard try core.store.transfer(id) != nil else {
                    throw TransferError.unknownTransfer(id)
                }
            }
            // Those that have not ended stay.
            let gone = EngineActor.sync { core.coordinator.setAside(ids) { core.coordinator.dismiss($0) } }
            do throws(TransferError) { try core.store.setListed(gone.ids, false) } catch {
                EngineActor.sync { core.coordinator.putBack(gone) }
                throw error
            }
        }
    }

    /// Returns transfers to the queue that ended long ago and are only in the history.
    func requeueFromHistory(_ ids: [TransferID]) async throws {
        let missing = await run { coordinator in ids.filter { coordinator.queue[$0] == nil } }
        guard !missing.isEmpty else { return }
        await waitForStore()
        try await onStore { core throws(TransferError) in
            var found: [Transfer] = []
            for id in missing {
                guard let stored = try core.store.transfer(id) else {
                    throw TransferError.unknownTransfer(id)
                }
                if stored.state.isEnded { found.append(stored) }
            }
            try core.store.setListed(found.map(\.id), true)
            EngineActor.sync { core.coordinator.relist(found) }
        }
    }

    /// Returns when the store contains all changes so far.
    func waitForStore() async {
        // Waits for the engine to record its latest changes.
        await run { _ in }
        // If the disk accepts nothing, the writer has reported it, and the store's content is the best available.
        await flush { _ in }
    }

    // MARK: Background sessions

    func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await onStore { core throws(TransferError) in
            var events: [SessionEvent] = []
            for stored in try core.store.events(of: session, limit: min(max(1, limit), SessionEvent.maximumLimit)) {
                events.append(try SessionEvent(decoding: stored.payload, sequence: stored.sequence))
            }
            return events
        }
    }

    func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        try await onStore { core throws(TransferError) in try core.store.acknowledgeEvents(of: session, upTo: sequence)
        }
    }
}
