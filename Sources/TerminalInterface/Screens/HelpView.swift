// SPDX-License-Identifier: MIT

/// Draws the help: every action with its keys, by what one wants, and what the chosen one does.
enum HelpView {
    private static let title = "Keys: Enter does it, / filters, a key chooses its action, Esc closes"
    /// Columns of the keys, with the blank behind.
    private static let keyWidth = 15, narrowKeyWidth = 11

    static func draw(_ menu: HelpMenu, _ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities) {
        for row in 0..<grid.rows { grid.write(CellText.spaces(grid.columns), row: row, column: 0) }
        grid.cursor = nil
        let layout = HelpLayout(columns: grid.columns, rows: grid.rows)
        if menu.isFiltering { return drawMatches(menu, state, in: &grid, layout, capabilities) }
        if layout.body.lowerBound > 0 {
            grid.write(
                CellText.fit(title, width: grid.columns, mark: capabilities.glyphs.ellipsis), row: 0, column: 0,
                style: .faint)
        }
        let top = layout.top(choice: row(of: menu.choice))
        for (index, lines) in layout.columns.enumerated() {
            for (line, row) in zip(lines.dropFirst(top), layout.body) {
                let column = index * layout.width
                switch line {
                case .blank: break
                case .heading(let group):
                    grid.write(group.rawValue, row: row, column: column, width: layout.width - 1, style: .bold)
                case .row(let number):
                    for part in parts(HelpMenu.rows[number], layout.width, state.setup.keyMap, capabilities) {
                        var style = part.style
                        style.isSelected = part.action == menu.choice
                        grid.write(part.text, row: row, column: column + part.start, width: part.width, style: style)
                    }
                }
            }
        }
        drawNote(state.setup.keyMap.action(menu.choice)?.help ?? "", state, in: &grid, layout, capabilities)
    }

    private static func row(of name: Action.Name) -> Int { HelpMenu.rows.firstIndex { $0.contains(name) } ?? 0 }

    /// What the chosen action does, or a notice.
    private static func drawNote(
        _ text: String, _ state: InterfaceState, in grid: inout Grid, _ layout: HelpLayout,
        _ capabilities: Capabilities
    ) {
        let rows = layout.body.upperBound..<grid.rows
        let shown = state.notice?.text ?? text.prefix(1).uppercased() + text.dropFirst() + "."
        let lines = NoticeView.lines(
            of: capabilities.shown(shown), width: grid.columns, most: rows.count, mark: capabilities.glyphs.ellipsis)
        for (line, row) in zip(lines, rows) {
            grid.write(line, row: row, column: 0, style: state.notice == nil ? .plain : .bold)
        }
    }

    // MARK: A line

    private struct Part {
        /// `nil`: between two.
        var action: Action.Name?
        var text: String
        /// From the column of the line.
        var start: Int
        var width: Int
        var style: Style
    }

    /// Keys, then words, of all actions of a line.
    private static func parts(
        _ names: [Action.Name], _ width: Int, _ keyMap: KeyMap, _ capabilities: Capabilities
    ) -> [Part] {
        let actions = names.compactMap(keyMap.action)
        var place = 2
        var parts: [Part] = []
        let keys = actions.filter { !$0.keys.isEmpty }
        for action in keys {
            let label = capabilities.shown(action.keys.first?.label ?? "")
            parts.append(
                Part(action: action.name, text: label, start: place, width: max(0, width - 1 - place), style: .key))
            place += CellWidth.of(label) + 1
        }
        place = max(place + 1, 2 + (width < 44 ? narrowKeyWidth : keyWidth))
        for (index, action) in actions.enumerated() {
            let text = capabilities.shown(action.word)
            parts.append(
                Part(action: action.name, text: text, start: place, width: max(0, width - 1 - place), style: .plain))
            place += CellWidth.of(text)
            guard index < actions.count - 1 else { break }
            parts.append(
                Part(action: nil, text: ", ", start: place, width: max(0, width - 1 - place), style: .plain))
            place += 2
        }
        return parts
    }

    /// The action at a cell.
    static func action(row: Int, column: Int, _ menu: HelpMenu, _ state: InterfaceState) -> Action.Name? {
        let layout = HelpLayout(columns: state.columns, rows: state.rows)
        if menu.isFiltering {
            let found = menu.matches(state.setup.keyMap)
            let index = list(found, menu).item(row: row, top: 0, bottom: layout.body.upperBound - 1, most: .max)
            return index.map { found[$0].name }
        }
        guard layout.body.contains(row), layout.columns.indices.contains(column / layout.width) else { return nil }
        let lines = layout.columns[column / layout.width]
        let index = layout.top(choice: self.row(of: menu.choice)) + row - layout.body.lowerBound
        guard lines.indices.contains(index), case .row(let number) = lines[index] else { return nil }
        let place = column % layout.width
        let names = HelpMenu.rows[number]
        let hit = parts(names, layout.width, state.setup.keyMap, .unicode).first {
            ($0.start..<$0.start + CellWidth.of($0.text)).contains(place)
        }
        return hit?.action ?? names.first
    }

    // MARK: The filter

    private static func list(_ found: [Action], _ menu: HelpMenu) -> Menu {
        Menu(
            items: found.map { action in
                let keys = action.keys.isEmpty ? "" : action.keys.map(\.label).joined(separator: ", ") + "  "
                return .init(text: keys + action.word, help: action.help)
            }, choice: found.firstIndex { $0.name == menu.choice })
    }

    private static func drawMatches(
        _ menu: HelpMenu, _ state: InterfaceState, in grid: inout Grid, _ layout: HelpLayout,
        _ capabilities: Capabilities
    ) {
        let found = menu.matches(state.setup.keyMap)
        let bottom = max(0, layout.body.upperBound - 1)
        list(found, menu).draw(in: &grid, top: 0, bottom: bottom, most: .max, capabilities)
        PromptLineView.draw(menu.filter, labels: ["/"], in: &grid, row: bottom, capabilities)
        let help = found.first { $0.name == menu.choice }?.help
        drawNote(help ?? "no key does that", state, in: &grid, layout, capabilities)
    }
}
