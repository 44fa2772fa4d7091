// SPDX-License-Identifier: MIT

import TransferControl

/// The keys that apply to a row, as a right click lists them.
struct RowMenu: Hashable, Sendable {
    /// Whose keys they are.
    var row: ListRow
    var actions: [Action.Name]
    var choice = 0

    func moved(_ step: Int) -> RowMenu {
        var menu = self
        menu.choice = min(max(0, choice + step), actions.count - 1)
        return menu
    }
}

extension InterfaceState {
    /// Selects the row, and lists its keys; those of all marked ones if there are some.
    mutating func openRowMenu(at mouse: Mouse) {
        let layout = layout
        guard mode.isList, overlay == nil, list.view != .log, layout.list.contains(mouse.row),
            mouse.column < layout.listColumns
        else { return }
        let index = firstRow + mouse.row - layout.list.lowerBound
        guard (0..<list.rowCount).contains(index) else { return }
        list.range = nil
        list.select(row: index)
        let actions = setup.keyMap.actions.filter {
            $0.traits.contains(.isInRowMenu) && !$0.keys.isEmpty && isEnabled($0)
        }
        guard !actions.isEmpty else { return }
        if let row = list.selectedRow { mode = .rowMenu(RowMenu(row: row, actions: actions.map(\.name))) }
    }

    /// After every change: the keys of a row that is gone are not those of its neighbour.
    mutating func closeOutdatedRowMenu() {
        if let menu = mode.rowMenu, menu.row != list.selectedRow { mode = .list }
    }

    /// Any other key acts as without the list, which it closes.
    mutating func press(_ key: Key, in menu: RowMenu) -> [Effect] {
        mode = .list
        switch key {
        case .down, "j": mode = .rowMenu(menu.moved(1))
        case .up, "k": mode = .rowMenu(menu.moved(-1))
        case .escape: break
        case .enter: return attempt(menu.actions[menu.choice])
        default: return pressInList(key)
        }
        return []
    }

    /// A click on a line is its key, one beside the list closes it.
    mutating func click(_ mouse: Mouse, in menu: RowMenu) -> [Effect] {
        switch mouse.button {
        case .wheelUp: mode = .rowMenu(menu.moved(-1))
        case .wheelDown: mode = .rowMenu(menu.moved(1))
        case .right:
            mode = .list
            openRowMenu(at: mouse)
        case .left:
            let target = RowMenuView.target(row: mouse.row, column: mouse.column, menu, of: (columns, rows))
            if case .key(let key) = target { return press(key, in: menu) }
            mode = .list
            if case .line(let index) = target { return attempt(menu.actions[index]) }
        case .middle, .dragged, .released: break
        }
        return []
    }
}
