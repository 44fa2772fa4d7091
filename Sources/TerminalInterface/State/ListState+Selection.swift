// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Selection and marks. Either a transfer is selected, or the heading of a group, whose members are then the
/// targets.
extension ListState {
    var hasSelection: Bool { selection != nil || selectedGroup != nil }

    /// Not in the log, which keeps the selection for the other views.
    var selected: Transfer? { view == .log ? nil : selection.flatMap(transfer) }

    var selectedRow: ListRow? { selectedGroup.map(ListRow.group) ?? selection.map(ListRow.transfer) }

    /// The index of the selected row.
    var selectedIndex: Int? {
        guard isGrouped else {
            return selection.flatMap { id in
                shownHistory.map { $0.firstIndex(of: id) } ?? listing.index(of: id)
            }
        }
        return selectedRow.flatMap { listing.index(of: $0) }
    }

    /// The members of the group whose heading is selected.
    var groupMembers: [TransferID] { selectedGroup.flatMap { groups[$0]?.members } ?? [] }

    mutating func select(row index: Int) {
        switch row(index) {
        case .group(let key): (selection, selectedGroup) = (nil, key)
        case .transfer(let id): (selection, selectedGroup) = (id, nil)
        }
    }

    /// Selects a transfer wherever it is.
    mutating func select(_ id: TransferID, _ setup: InterfaceSetup) {
        if isGrouped, let key = listing.key(of: id), groups.isFolded(key) { fold(key, false, setup) }
        (selection, selectedGroup) = (id, nil)
    }

    /// Moves the selection to an existing row if its own is gone.
    /// - Parameter index: of the row that was selected before.
    mutating func keepSelection(near index: Int?) {
        let isKept =
            if let selectedGroup {
                isGrouped && groups.row(ofGroup: selectedGroup) != nil
            } else {
                selection.map { shownHistory?.contains($0) ?? isShown($0) } ?? false
            }
        if !isKept {
            if rowCount > 0 {
                let index = min(index ?? 0, rowCount - 1)
                // Keys on the line of what has finished act on many.
                let isLine = index > 0 && row(index) == .group(ListingSpec.finished)
                select(row: isLine ? index - 1 : index)
            } else {
                (selection, selectedGroup) = (nil, nil)
            }
        }
        if isGrouped, let key = selection.flatMap({ listing.key(of: $0) }), groups.isFolded(key) {
            (selection, selectedGroup) = (nil, key)
        }
    }

    /// Whether it has a row, or would have one in an unfolded group.
    func isShown(_ id: TransferID) -> Bool { listing.contains(id) && !isHidden(id) }

    /// Whether it is in the folded line of what has finished.
    func isHidden(_ id: TransferID) -> Bool { hiddenCount > 0 && listing.key(of: id) == ListingSpec.finished }

    /// Whether another row took the place of the selected one so recently that a key was meant for that.
    func hasJustSlid(at now: Double) -> Bool { slidAt.map { (0..<0.5).contains(now - $0) } ?? false }

    /// The first row with a transfer from a row on.
    func transferRow(from index: Int, _ step: Int) -> Int? {
        stride(from: index, through: step < 0 ? 0 : rowCount - 1, by: step).first { index in
            if case .transfer = row(index) { true } else { false }
        }
    }

    /// The next transfer in the list that needs attention, from the selected one on, around the end.
    func problem(_ step: Int) -> TransferID? {
        let all = inOrderOfScreen
        guard let first = selection ?? groupMembers.first, let place = all.firstIndex(of: first) else { return nil }
        // From the heading of a group, its first transfer is the next one.
        let start = selection == nil && step > 0 ? place - 1 : place
        return (1...all.count).lazy.map { all[(start + step * $0 % all.count + all.count) % all.count] }
            .first { transfer($0)?.isProblem == true }
    }

    // MARK: Marks

    mutating func toggleMark(_ row: ListRow?) {
        switch row {
        case .group(let key):
            let members = groups[key]?.members ?? []
            if marks.isSuperset(of: members) { marks.subtract(members) } else { marks.formUnion(members) }
        case .transfer(let id): if marks.remove(id) == nil { marks.insert(id) }
        case nil: break
        }
    }

    /// Marks everything between the beginning of the range and the selection, both included.
    mutating func extendRange(isCovered: Bool) {
        guard let range else { return }
        let all = inOrderOfScreen
        guard view == range.view, !isCovered, let start = all.firstIndex(of: range.anchor),
            let end = selection.flatMap({ all.firstIndex(of: $0) }) ?? groupEnd(from: start, in: all)
        else { return self.range = nil }
        marks = range.marksBefore.union(all[min(start, end)...max(start, end)])
    }

    /// The end of the group whose heading is selected, which stands above its members; a folded group includes them.
    private func groupEnd(from start: Int, in all: [TransferID]) -> Int? {
        let members = groupMembers
        guard let selectedGroup, let first = members.first.flatMap({ all.firstIndex(of: $0) }) else { return nil }
        if first <= start { return first }
        return groups.isFolded(selectedGroup) ? first + members.count - 1 : first - 1
    }

    /// Removes the marks of transfers that neither the queue nor the loaded history has.
    mutating func keepMarks() { marks = marks.filter { transfer($0) != nil } }

    // MARK: Targets

    /// The targets of a command: the marked transfers in the order of the list, as far as the filter shows them, else
    /// the selected one, or those of the selected group.
    /// - Parameter isShown: details cover the list, of the transfer that is the target.
    func targets(isShown: Bool) -> [Transfer] {
        if view == .log { return [] }
        if !marks.isEmpty, !isShown {
            let marked = shownHistory?.filter(marks.contains) ?? listing.inOrder(marks)
            if !marked.isEmpty { return marked.compactMap(transfer) }
        }
        if selectedGroup != nil { return groupMembers.compactMap(transfer) }
        return selected.map { [$0] } ?? []
    }

    /// The first of the targets that fits. Without a list of all, which may be long: hints ask with each frame.
    func firstTarget(isShown: Bool, where fits: (Transfer) -> Bool) -> Transfer? {
        if view == .log { return nil }
        if !marks.isEmpty, !isShown {
            let isShort = shownHistory == nil && marks.count <= visible.count / 8
            var isMarked = false
            for id in isShort ? listing.inOrder(marks) : visible where isShort || marks.contains(id) {
                isMarked = true
                if let transfer = transfer(id), fits(transfer) { return transfer }
            }
            if isMarked { return nil }
        }
        if selectedGroup != nil { return groupMembers.lazy.compactMap(transfer).first(where: fits) }
        return selected.flatMap { fits($0) ? $0 : nil }
    }
}
