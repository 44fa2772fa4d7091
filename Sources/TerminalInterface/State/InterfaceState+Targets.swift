// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The targets of a command; in the detail view always the transfer that it shows.
extension InterfaceState {
    var targets: [Transfer] { list.targets(isShown: overlay == .detail) }

    func firstTarget(where fits: (Transfer) -> Bool) -> Transfer? {
        list.firstTarget(isShown: overlay == .detail, where: fits)
    }

    func hasTarget(where fits: (Transfer) -> Bool) -> Bool { firstTarget(where: fits) != nil }

    /// Whether one of ``targets`` is in such a state; of a state that no transfer is in, none is looked at.
    func hasTarget(in fits: (TransferState) -> Bool) -> Bool {
        // A group may be large.
        let group = list.marks.isEmpty ? list.selectedGroup.flatMap { list.groups[$0]?.tally } : nil
        let tally = group ?? list.tally
        guard list.view == .history || TransferState.allCases.contains(where: { tally[$0] > 0 && fits($0) })
        else { return false }
        return hasTarget { fits($0.state) }
    }

    /// Whether ``Action/Name/pause`` resumes: none of the targets can be paused.
    var resumesWithPause: Bool { !hasTarget(in: \.isPausable) && hasTarget { $0.state == .paused } }
}
