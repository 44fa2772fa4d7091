// SPDX-License-Identifier: MIT

/// The columns of the list, chosen, ordered and sized by keys.
extension InterfaceState {
    /// The columns on the screen, then all others.
    var editableColumns: [ListColumn] {
        let shown = listColumns?.choices.map(\.column) ?? ColumnLayout(width: listWidth).columns
        return shown + ListColumn.allCases.filter { !shown.contains($0) }
    }

    mutating func editColumns() { mode = editableColumns.first.map { .columns($0) } ?? .list }

    /// Handles a key while the columns are edited.
    mutating func press(_ key: Key, at column: ListColumn) {
        switch key {
        case .left, .backTab: choose(column, -1)
        case .right, .tab: choose(column, 1)
        case .character(" "):
            if column == .name { notice = Notice(text: "The name stays") }
            change { $0.toggle(column) }
        case .character("<"): change { $0.move(column, by: -1) }
        case .character(">"): change { $0.move(column, by: 1) }
        case .character("+"): resize(column, by: 1)
        case .character("-"): resize(column, by: -1)
        case .character("0"): change { $0.setWidth(nil, of: column) }
        case .character("d"):
            listColumns = nil
            editColumns()
        case .enter, .escape, .control("c"), .character("c"), .character("q"): endOfColumns()
        default: notice = Notice(text: "Unknown key; Enter ends")
        }
    }

    /// The next column, or the one before.
    private mutating func choose(_ column: ListColumn, _ step: Int) {
        let all = editableColumns
        guard let place = all.firstIndex(of: column) else { return }
        mode = .columns(all[(place + step + all.count) % all.count])
    }

    /// The first change begins with what is on the screen.
    private mutating func change(_ edit: (inout ListColumns) -> Void) {
        var wishes = listColumns ?? ListColumns(ColumnLayout(width: listWidth).columns)
        edit(&wishes)
        listColumns = wishes
    }

    private mutating func resize(_ column: ListColumn, by step: Int) {
        guard let width = ColumnLayout(width: listWidth, listColumns)[column]?.width else {
            notice = Notice(text: "Not on the screen; Space shows it")
            return
        }
        setWidth(width + step, of: column)
    }

    mutating func setWidth(_ width: Int, of column: ListColumn) { change { $0.setWidth(width, of: column) } }

    private mutating func endOfColumns() {
        mode = .list
        sayWhatKeepsColumns()
    }

    /// In the configuration, for each screen.
    mutating func sayWhatKeepsColumns() {
        guard let listColumns else { return }
        let line = "list-columns = \"\(listColumns.text)\""
        log.add(.note, "columns: \(line) in [interface] of config.toml keeps them", at: now)
        notice = Notice(text: "[interface] \(line)")
    }
}
