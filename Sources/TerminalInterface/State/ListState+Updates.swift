// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Snapshots and updates of the queue.
extension ListState {
    mutating func replaceAll(_ snapshot: QueueSnapshot, _ setup: InterfaceSetup, now: Double) {
        let known = transfers
        transfers = TransferTable(snapshot.transfers)
        (lastMoved, fresh, listing.lingering) = ([:], [:], [])
        for transfer in snapshot.transfers where transfer.state == .running {
            lastMoved[transfer.id] = transfer.lastMoved(since: nil, at: nil, now: now)
        }
        listing.replaceAll([])
        showListing(setup)
        listing.replaceAll(snapshot.transfers)
        // Thousands that end at once may have left for the history before this.
        if isLoaded { lost += known.values.filter { !$0.state.isEnded && transfers[$0.id] == nil }.map(\.id).sorted() }
        keepMarks()
    }

    /// - Returns: whether the visible transfers may have changed.
    mutating func note(_ transfer: Transfer, now: Double) -> Bool {
        let known = transfers[transfer.id]
        if isLoaded, transfer.state == .running, known?.state != .running { startedAt = now }
        lastMoved[transfer.id] = transfer.lastMoved(since: known, at: lastMoved[transfer.id], now: now)
        transfers[transfer.id] = transfer
        if let known, isLoaded, transfer.hasNews(since: known) {
            fresh[transfer.id] = now
            let lingers = view == .now && ListingView.done.contains(transfer)
            if lingers, listing.lingering.count < Self.mostLingering { listing.lingering.insert(transfer.id) }
        }
        return listing.note(transfer)
    }

    /// Seconds for which a new state is bold, and what has finished stays in its row.
    static let freshness = 3.0
    /// So many at once; a stream of small files would push everything else off the screen.
    private static let mostLingering = 8

    func isFresh(_ id: TransferID) -> Bool { fresh[id] != nil }

    /// - Returns: whether rows have changed their places.
    mutating func age(to now: Double) -> Bool {
        guard fresh.values.contains(where: { now - $0 >= Self.freshness }) else { return false }
        fresh = fresh.filter { now - $0.value < Self.freshness }
        let over = listing.lingering.filter { fresh[$0] == nil }
        listing.lingering.subtract(over)
        for id in over {
            if let transfer = transfers[id] { _ = listing.note(transfer) }
        }
        listing.layOut()
        return !over.isEmpty
    }

    mutating func forget(_ ids: Set<TransferID>) {
        for id in ids {
            transfers[id] = nil
            (lastMoved[id], fresh[id]) = (nil, nil)
            // The history, while it is shown, still has it, until it is loaded without it.
            if view != .history || history.transfers[id] == nil { marks.remove(id) }
        }
        listing.remove(ids)
    }

    /// A transfer that leaves the list for a moment, as an attempt leaves the problems, is selected again: keys would
    /// act on its neighbour.
    /// - Parameter before: what was selected.
    /// - Returns: the one to select.
    mutating func returned(_ before: TransferID?) -> TransferID? {
        let left = view.hasOwnList ? nil : departed ?? before
        departed = nil
        guard let left, left != selection, transfers[left] != nil else { return nil }
        if listing.contains(left), listing.key(of: left).map({ !groups.isFolded($0) }) ?? true { return left }
        departed = left
        return nil
    }

    /// The outlook with the downloads of the queue that have, or will have, the same files.
    func compared(_ outlook: AddOutlook) -> AddOutlook {
        guard !outlook.files.isEmpty else { return outlook }
        var outlook = outlook
        let files = Set(outlook.files)
        var taken: Set<String> = []
        for id in order {
            guard let transfer = transfers[id], transfer.kind == .download, !transfer.state.isEnded,
                files.contains(transfer.file)
            else { continue }
            outlook.holder = outlook.holder ?? id
            taken.insert(transfer.file)
        }
        (outlook.taken, outlook.files) = (taken.count, [])
        return outlook
    }
}

extension Transfer {
    /// Whether it has ended, or a question of it was answered.
    fileprivate func hasNews(since known: Transfer) -> Bool {
        state.isEnded && state != known.state || known.question != nil && question == nil
    }
}
