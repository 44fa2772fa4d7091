// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What has become of the transfers that somebody waits for, among all those of a queue. Pure.
struct WaitLedger {
    private let order: [TransferID]
    private let meant: Set<TransferID>
    private var ledger: RunLedger
    private var unended: Set<TransferID>
    /// Paused ones of which that was said.
    private var paused: Set<TransferID> = []

    /// - Parameter order: as they were given.
    init(order: [TransferID]) {
        self.order = order
        meant = Set(order)
        unended = meant
        ledger = RunLedger(order: order)
    }

    var isFinished: Bool { ledger.isFinished }
    var exitCode: Int32 { ledger.isSuccess ? 0 : ledger.exitCode }

    /// - Parameter now: seconds since 1970, for what the queue does not date.
    mutating func take(_ update: QueueUpdate, now: Double) -> [TransferEvent] {
        var news: [TransferEvent] = []
        switch update {
        case .events(let events):
            news = feed(.events(events.filter { meant.contains($0.transfer.id) }), now)
        case .snapshot(var snapshot):
            snapshot.transfers.removeAll { !meant.contains($0.id) }
            news = feed(.snapshot(snapshot), now)
            // What is not in it was forgotten while nobody listened.
            let left = unended.subtracting(snapshot.transfers.map(\.id))
            if !left.isEmpty { news += feed(.removed(order.filter(left.contains)), now) }
        case .removed(let ids): news = feed(.removed(ids.filter(meant.contains)), now)
        case .order, .limits: break
        }
        return news
    }

    /// Those among `news` that now wait for somebody, each told once until it moves again.
    mutating func newlyPaused(in news: [TransferEvent]) -> [TransferSnapshot] {
        news.compactMap { event in
            guard event.transfer.state == .paused else {
                paused.remove(event.transfer.id)
                return nil
            }
            return paused.insert(event.transfer.id).inserted ? event.transfer : nil
        }
    }

    private mutating func feed(_ update: QueueUpdate, _ now: Double) -> [TransferEvent] {
        // Pausing ends nothing here: somebody can let it go on at any time.
        let news = ledger.take(update, now: now, isStopping: true)
        for event in news where event.transfer.state.isEnded { unended.remove(event.transfer.id) }
        return news
    }
}
