// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The list in groups.
extension InterfaceState {
    /// The group that ``Action/Name/fold`` and ``Action/Name/unfold`` concern: the selected one, or that of the
    /// selected transfer.
    var groupInReach: String? {
        guard list.isGrouped, overlay == nil else { return nil }
        return list.selectedGroup ?? list.selection.flatMap { list.listing.key(of: $0) }
    }

    mutating func setFolded(_ isFolded: Bool) {
        guard let key = groupInReach else { return }
        list.fold(key, isFolded, setup)
        if isFolded { (list.selection, list.selectedGroup) = (nil, key) }
    }

    /// Enter, and a click on the selected heading.
    mutating func toggleGroup() {
        if let key = list.selectedGroup { setFolded(!list.groups.isFolded(key)) }
    }
}
