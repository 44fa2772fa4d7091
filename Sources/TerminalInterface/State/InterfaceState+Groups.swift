// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The list in groups.
extension InterfaceState {
    /// The group that ``Action/Name/fold`` and ``Action/Name/unfold`` concern: the selected one, or that of the
    /// selected transfer.
    var groupInReach: String? {
        guard list.isGrouped, overlay == nil else { return nil }
        let key = list.selectedGroup ?? list.selection.flatMap { list.listing.key(of: $0) }
        // A group without a heading is never folded.
        return [key, ListingSpec.finished].compactMap(\.self).first { list.groups.row(ofGroup: $0) != nil }
    }

    mutating func setFolded(_ isFolded: Bool) {
        guard let key = groupInReach else { return }
        list.fold(key, isFolded, setup)
        let isInside = list.selection.map { list.listing.key(of: $0) == key } ?? false
        if isFolded, isInside { (list.selection, list.selectedGroup) = (nil, key) }
    }

    /// Enter, and a click on the selected heading.
    mutating func toggleGroup() {
        if let key = list.selectedGroup { setFolded(!list.groups.isFolded(key)) }
    }
}
