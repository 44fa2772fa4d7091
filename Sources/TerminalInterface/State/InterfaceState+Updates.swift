// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Applies an update. The selection follows its transfer; if that is removed, its neighbour is selected.
    mutating func receive(_ update: QueueUpdate) {
        let index = selectedIndex
        var changesList = true
        switch update {
        case .snapshot(let snapshot): replaceAll(snapshot)
        case .events(let events):
            changesList = false
            for event in events {
                noteEvent(event.transfer, transfers[event.transfer.id])
                if note(event.transfer) { changesList = true }
            }
            if listOrder != nil, now - sortedAt >= 1 { changesList = true }
        case .order(let order): self.order = order.filter { transfers[$0] != nil }
        case .removed(let ids): forget(Set(ids))
        case .limits(let limits):
            let (isHeld, wasHeld) = (limits.isHeld == true, self.limits.isHeld == true)
            if isLoaded, isHeld != wasHeld {
                log.add(.note, isHeld ? "The queue is held, also what is added" : "The queue is released", at: now)
            }
            self.limits = limits
            changesList = false
        }
        if changesList { refilter(near: index) }
    }

    /// The first transfers of a long queue, which are shown until all are here.
    mutating func receive(firstPage page: [Transfer]) {
        guard !isLoaded else { return }
        for transfer in page { _ = note(transfer) }
        refilter(near: nil)
    }

    /// Recomputes `visible` and adjusts the selection.
    mutating func refilter(near index: Int?) {
        if view == .log { return normalize() }
        if view == .history {
            let shown = history.order.compactMap { history.transfers[$0] }.filter { transfer in
                listFilter.isEmpty || listFilter.takes(transfer, words)
            }
            visible = listOrder?.sorted(shown) ?? shown.map(\.id)
        } else if view == .all, listFilter.isEmpty, listOrder == nil {
            visible = order
        } else {
            let shown = order.compactMap { transfers[$0] }.filter(isShown)
            visible = listOrder?.sorted(shown) ?? shown.map(\.id)
            sortedAt = now
        }
        regroup(near: index)
        if selection == nil, overlay == .detail { overlay = nil }
        normalize()
    }

    private mutating func replaceAll(_ snapshot: QueueSnapshot) {
        let known = transfers
        transfers = [:]
        lastMoved = [:]
        tally = Tally()
        ownCounts = Array(repeating: 0, count: ownViews.count)
        order = []
        for transfer in snapshot.transfers {
            noteEvent(transfer, known[transfer.id])
            _ = note(transfer)
        }
        // Thousands that end at once may have left for the history before this.
        if isLoaded { lost += known.values.filter { !$0.state.isEnded && transfers[$0.id] == nil }.map(\.id).sorted() }
        groups.forgetKeys()
        marks.formIntersection(transfers.keys)
        limits = snapshot.limits
        if !isLoaded { noteEarlierEvents() }
        isLoaded = true
    }

    /// - Returns: whether the visible transfers may have changed.
    private mutating func note(_ transfer: Transfer) -> Bool {
        tally.add(transfer)
        countOwn(transfer, 1)
        noteMovement(of: transfer)
        guard let known = transfers.updateValue(transfer, forKey: transfer.id) else {
            order.append(transfer.id)
            return true
        }
        tally.remove(known)
        countOwn(known, -1)
        let isMember = isShown(transfer)
        let changesMembers = isShown(known) != isMember
        guard grouping != nil else { return changesMembers }
        if known.url != transfer.url || known.file != transfer.file {
            groups.forgetKey(of: transfer.id)
            return changesMembers || isMember
        }
        if isMember { groups.replace(known, with: transfer) }
        return changesMembers
    }

    private func isShown(_ transfer: Transfer) -> Bool {
        contains(view, transfer) && (listFilter.isEmpty || listFilter.takes(transfer, words))
    }

    /// Before ``transfers`` has the new state.
    private mutating func noteMovement(of transfer: Transfer) {
        guard transfer.state == .running else {
            lastMoved[transfer.id] = nil
            return
        }
        let known = transfers[transfer.id]
        if lastMoved[transfer.id] == nil || known?.bytes != transfer.bytes || known?.attempt != transfer.attempt {
            lastMoved[transfer.id] = now
        }
    }

    private mutating func forget(_ ids: Set<TransferID>) {
        for id in ids {
            guard let known = transfers.removeValue(forKey: id) else { continue }
            tally.remove(known)
            countOwn(known, -1)
            lastMoved[id] = nil
        }
        order.removeAll(where: ids.contains)
        marks.subtract(ids)
    }
}
