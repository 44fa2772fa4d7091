// SPDX-License-Identifier: MIT

/// The columns of the list, chosen, ordered and sized by keys.
extension ListColumn {
    /// Handles a key while the columns are edited, and this one is chosen.
    func press(_ key: Key, on screen: inout InterfaceState) {
        switch key {
        case .left, .backTab: choose(-1, &screen)
        case .right, .tab: choose(1, &screen)
        case .character(" "):
            if self == .name { screen.notice = Notice(text: "The name stays") }
            Self.change(on: &screen) { $0.toggle(self) }
        case .character("<"): Self.change(on: &screen) { $0.move(self, by: -1) }
        case .character(">"): Self.change(on: &screen) { $0.move(self, by: 1) }
        case .character("+"): resize(by: 1, &screen)
        case .character("-"): resize(by: -1, &screen)
        case .character("0"): Self.change(on: &screen) { $0.setWidth(nil, of: self) }
        case .character("d"):
            screen.listColumns = nil
            Self.edit(on: &screen)
        case .enter, .escape, .control("c"), .character("c"), .character("q"):
            screen.mode = .list
            Self.sayWhatKeepsThem(on: &screen)
        default: screen.notice = Notice(text: "Unknown key; Enter ends")
        }
    }

    /// The next column, or the one before.
    private func choose(_ step: Int, _ screen: inout InterfaceState) {
        let all = Self.editable(on: screen)
        guard let place = all.firstIndex(of: self) else { return }
        screen.mode = .columns(all[(place + step + all.count) % all.count])
    }

    private func resize(by step: Int, _ screen: inout InterfaceState) {
        guard let width = ColumnLayout(width: screen.listWidth, screen.listColumns)[self]?.width else {
            return screen.notice = Notice(text: "Not on the screen; Space shows it")
        }
        Self.change(on: &screen) { $0.setWidth(width + step, of: self) }
    }

    // MARK: All columns

    /// The columns on the screen, then all others.
    static func editable(on screen: InterfaceState) -> [ListColumn] {
        let shown = screen.listColumns?.choices.map(\.column) ?? ColumnLayout(width: screen.listWidth).columns
        return shown + allCases.filter { !shown.contains($0) }
    }

    static func edit(on screen: inout InterfaceState) {
        screen.mode = editable(on: screen).first.map { .columns($0) } ?? .list
    }

    /// Changes the columns; the first change starts from those on the screen.
    static func change(on screen: inout InterfaceState, _ edit: (inout ListColumns) -> Void) {
        var wishes = screen.listColumns ?? ListColumns(ColumnLayout(width: screen.listWidth).columns)
        edit(&wishes)
        screen.listColumns = wishes
    }

    /// In the configuration, for each screen.
    static func sayWhatKeepsThem(on screen: inout InterfaceState) {
        guard let columns = screen.listColumns else { return }
        let line = "list-columns = \"\(columns.text)\""
        screen.log.add(.note, "columns: \(line) in [interface] of config.toml keeps them", at: screen.now)
        screen.notice = Notice(text: "[interface] \(line)")
    }
}
