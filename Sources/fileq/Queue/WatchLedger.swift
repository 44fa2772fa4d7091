// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The events of the whole queue: takes updates, returns events. No I/O.
///
/// A snapshot yields events for differences only, so that one after missed changes repeats nothing.
struct WatchLedger {
    private struct Known: Equatable {
        var state: TransferState
        var bytes: Int64
        var attempt: Int
    }

    private let matcher: QueueFilterMatcher
    /// Whether the first snapshot includes finished transfers.
    private let reportsEnded: Bool
    private var known: [TransferID: Known] = [:]
    private var isFirst = true

    init(filter: QueueFilter) {
        matcher = QueueFilterMatcher(filter)
        reportsEnded = filter != QueueFilter()
    }

    /// - Parameter now: seconds since 1970, for what the queue does not date.
    mutating func take(_ update: QueueUpdate, now: Double) -> [TransferEvent] {
        switch update {
        case .events(let events):
            return events.filter { event in
                note(event.transfer)
                return matcher.takes(event.transfer)
            }
        case .snapshot(let snapshot):
            defer { isFirst = false }
            return snapshot.transfers.compactMap { transfer in
                let before = known[transfer.id]
                note(transfer)
                guard matcher.takes(transfer), before != known[transfer.id],
                    !(isFirst && transfer.state.isEnded && !reportsEnded)
                else { return nil }
                let name = before?.state == transfer.state ? .progress : TransferEvent.Name(of: transfer.state)
                return TransferEvent(time: now, name: name, transfer: transfer)
            }
        case .removed(let ids):
            for id in ids { known[id] = nil }
            return []
        case .order, .limits: return []
        }
    }

    /// Unfinished transfers that are not in `snapshot`: they ended, and are only in the history. The service sends the
    /// whole queue again to who reads too slowly, and then keeps the latest ends alone.
    func missing(in snapshot: QueueSnapshot) -> [TransferID] {
        var open = known.filter { !$0.value.state.isEnded }
        guard !open.isEmpty else { return [] }
        for transfer in snapshot.transfers { open[transfer.id] = nil }
        return open.keys.sorted()
    }

    /// - Parameters:
    ///   - transfers: what the history has of `missing`.
    ///   - missing: from ``missing(in:)``; they are no longer expected.
    mutating func take(ended transfers: [Transfer], of missing: [TransferID], now: Double) -> [TransferEvent] {
        for id in missing { known[id] = nil }
        return transfers.filter { $0.state.isEnded && matcher.takes($0) }.map { transfer in
            TransferEvent(
                time: transfer.endedAt ?? now, name: TransferEvent.Name(of: transfer.state), transfer: transfer)
        }
    }

    private mutating func note(_ transfer: Transfer) {
        known[transfer.id] = Known(state: transfer.state, bytes: transfer.bytes, attempt: transfer.attempt)
    }
}

extension TransferEvent.Name {
    /// The event for entering `state`.
    init(of state: TransferState) {
        self =
            switch state {
            case .queued: .queued
            case .running: .started
            case .waiting: .waiting
            case .retrying: .retrying
            case .paused: .paused
            case .verifying: .verifying
            case .completed: .completed
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}
