// SPDX-License-Identifier: MIT

import TransferControl

/// The keys that apply to a row, as a right click lists them.
struct RowMenu: Hashable, Sendable {
    /// The row that the menu belongs to.
    var row: ListRow
    var actions: [Action.Name]
    var choice = 0

    func moved(_ step: Int) -> RowMenu {
        var menu = self
        menu.choice = min(max(0, choice + step), actions.count - 1)
        return menu
    }
}

extension RowMenu {
    /// Selects the row, and lists its keys; those of all marked ones if there are some.
    static func open(at mouse: Mouse, on screen: inout InterfaceState) {
        let layout = screen.layout
        guard screen.overlay == nil, screen.list.view != .log, layout.list.contains(mouse.row),
            mouse.column < layout.listColumns
        else { return }
        let index = screen.firstRow + mouse.row - layout.list.lowerBound
        guard (0..<screen.list.rowCount).contains(index) else { return }
        screen.list.range = nil
        screen.list.select(row: index)
        let actions = screen.setup.keyMap.actions.filter {
            $0.traits.contains(.isInRowMenu) && !$0.keys.isEmpty && screen.isEnabled($0)
        }
        guard !actions.isEmpty, let row = screen.list.selectedRow else { return }
        screen.mode = .rowMenu(RowMenu(row: row, actions: actions.map(\.name)))
    }

    /// Any other key acts as without the list, which it closes.
    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        screen.mode = .list
        switch key {
        case .down, "j": screen.mode = .rowMenu(moved(1))
        case .up, "k": screen.mode = .rowMenu(moved(-1))
        case .escape: break
        case .enter: return screen.attempt(actions[choice])
        default: return screen.pressInList(key)
        }
        return []
    }

    /// A click on a line is its key, one beside the list closes it.
    func click(_ mouse: Mouse, on screen: inout InterfaceState) -> [Effect] {
        switch mouse.button {
        case .wheelUp: screen.mode = .rowMenu(moved(-1))
        case .wheelDown: screen.mode = .rowMenu(moved(1))
        case .right:
            screen.mode = .list
            Self.open(at: mouse, on: &screen)
        case .left:
            let size = (screen.columns, screen.rows)
            let target = RowMenuView.target(row: mouse.row, column: mouse.column, self, of: size)
            if case .key(let key) = target { return press(key, on: &screen) }
            screen.mode = .list
            if case .line(let index) = target { return screen.attempt(actions[index]) }
        case .middle, .dragged, .released: break
        }
        return []
    }
}
