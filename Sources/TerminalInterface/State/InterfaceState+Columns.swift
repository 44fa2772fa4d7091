// SPDX-License-Identifier: MIT

/// The columns of the list, chosen, ordered and sized by keys.
extension InterfaceState {
    /// The columns on the screen, then all others.
    var editableColumns: [ListColumn] {
        let shown = listColumns?.choices.map(\.column) ?? ColumnLayout(width: listWidth).columns
        return shown + ListColumn.allCases.filter { !shown.contains($0) }
    }

    mutating func editColumns() { mode = editableColumns.first.map { .columns($0) } ?? .list }

    /// The first change begins with what is on the screen.
    mutating func changeColumns(_ edit: (inout ListColumns) -> Void) {
        var wishes = listColumns ?? ListColumns(ColumnLayout(width: listWidth).columns)
        edit(&wishes)
        listColumns = wishes
    }

    mutating func setWidth(_ width: Int, of column: ListColumn) { changeColumns { $0.setWidth(width, of: column) } }

    /// In the configuration, for each screen.
    mutating func sayWhatKeepsColumns() {
        guard let listColumns else { return }
        let line = "list-columns = \"\(listColumns.text)\""
        log.add(.note, "columns: \(line) in [interface] of config.toml keeps them", at: now)
        notice = Notice(text: "[interface] \(line)")
    }
}
