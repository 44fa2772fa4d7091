// SPDX-License-Identifier: MIT

import TransferControl

/// Effects of clicks and of the wheel. Each click equals a key.
extension Mouse {
    func click(on screen: inout InterfaceState) -> [Effect] {
        if button == .released || button == .dragged {
            guard let drag = screen.drag else { return [] }
            drag.move(to: column, &screen)
            guard button == .released else { return [] }
            screen.drag = nil
            if screen.listColumns != drag.before { ListColumn.sayWhatKeepsThem(on: &screen) }
            return []
        }
        // Without mode 1006 terminals report no release of the left button as such.
        screen.drag = nil
        switch screen.mode {
        case .rowMenu(let menu): return menu.click(self, on: &screen)
        case .picker(let picker, let form): return picker.click(self, over: form, on: &screen)
        case .add(let form): return form.click(self, on: &screen)
        case .edit(let form): return form.click(self, on: &screen)
        case .palette(let palette):
            if button == .left, let index = PaletteView.proposal(row: row, palette, screen) {
                screen.mode = .palette(palette.chosen(at: index, on: screen))
            }
            return []
        case .help(let menu): return menu.click(self, on: &screen)
        // A question is answered by a key, and so are fields.
        case .prompt, .columns: return []
        case .list: break
        }
        switch button {
        case .wheelUp: scroll(-Self.wheelRows, &screen)
        case .wheelDown: scroll(Self.wheelRows, &screen)
        case .left:
            // There it marks.
            if column < 2 { screen.list.range = nil }
            return press(&screen)
        case .right: RowMenu.open(at: self, on: &screen)
        case .middle, .dragged, .released: break
        }
        return []
    }

    /// Whether it is a click on the notice: the hints are not there, and it only takes the notice away.
    func isOnNotice(of screen: InterfaceState) -> Bool {
        button == .left && screen.notice != nil && screen.mode.isList && row == screen.layout.bottom
    }

    private func scroll(_ rows: Int, _ screen: inout InterfaceState) {
        if screen.overlay != nil { return screen.scrollOverlay(rows) }
        if screen.list.view == .log { return screen.scrollLog(rows) }
        screen.select(offset: rows)
    }

    private func press(_ screen: inout InterfaceState) -> [Effect] {
        let layout = screen.layout
        if row == layout.bottom {
            return HintLineView.action(at: column, screen, width: screen.columns).map { screen.attempt($0) } ?? []
        }
        if row == layout.views {
            // Its width decides only where tabs end.
            if let view = Frame.view(at: column, screen, columns: screen.columns, .unicode) { screen.show(view) }
            return []
        }
        if let tab = tab(screen, layout) {
            screen.open(tab)
            return []
        }
        guard screen.overlay == nil, screen.list.view != .log, column < layout.listColumns else { return [] }
        if row == layout.headings, screen.list.view != .history {
            if let edge = TransferList.edge(at: column, screen) {
                screen.drag = ColumnDrag(of: edge, at: column, screen)
            } else if let key = TransferList.order(at: column, screen) {
                ActionTable.sort(by: .character(key.letter), isNoted: false, &screen)
            }
            return []
        }
        if layout.list.contains(row) { pressRow(screen.firstRow + row - layout.list.lowerBound, &screen) }
        return []
    }

    /// The tab of the details below the pointer, in their pane or over the list.
    private func tab(_ screen: InterfaceState, _ layout: ScreenLayout) -> DetailTab? {
        guard screen.showsDetails, let transfer = screen.list.selected else { return nil }
        if screen.overlay == .detail {
            let isTop = screen.shownTop(of: DetailView.lines(of: screen).count) == 0
            guard row == layout.body.lowerBound, isTop else { return nil }
            return DetailTabs.tab(at: column, of: transfer, screen.details.tab, room: screen.columns)
        }
        return row == layout.pane?.lowerBound ? DetailPane.tab(at: column, screen, layout.paneColumns) : nil
    }

    private func pressRow(_ index: Int, _ screen: inout InterfaceState) {
        guard (0..<screen.list.rowCount).contains(index) else { return }
        let row = screen.list.row(index)
        if column < 2, screen.listWidth >= 60 {
            screen.list.toggleMark(row)
        } else if row == screen.list.selectedRow {
            if screen.list.selectedGroup != nil { return screen.toggleGroup() }
            screen.cover(.detail)
        }
        screen.list.select(row: index)
    }
}

/// The edge of a column that the mouse holds: the blank behind its heading.
struct ColumnDrag: Hashable, Sendable {
    var column: ListColumn
    /// The column of the mouse when the drag began.
    var start: Int
    /// The width of the column at ``start``.
    var width: Int
    /// The columns that return when the pointer is back at ``start``.
    var before: ListColumns?

    init?(of column: ListColumn, at start: Int, _ screen: InterfaceState) {
        before = screen.listColumns
        guard let width = ColumnLayout(width: screen.listWidth, before)[column]?.width else { return nil }
        (self.column, self.start, self.width) = (column, start, width)
    }

    /// The column follows the mouse; what it leaves too little room for comes back with it.
    func move(to place: Int, _ screen: inout InterfaceState) {
        screen.listColumns = before
        guard place != start else { return }
        ListColumn.change(on: &screen) { $0.setWidth(width + place - start, of: column) }
    }
}
