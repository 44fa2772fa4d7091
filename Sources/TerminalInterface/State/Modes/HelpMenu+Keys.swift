// SPDX-License-Identifier: MIT

import TransferControl

extension HelpMenu {
    /// Enter does what is chosen. The key of an action chooses that, and does nothing else: the help is to be asked
    /// without fear.
    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        if isFiltering { return type(key, &screen) }
        let action = screen.setup.keyMap.action(for: key)?.name
        switch key {
        case .enter: return carryOut(&screen)
        case .escape, .control("c"): screen.mode = .list
        case .left: screen.mode = .help(aside(-1, screen))
        case .right: screen.mode = .help(aside(1, screen))
        default:
            switch action {
            case .help, .quit: screen.mode = .list
            case .filter: screen.mode = .help(filtering(true))
            case .down: screen.mode = .help(moved(1))
            case .up: screen.mode = .help(moved(-1))
            case .pageDown: screen.mode = .help(moved(screen.rows / 2))
            case .pageUp: screen.mode = .help(moved(-screen.rows / 2))
            case .first: screen.mode = .help(moved(-Self.rows.count))
            case .last: screen.mode = .help(moved(Self.rows.count))
            case let name?:
                var menu = self
                menu.choice = name
                screen.mode = .help(menu)
            case nil: screen.notice = Notice(text: "Unknown key")
            }
        }
        return []
    }

    private func type(_ key: Key, _ screen: inout InterfaceState) -> [Effect] {
        switch key {
        case .enter: return carryOut(&screen)
        case .escape, .control("c"): screen.mode = .help(filtering(false))
        case .down, .tab: screen.mode = .help(moved(1, in: matches(screen.setup.keyMap)))
        case .up, .backTab: screen.mode = .help(moved(-1, in: matches(screen.setup.keyMap)))
        default:
            var menu = self
            guard menu.filter.press(key) else { return [] }
            let found = menu.matches(screen.setup.keyMap)
            if !found.contains(where: { $0.name == choice }), let first = found.first { menu.choice = first.name }
            screen.mode = .help(menu)
        }
        return []
    }

    private func filtering(_ isFiltering: Bool) -> HelpMenu {
        var menu = self
        (menu.isFiltering, menu.filter) = (isFiltering, LineEditor())
        return menu
    }

    /// The next action of the line, or what stands beside it in the next column.
    private func aside(_ step: Int, _ screen: InterfaceState) -> HelpMenu {
        guard let row = Self.rows.firstIndex(where: { $0.contains(choice) }),
            let place = Self.rows[row].firstIndex(of: choice)
        else { return self }
        if Self.rows[row].indices.contains(place + step) { return choosing(row: row, place + step) }
        let layout = HelpLayout(columns: screen.columns, rows: screen.rows)
        return layout.beside(row, step).map { choosing(row: $0, step < 0 ? .max : 0) } ?? self
    }

    private func carryOut(_ screen: inout InterfaceState) -> [Effect] {
        guard !isFiltering || matches(screen.setup.keyMap).contains(where: { $0.name == choice }) else { return [] }
        screen.mode = .list
        return screen.attempt(choice)
    }

    /// A click chooses, a second one does it; the wheel moves.
    func click(_ mouse: Mouse, on screen: inout InterfaceState) -> [Effect] {
        switch mouse.button {
        case .wheelUp: screen.mode = .help(moved(-1))
        case .wheelDown: screen.mode = .help(moved(1))
        case .left:
            guard let name = HelpView.action(row: mouse.row, column: mouse.column, self, screen) else { return [] }
            if name == choice { return carryOut(&screen) }
            var menu = self
            menu.choice = name
            screen.mode = .help(menu)
        case .middle, .right, .dragged, .released: break
        }
        return []
    }
}
