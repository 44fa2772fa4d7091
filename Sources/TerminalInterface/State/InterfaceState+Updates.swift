// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Applies an update. The selection follows its transfer; if that is removed, its neighbour is selected.
    mutating func receive(_ update: QueueUpdate) {
        let (index, before) = (selectedIndex, selection)
        var changesList = true
        switch update {
        case .snapshot(let snapshot): replaceAll(snapshot)
        case .events(let events):
            changesList = false
            for event in events {
                noteEvent(event.transfer, transfers[event.transfer.id])
                if note(event.transfer) { changesList = true }
            }
            listing.layOut()
            if listOrder != nil, now - sortedAt >= 1 { changesList = true }
        case .order(let order): listing.setOrder(order)
        case .removed(let ids): forget(Set(ids))
        case .limits(let limits):
            let (isHeld, wasHeld) = (limits.isHeld == true, self.limits.isHeld == true)
            if isLoaded, isHeld != wasHeld {
                let text = isHeld ? "The queue is held, also what is added" : "The queue is released"
                log.add(.note, text, at: now)
                // Another client has done the opposite.
                if let said = notice?.isHeld, said != isHeld { setNotice(text, isHeld: isHeld) }
            }
            self.limits = limits
            changesList = false
        }
        guard changesList else { return }
        refilter(near: index)
        selectAgain(before)
    }

    /// A transfer that leaves the list for a moment, as an attempt leaves the problems, is selected again: keys would
    /// act on its neighbour.
    private mutating func selectAgain(_ before: TransferID?) {
        guard !view.hasOwnList else { return departed = nil }
        guard let left = departed ?? before, left != selection, transfers[left] != nil else { return departed = nil }
        departed = left
        guard listing.contains(left), listing.key(of: left).map({ !groups.isFolded($0) }) ?? true else { return }
        select(left)
        departed = nil
        normalize()
    }

    /// The first transfers of a long queue, which are shown until all are here.
    mutating func receive(firstPage page: [Transfer]) {
        guard !isLoaded else { return }
        showListing()
        for transfer in page { _ = note(transfer) }
        listing.layOut()
        refilter(near: nil)
    }

    /// Adjusts the rows to what is to be shown, and the selection to the rows.
    mutating func refilter(near index: Int?) {
        if view == .log { return normalize() }
        if view == .history {
            let shown = history.order.compactMap { history.transfers[$0] }.filter { transfer in
                listFilter.isEmpty || listFilter.takes(transfer, reason: words.reason)
            }
            shownHistory = listOrder?.sorted(shown) ?? shown.map(\.id)
        } else {
            shownHistory = nil
            showListing()
            listing.reorder()
            sortedAt = now
        }
        keepSelection(near: index)
        if selection == nil, overlay == .detail { overlay = nil }
        normalize()
    }

    /// Gives the listing what it is to show.
    mutating func showListing() {
        let transfers = transfers
        listing.reason = words.reason
        listing.show(listingSpec, agesFrom: agesCountFrom) { transfers[$0] }
    }

    private mutating func replaceAll(_ snapshot: QueueSnapshot) {
        let known = transfers
        for transfer in snapshot.transfers { noteEvent(transfer, known[transfer.id]) }
        transfers = TransferTable(snapshot.transfers)
        lastMoved = [:]
        for transfer in snapshot.transfers where transfer.state == .running {
            lastMoved[transfer.id] = transfer.lastMoved(at: now)
        }
        listing.replaceAll([])
        showListing()
        listing.replaceAll(snapshot.transfers)
        // Thousands that end at once may have left for the history before this.
        if isLoaded { lost += known.values.filter { !$0.state.isEnded && transfers[$0.id] == nil }.map(\.id).sorted() }
        marks = marks.filter { transfer($0) != nil }
        limits = snapshot.limits
        if !isLoaded { noteEarlierEvents() }
        isLoaded = true
    }

    /// - Returns: whether the visible transfers may have changed.
    private mutating func note(_ transfer: Transfer) -> Bool {
        noteMovement(of: transfer)
        transfers[transfer.id] = transfer
        return listing.note(transfer)
    }

    /// Before ``transfers`` has the new state.
    private mutating func noteMovement(of transfer: Transfer) {
        guard transfer.state == .running else {
            lastMoved[transfer.id] = nil
            return
        }
        let known = transfers[transfer.id]
        if isLoaded, known?.state != .running { startedAt = now }
        if lastMoved[transfer.id] == nil || known?.bytes != transfer.bytes || known?.attempt != transfer.attempt {
            lastMoved[transfer.id] = transfer.lastMoved(at: now)
        }
    }

    mutating func setNotice(_ text: String, isHeld: Bool) {
        notice = Notice(text: text)
        notice?.isHeld = isHeld
    }

    private mutating func forget(_ ids: Set<TransferID>) {
        for id in ids {
            transfers[id] = nil
            lastMoved[id] = nil
            // The history, while it is shown, still has it, until it is loaded without it.
            if view != .history || history.transfers[id] == nil { marks.remove(id) }
        }
        listing.remove(ids)
    }
}
