// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The list in groups. Either a transfer is selected, or the heading of a group, whose members are then the targets.
extension InterfaceState {
    /// Whether the view has groups.
    var isGrouped: Bool { grouping != nil && !view.hasOwnList }

    var hasSelection: Bool { selection != nil || selectedGroup != nil }

    var rowCount: Int { isGrouped ? groups.rowCount : visible.count }

    /// - Parameter index: below ``rowCount``.
    func row(_ index: Int) -> ListRow { isGrouped ? groups.row(index) : .transfer(visible[index]) }

    /// The members of the group whose heading is selected.
    var groupMembers: [TransferID] { selectedGroup.flatMap { groups[$0]?.members } ?? [] }

    /// All transfers of the view in the order of the screen, also those of folded groups.
    var inOrderOfScreen: [TransferID] { isGrouped ? groups.members : visible }

    mutating func select(row index: Int) {
        switch row(index) {
        case .group(let key): (selection, selectedGroup) = (nil, key)
        case .transfer(let id): (selection, selectedGroup) = (id, nil)
        }
    }

    /// Selects a transfer wherever it is.
    mutating func select(_ id: TransferID) {
        if isGrouped, let key = listing.key(of: id), groups.isFolded(key) { fold(key, false) }
        (selection, selectedGroup) = (id, nil)
        overlayTop = coverTop
    }

    /// By server, folder, place, and then without groups.
    mutating func groupNext() {
        let first = groupMembers.first
        grouping = Grouping.next(after: grouping)
        foldedGroups = []
        if let first { (selection, selectedGroup) = (first, nil) }
        refilter(near: nil)
        guard let grouping else { return notice = Notice(text: "Not grouped") }
        let setting = "group = \"\(grouping.rawValue)\" in [interface]"
        log.add(.note, "\(setting) of config.toml groups each screen", at: now)
        notice = Notice(text: "Grouped by \(grouping.rawValue); \(keyMap.label(.fold)) folds; \(setting) keeps it")
    }

    /// The group that ``Action/Name/fold`` and ``Action/Name/unfold`` concern: the selected one, or that of the
    /// selected transfer.
    var groupInReach: String? {
        guard isGrouped, overlay == nil else { return nil }
        return selectedGroup ?? selection.flatMap { listing.key(of: $0) }
    }

    mutating func setFolded(_ isFolded: Bool) {
        guard let key = groupInReach else { return }
        fold(key, isFolded)
        if isFolded { (selection, selectedGroup) = (nil, key) }
    }

    private mutating func fold(_ key: String, _ isFolded: Bool) {
        if isFolded { foldedGroups.insert(key) } else { foldedGroups.remove(key) }
        showListing()
    }

    /// Enter, and a click on the selected heading.
    mutating func toggleGroup() {
        if let selectedGroup { setFolded(!groups.isFolded(selectedGroup)) }
    }

    /// Marks the members of a group, or unmarks them if all are marked.
    mutating func toggleMarks(ofGroup key: String) {
        let members = groups[key]?.members ?? []
        if marks.isSuperset(of: members) { marks.subtract(members) } else { marks.formUnion(members) }
    }

    /// Selects a row that there is.
    /// - Parameter index: of the row that was selected before.
    mutating func keepSelection(near index: Int?) {
        let isKept =
            if let selectedGroup {
                isGrouped && groups[selectedGroup] != nil
            } else {
                selection.map { shownHistory?.contains($0) ?? listing.contains($0) } ?? false
            }
        if !isKept {
            if rowCount > 0 {
                select(row: min(index ?? 0, rowCount - 1))
            } else {
                (selection, selectedGroup) = (nil, nil)
            }
        }
        if isGrouped, let key = selection.flatMap({ listing.key(of: $0) }), groups.isFolded(key) {
            (selection, selectedGroup) = (nil, key)
        }
    }
}
