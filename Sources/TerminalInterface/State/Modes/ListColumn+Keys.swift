// SPDX-License-Identifier: MIT

extension ListColumn {
    /// Handles a key while the columns are edited, and this one is chosen.
    func press(_ key: Key, on screen: inout InterfaceState) {
        switch key {
        case .left, .backTab: choose(-1, &screen)
        case .right, .tab: choose(1, &screen)
        case .character(" "):
            if self == .name { screen.notice = Notice(text: "The name stays") }
            screen.changeColumns { $0.toggle(self) }
        case .character("<"): screen.changeColumns { $0.move(self, by: -1) }
        case .character(">"): screen.changeColumns { $0.move(self, by: 1) }
        case .character("+"): resize(by: 1, &screen)
        case .character("-"): resize(by: -1, &screen)
        case .character("0"): screen.changeColumns { $0.setWidth(nil, of: self) }
        case .character("d"):
            screen.listColumns = nil
            screen.editColumns()
        case .enter, .escape, .control("c"), .character("c"), .character("q"):
            screen.mode = .list
            screen.sayWhatKeepsColumns()
        default: screen.notice = Notice(text: "Unknown key; Enter ends")
        }
    }

    /// The next column, or the one before.
    private func choose(_ step: Int, _ screen: inout InterfaceState) {
        let all = screen.editableColumns
        guard let place = all.firstIndex(of: self) else { return }
        screen.mode = .columns(all[(place + step + all.count) % all.count])
    }

    private func resize(by step: Int, _ screen: inout InterfaceState) {
        guard let width = ColumnLayout(width: screen.listWidth, screen.listColumns)[self]?.width else {
            return screen.notice = Notice(text: "Not on the screen; Space shows it")
        }
        screen.setWidth(width + step, of: self)
    }
}
