// SPDX-License-Identifier: MIT

import TransferControl

/// What a click or the wheel does. Each click equals a key.
extension InterfaceState {
    /// Rows of a step of the wheel.
    static let wheelRows = 3

    mutating func click(_ mouse: Mouse) -> [Effect] {
        if mouse.button == .released || mouse.button == .dragged {
            moveEdge(to: mouse)
            if mouse.button == .released { endDrag() }
            return []
        }
        // Without mode 1006 terminals report no release of the left button as such.
        drag = nil
        switch mode {
        case .rowMenu(let menu): return click(mouse, in: menu)
        case .picker(let picker, let form): return click(mouse, in: picker, over: form)
        case .add(let form): return click(mouse, in: form)
        case .edit(let form): return click(mouse, in: form)
        case .palette(let palette):
            if mouse.button == .left, let index = PaletteView.proposal(row: mouse.row, palette, self) {
                mode = .palette(chosen(at: index, in: palette))
            }
            return []
        // A question is answered by a key, and so are fields.
        case .prompt, .columns: return []
        case .list: break
        }
        switch mouse.button {
        case .wheelUp: scroll(-Self.wheelRows)
        case .wheelDown: scroll(Self.wheelRows)
        case .left:
            // There it marks.
            if mouse.column < 2 { list.range = nil }
            return press(at: mouse)
        case .right: openRowMenu(at: mouse)
        case .middle, .dragged, .released: break
        }
        return []
    }

    /// Whether a click is on the notice: the hints are not there, and it only takes the notice away.
    func isOnNotice(_ key: Key) -> Bool {
        guard case .mouse(let mouse) = key, mouse.button == .left, notice != nil, mode.isList else {
            return false
        }
        return mouse.row == layout.bottom
    }

    /// The edge of a column that the mouse holds: the blank behind its heading.
    struct Drag: Hashable, Sendable {
        var column: ListColumn
        /// Where the mouse took it.
        var start: Int
        /// Of the column, then.
        var width: Int
        /// Those to which it returns at ``start``.
        var before: ListColumns?
    }

    private mutating func beginDrag(of column: ListColumn, at start: Int) {
        guard let width = ColumnLayout(width: listWidth, listColumns)[column]?.width else { return }
        drag = Drag(column: column, start: start, width: width, before: listColumns)
    }

    /// The column follows the mouse; what it leaves too little room for comes back with it.
    private mutating func moveEdge(to mouse: Mouse) {
        guard let drag else { return }
        listColumns = drag.before
        if mouse.column != drag.start { setWidth(drag.width + mouse.column - drag.start, of: drag.column) }
    }

    private mutating func endDrag() {
        guard let drag else { return }
        self.drag = nil
        if listColumns != drag.before { sayWhatKeepsColumns() }
    }

    private mutating func scroll(_ rows: Int) {
        if overlay != nil { return scrollOverlay(rows) }
        if list.view == .log { return scrollLog(rows) }
        select(offset: rows)
    }

    private mutating func press(at mouse: Mouse) -> [Effect] {
        let layout = layout
        if mouse.row == layout.bottom {
            return HintLineView.action(at: mouse.column, self, width: columns).map { attempt($0) } ?? []
        }
        if mouse.row == layout.views {
            // Its width decides only where tabs end.
            if let view = Frame.view(at: mouse.column, self, columns: columns, .unicode) { show(view) }
            return []
        }
        if let tab = tab(at: mouse, layout) {
            open(tab)
            return []
        }
        guard overlay == nil, list.view != .log, mouse.column < layout.listColumns else { return [] }
        if mouse.row == layout.headings, list.view != .history {
            if let column = TransferList.edge(at: mouse.column, self) {
                beginDrag(of: column, at: mouse.column)
            } else if let key = TransferList.order(at: mouse.column, self) {
                sort(by: .character(key.letter), isNoted: false)
            }
            return []
        }
        if layout.list.contains(mouse.row) { pressRow(mouse.row - layout.list.lowerBound, mouse.column) }
        return []
    }

    /// Of the details, in their pane or over the list.
    private func tab(at mouse: Mouse, _ layout: ScreenLayout) -> DetailTab? {
        guard showsDetails, let transfer = list.selected else { return nil }
        if overlay == .detail {
            let isTop = shownTop(of: DetailView.lines(of: self).count) == 0
            guard mouse.row == layout.body.lowerBound, isTop else { return nil }
            return DetailTabs.tab(at: mouse.column, of: transfer, details.tab, room: columns)
        }
        return mouse.row == layout.pane?.lowerBound ? DetailPane.tab(at: mouse.column, self, layout.paneColumns) : nil
    }

    private mutating func pressRow(_ offset: Int, _ column: Int) {
        let index = firstRow + offset
        guard (0..<list.rowCount).contains(index) else { return }
        let row = list.row(index)
        if column < 2, listWidth >= 60 {
            list.toggleMark(row)
        } else if row == list.selectedRow {
            if list.selectedGroup != nil { return toggleGroup() }
            cover(.detail)
        }
        list.select(row: index)
    }
}
