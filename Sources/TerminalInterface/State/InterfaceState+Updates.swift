// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Applies an update. The selection follows its transfer; if that is removed, its neighbour is selected.
    mutating func receive(_ update: QueueUpdate) {
        let (index, before) = (list.selectedIndex, list.selection)
        var changesList = true
        switch update {
        case .snapshot(let snapshot): replaceAll(snapshot)
        case .events(let events):
            changesList = false
            for event in events {
                noteEvent(event.transfer, list.transfers[event.transfer.id])
                if list.note(event.transfer, now: now) { changesList = true }
            }
            list.listing.layOut()
            if list.listOrder != nil || list.view == .now, now - list.sortedAt >= 1 { changesList = true }
        case .order(let order): list.listing.setOrder(order)
        case .removed(let ids): list.forget(Set(ids))
        case .limits(let limits):
            let (isHeld, wasHeld) = (limits.isHeld == true, self.limits.isHeld == true)
            if list.isLoaded, isHeld != wasHeld {
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
        if let left = list.returned(before) {
            select(left)
            normalize()
        }
        sayWhereRowsWent()
    }

    /// The first transfers of a long queue, which are shown until all are here.
    mutating func receive(firstPage page: [Transfer]) {
        guard !list.isLoaded else { return }
        list.showListing(setup)
        for transfer in page { _ = list.note(transfer, now: now) }
        list.listing.layOut()
        refilter(near: nil)
    }

    /// Adjusts the rows to what is to be shown, and the selection to the rows.
    mutating func refilter(near index: Int?) {
        if list.view != .log { list.refilter(near: index, setup, now: now) }
        if list.view != .log, list.selection == nil, overlay == .detail { overlay = nil }
        normalize()
    }

    private mutating func replaceAll(_ snapshot: QueueSnapshot) {
        for transfer in snapshot.transfers { noteEvent(transfer, list.transfers[transfer.id]) }
        list.replaceAll(snapshot, setup, now: now)
        limits = snapshot.limits
        if !list.isLoaded { log.addEarlier(events.earlier(list, now: now)) }
        list.isLoaded = true
    }

    mutating func setNotice(_ text: String, isHeld: Bool) {
        notice = Notice(text: text)
        notice?.isHeld = isHeld
    }
}
