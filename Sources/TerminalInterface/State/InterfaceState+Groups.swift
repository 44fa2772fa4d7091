// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The list in groups.
extension InterfaceState {
    /// By server, folder, place, and then without groups.
    mutating func groupNext() {
        let first = list.groupMembers.first
        list.grouping = Grouping.next(after: list.grouping)
        list.foldedGroups = []
        if let first { (list.selection, list.selectedGroup) = (first, nil) }
        refilter(near: nil)
        guard let grouping = list.grouping else { return notice = Notice(text: "Not grouped") }
        let setting = "group = \"\(grouping.rawValue)\" in [interface]"
        log.add(.note, "\(setting) of config.toml groups each screen", at: now)
        let fold = setup.keyMap.label(.fold)
        notice = Notice(text: "Grouped by \(grouping.rawValue); \(fold) folds; \(setting) keeps it")
    }

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
