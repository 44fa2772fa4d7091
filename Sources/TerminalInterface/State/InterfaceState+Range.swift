// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Marks from one transfer to another.
extension InterfaceState {
    struct MarkRange: Hashable, Sendable {
        /// Where it begins.
        var anchor: TransferID
        var marksBefore: Set<TransferID>
        var view: QueueView
    }

    /// Begins a range at the selected transfer, or ends it and keeps the marks.
    mutating func toggleRange() {
        guard range == nil else { return range = nil }
        guard let anchor = selection ?? groupMembers.first else { return }
        range = MarkRange(anchor: anchor, marksBefore: marks, view: view)
        notice = Notice(
            text:
                "Moving marks from here on; \(keyMap.label(.markRange)) keeps the marks, \(keyMap.label(.close)) takes "
                + "them back")
    }

    /// Marks everything between the beginning of the range and the selection, both included.
    mutating func extendRange() {
        guard let range else { return }
        let all = inOrderOfScreen
        guard view == range.view, overlay == nil, let start = all.firstIndex(of: range.anchor),
            let end = selection.flatMap({ all.firstIndex(of: $0) }) ?? groupEnd(from: start, in: all)
        else { return self.range = nil }
        marks = range.marksBefore.union(all[min(start, end)...max(start, end)])
    }

    /// Of the group whose heading is selected, which stands above its members: those of a folded one belong to it.
    private func groupEnd(from start: Int, in all: [TransferID]) -> Int? {
        let members = groupMembers
        guard let selectedGroup, let first = members.first.flatMap({ all.firstIndex(of: $0) }) else { return nil }
        if first <= start { return first }
        return groups.isFolded(selectedGroup) ? first + members.count - 1 : first - 1
    }
}
