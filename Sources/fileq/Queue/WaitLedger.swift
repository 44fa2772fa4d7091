// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The state of the transfers that a command waits for. No I/O.
struct WaitLedger {
    private let order: [TransferID]
    private let meant: Set<TransferID>
    private var ledger: RunLedger
    private var unended: Set<TransferID>
    /// Paused transfers that have been reported.
    private var paused: Set<TransferID> = []

    /// - Parameter order: as given.
    init(order: [TransferID]) {
        self.order = order
        meant = Set(order)
        unended = meant
        ledger = RunLedger(order: order)
    }

    var isFinished: Bool { ledger.isFinished }
    var exitCode: Int32 { ledger.isSuccess ? 0 : ledger.exitCode }

    /// Transfers whose end is not known and that are not in this list, in the order given.
    func missing(in snapshot: QueueSnapshot) -> [TransferID] {
        let left = unended.subtracting(snapshot.transfers.map(\.id))
        return left.isEmpty ? [] : order.filter(left.contains)
    }

    /// - Parameter now: seconds since 1970, for what the queue does not date.
    mutating func take(_ update: QueueUpdate, now: Double) -> [TransferEvent] {
        var news: [TransferEvent] = []
        switch update {
        case .events(let events):
            news = feed(.events(events.filter { meant.contains($0.transfer.id) }), now)
        case .snapshot(var snapshot):
            snapshot.transfers.removeAll { !meant.contains($0.id) }
            // A missing transfer was removed without a connection.
            let missing = missing(in: snapshot)
            news = feed(.snapshot(snapshot), now)
            if !missing.isEmpty { news += feed(.removed(missing), now) }
        case .removed(let ids): news = feed(.removed(ids.filter(meant.contains)), now)
        case .order, .limits: break
        }
        return news
    }

    /// Transfers among `news` that need the user, each reported once until it moves again.
    mutating func newlyPaused(in news: [TransferEvent]) -> [Transfer] {
        news.compactMap { event in
            guard event.transfer.state == .paused else {
                paused.remove(event.transfer.id)
                return nil
            }
            return paused.insert(event.transfer.id).inserted ? event.transfer : nil
        }
    }

    private mutating func feed(_ update: QueueUpdate, _ now: Double) -> [TransferEvent] {
        // A pause ends nothing here: it can be resumed at any time.
        let news = ledger.take(update, now: now, isStopping: true)
        for event in news where event.transfer.state.isEnded { unended.remove(event.transfer.id) }
        return news
    }
}
