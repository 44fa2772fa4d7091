// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The targets of a command: the marked transfers in the order of the list, as far as the filter shows them, else the
/// selected one, or those of the selected group; in the detail view always the one shown.
extension InterfaceState {
    var targets: [Transfer] {
        if view == .log { return [] }
        if !marks.isEmpty, overlay != .detail {
            let marked = shownHistory?.filter(marks.contains) ?? listing.inOrder(marks)
            if !marked.isEmpty { return marked.compactMap(transfer) }
        }
        if selectedGroup != nil { return groupMembers.compactMap(transfer) }
        return selected.map { [$0] } ?? []
    }

    /// The first of ``targets`` that fits. Without a list of all, which may be long: hints ask with each frame.
    func firstTarget(where fits: (Transfer) -> Bool) -> Transfer? {
        if view == .log { return nil }
        if !marks.isEmpty, overlay != .detail {
            let isShort = shownHistory == nil && marks.count <= visible.count / 8
            var isMarked = false
            for id in isShort ? listing.inOrder(marks) : visible where isShort || marks.contains(id) {
                isMarked = true
                if let transfer = transfer(id), fits(transfer) { return transfer }
            }
            if isMarked { return nil }
        }
        if selectedGroup != nil {
            for id in groupMembers {
                if let transfer = transfer(id), fits(transfer) { return transfer }
            }
            return nil
        }
        return selected.flatMap { fits($0) ? $0 : nil }
    }

    func hasTarget(where fits: (Transfer) -> Bool) -> Bool { firstTarget(where: fits) != nil }

    /// Whether one of ``targets`` is in such a state; of a state that no transfer is in, none is looked at.
    func hasTarget(in fits: (TransferState) -> Bool) -> Bool {
        guard view == .history || TransferState.allCases.contains(where: { tally[$0] > 0 && fits($0) }) else {
            return false
        }
        return hasTarget { fits($0.state) }
    }

    /// Whether ``Action/Name/pause`` resumes: none of the targets can be paused.
    var resumesWithPause: Bool { !hasTarget(in: \.isPausable) && hasTarget { $0.state == .paused } }
}
