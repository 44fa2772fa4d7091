// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Actions that sort and group the list.
extension ActionTable {
    /// `Sort: [n]ame ser[v]er …`
    static func sortQuestion(_ state: InterfaceState) -> String {
        let keys = sortKeys(state.list.view).map { key in
            let parts = key.rawValue.split(
                separator: Character(key.letter), maxSplits: 1, omittingEmptySubsequences: false)
            return parts.joined(separator: "[\(key.letter)]")
        }
        let usual = state.list.view == .history ? "[q] latest" : "[q]ueue"
        return (["Sort:"] + keys + [usual, "[s] reverse "]).joined(separator: " ")
    }

    /// Finished transfers have neither a rate nor a time left. By state is the order of a view.
    private static func sortKeys(_ view: QueueView) -> [ListOrder.Key] {
        ListOrder.Key.allCases.filter { $0 != .state && (view != .history || $0 != .rate && $0 != .left) }
    }

    /// The key after that of ``Action/Name/sort``; any other changes nothing.
    /// - Parameter isNoted: no heading shows the order for sure.
    static func sort(by key: Key, isNoted: Bool = true, _ state: inout InterfaceState) {
        guard case .character(let letter) = key else { return }
        let index = state.list.selectedIndex
        if letter == "q" {
            state.list.listOrder = nil
        } else if letter == "s" {
            guard state.list.listOrder != nil else {
                let usual =
                    switch state.list.view {
                    case .history: "shows the latest first"
                    case .now: "shows what moves first"
                    default: "is in the order of the queue"
                    }
                let key = state.setup.keyMap.label(.sort)
                return state.notice = Notice(text: "The list \(usual); \(key), then a letter, sorts it")
            }
            state.list.listOrder?.isReversed.toggle()
        } else if let key = sortKeys(state.list.view).first(where: { $0.letter == letter }) {
            state.list.listOrder = ListOrder(
                key: key, isReversed: state.list.listOrder?.key == key && state.list.listOrder?.isReversed == false)
        } else {
            state.notice = Notice(text: "Not sorted: no column has the key \(letter)")
            return
        }
        state.refilter(near: index)
        if isNoted { noteOrder(&state) }
    }

    /// Headings may be left out, or have no column for it.
    private static func noteOrder(_ state: inout InterfaceState) {
        let usual =
            switch state.list.view {
            case .history: "the latest first"
            case .now: "what moves first"
            default: "the order of the queue"
            }
        guard let listOrder = state.list.listOrder else {
            state.notice = Notice(
                text: usual.hasPrefix("the order") ? "In \(usual)" : usual.prefix(1).uppercased() + usual.dropFirst())
            return
        }
        let reversed = listOrder.isReversed ? ", reversed" : ""
        state.notice = Notice(
            text: "Sorted by \(listOrder.key.rawValue)\(reversed); \(state.setup.keyMap.label(.sort)) q returns to "
                + usual)
    }

    /// Groups by the next of server, folder and place, and then by nothing.
    static func groupNext(_ state: inout InterfaceState) {
        let first = state.list.groupMembers.first
        state.list.grouping = Grouping.next(after: state.list.grouping)
        state.list.foldedGroups = [ListingSpec.finished]
        if let first { (state.list.selection, state.list.selectedGroup) = (first, nil) }
        state.refilter(near: nil)
        guard let grouping = state.list.grouping else { return state.notice = Notice(text: "Not grouped") }
        let setting = "group = \"\(grouping.rawValue)\" in [interface]"
        state.log.add(.note, "\(setting) of config.toml groups each screen", at: state.now)
        let fold = state.setup.keyMap.label(.fold)
        state.notice = Notice(text: "Grouped by \(grouping.rawValue); \(fold) folds; \(setting) keeps it")
    }
}
