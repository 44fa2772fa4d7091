// SPDX-License-Identifier: MIT

import TransferControl

/// The keys that apply to a row, as a right click lists them.
struct RowMenu: Hashable, Sendable {
    /// Whose keys they are.
    var row: ListRow
    var actions: [Action.Name]
    var choice = 0

    mutating func move(_ step: Int) { choice = min(max(0, choice + step), actions.count - 1) }
}

extension InterfaceState {
    private var selectedRow: ListRow? { selectedGroup.map(ListRow.group) ?? selection.map(ListRow.transfer) }

    /// Selects the row, and lists its keys; those of all marked ones if there are some.
    mutating func openRowMenu(at mouse: Mouse) {
        let layout = layout
        guard !takesText, overlay == nil, view != .log, layout.list.contains(mouse.row),
            mouse.column < layout.listColumns
        else { return }
        let first = Viewport.top(top, selected: selectedIndex, count: rowCount, height: pageRows)
        let index = first + mouse.row - layout.list.lowerBound
        guard (0..<rowCount).contains(index) else { return }
        range = nil
        select(row: index)
        let actions = keyMap.actions.filter {
            $0.traits.contains(.isInRowMenu) && !$0.keys.isEmpty && isEnabled($0)
        }
        guard !actions.isEmpty else { return }
        rowMenu = selectedRow.map { RowMenu(row: $0, actions: actions.map(\.name)) }
    }

    /// After every change: the keys of a row that is gone are not those of its neighbour.
    mutating func closeOutdatedRowMenu() {
        if let rowMenu, rowMenu.row != selectedRow { self.rowMenu = nil }
    }

    /// - Returns: `nil` for a key that acts as without the list, which it closes.
    mutating func pressInRowMenu(_ key: Key) -> [Effect]? {
        guard let menu = rowMenu else { return nil }
        switch key {
        case .down, .character("j"): rowMenu?.move(1)
        case .up, .character("k"): rowMenu?.move(-1)
        case .escape: rowMenu = nil
        case .enter: return carryOut(menu.choice, of: menu)
        default:
            rowMenu = nil
            return nil
        }
        return []
    }

    /// A click on a line is its key, one beside the list closes it.
    mutating func clickInRowMenu(_ mouse: Mouse) -> [Effect] {
        guard let menu = rowMenu else { return [] }
        switch mouse.button {
        case .wheelUp: rowMenu?.move(-1)
        case .wheelDown: rowMenu?.move(1)
        case .right:
            rowMenu = nil
            openRowMenu(at: mouse)
        case .left:
            switch RowMenuView.target(row: mouse.row, column: mouse.column, menu, of: (columns, rows)) {
            case .key(let key): return pressInRowMenu(key) ?? []
            case .line(let index): return carryOut(index, of: menu)
            case nil: rowMenu = nil
            }
        case .middle, .dragged, .released: break
        }
        return []
    }

    private mutating func carryOut(_ index: Int, of menu: RowMenu) -> [Effect] {
        rowMenu = nil
        return attempt(menu.actions[index])
    }
}
