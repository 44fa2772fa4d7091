// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The rows of the queue.
enum TransferList {
    static func draw(_ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities) {
        guard !state.list.visible.isEmpty else { return drawEmpty(state, in: &grid, rows: rows, capabilities) }
        let layout = ColumnLayout(width: grid.columns, state.listColumns)
        let around = state.surroundings
        let top = Viewport.top(
            state.list.top, selected: state.list.selectedIndex, count: state.list.rowCount, height: rows.count)
        for (index, row) in zip(top..<max(top, state.list.rowCount), rows) {
            func pen(isSelected: Bool, isMarked: Bool) -> RowPen {
                RowPen(
                    layout: layout, capabilities: capabilities, row: row, isSelected: isSelected, isMarked: isMarked,
                    isStale: state.outage != nil)
            }
            switch state.list.row(index) {
            case .group(let key):
                guard let group = state.list.groups[key] else { continue }
                let isMarked = state.list.marks.isSuperset(of: group.members)
                GroupRow(
                    key: key, tally: group.tally, isFolded: state.list.groups.isFolded(key),
                    pen: pen(isSelected: key == state.list.selectedGroup, isMarked: isMarked),
                    unfold: state.setup.keyMap.label(.unfold)
                ).draw(in: &grid)
            case .transfer(let id):
                guard let transfer = state.list.transfer(id) else { continue }
                let pen = pen(isSelected: id == state.list.selection, isMarked: state.list.marks.contains(id))
                if state.list.view == .history {
                    HistoryRow(transfer: transfer, pen: pen, around: around).draw(in: &grid)
                } else {
                    TransferRow(
                        transfer: transfer, pen: pen, around: around, isFresh: state.list.isFresh(id),
                        indent: state.list.isIndented(id) ? GroupRow.indent : 0
                    ).draw(in: &grid)
                }
            }
        }
    }

    static func drawHeadings(_ state: InterfaceState, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if state.list.view == .log { return }
        if state.list.view == .history {
            return HistoryRow.drawHeadings(state.list.listOrder, in: &grid, row: row, capabilities)
        }
        let layout = ColumnLayout(width: grid.columns, state.listColumns)
        for (index, column) in layout.columns.enumerated() {
            guard let place = layout[column], let title = title(of: column, layout, state) else { continue }
            let order = column.key == nil ? nil : state.list.listOrder.flatMap { $0.key == column.key ? $0 : nil }
            let isKey = order != nil
            // Where no heading follows, the arrow may stand in the blank behind the column.
            let next = layout.columns.dropFirst(index + 1).first
            let isLast = next.map { Self.title(of: $0, layout, state) == nil } ?? true
            let width = isKey && isLast && !column.isRight ? place.width + 1 : place.width
            // The arrow is seen in a narrow column, too.
            let word = isKey ? String(title.prefix(max(0, width - 1))) : title
            let label = capabilities.drawn(word + arrow(order))
            grid.write(
                column.isRight ? NumberText.right(label, width) : label, row: row, column: place.start,
                width: width, style: isKey ? .key : .faint)
        }
    }

    /// Behind the title of the column that sorts: up if the least comes first.
    static func arrow(_ order: ListOrder?) -> String { order.map { $0.isAscending ? "▴" : "▾" } ?? "" }

    private static func title(of column: ListColumn, _ layout: ColumnLayout, _ state: InterfaceState) -> String? {
        switch column {
        case .id: "ID "
        // Servers have a column in wide windows.
        case .name where state.list.hasNamedGroups && (state.list.grouping != .server || layout.server == nil):
            state.list.grouping?.rawValue.uppercased()
        case .state where layout.bar == nil: "%"
        default: column.rawValue.uppercased()
        }
    }

    /// The order that the heading at a column stands for; `nil` if it is none.
    static func order(at column: Int, _ state: InterfaceState) -> ListOrder.Key? {
        let layout = ColumnLayout(width: state.listWidth, state.listColumns)
        return layout.columns.first { heading in
            layout[heading].map { ($0.start..<$0.end).contains(column) } ?? false
        }?.key
    }

    /// The column whose heading ends before this one.
    static func edge(at column: Int, _ state: InterfaceState) -> ListColumn? {
        let layout = ColumnLayout(width: state.listWidth, state.listColumns)
        return layout.columns.first { layout[$0]?.end == column }
    }

    private static func drawEmpty(
        _ state: InterfaceState, in grid: inout Grid, rows: Range<Int>, _ capabilities: Capabilities
    ) {
        let label = state.setup.keyMap.label
        let lines =
            if !state.list.isLoaded {
                ["Loading the queue"]
            } else if state.list.view == .history {
                historyText(state)
            } else if state.list.order.isEmpty {
                ["Nothing in the queue.", "Press \(label(.add)) to add a transfer, \(label(.help)) for help."]
            } else if !state.list.filter.isEmpty {
                [
                    "Nothing matches the filter.",
                    "Press \(label(.close)) to see all \(state.list.count(state.list.view) ?? 0).",
                ]
            } else {
                [emptyText(state.list.view), "Press \(label(.viewAll)) to see all \(state.list.order.count)."]
            }
        let first = rows.lowerBound + max(0, (rows.count - lines.count) / 2)
        for (offset, line) in lines.enumerated() where rows.contains(first + offset) {
            let text = CellText.fit(
                line, width: min(grid.columns, CellWidth.of(line)), mark: capabilities.glyphs.ellipsis)
            grid.write(
                text, row: first + offset, column: max(0, (grid.columns - CellWidth.of(text)) / 2), style: .faint)
        }
    }

    private static func emptyText(_ view: QueueView) -> String {
        switch view {
        case .all: "Nothing in the queue."
        case .now: "Nothing is in the queue."
        case .held: "Nothing is held."
        case .problems: "No problems: nothing waits, asks or has failed."
        case .done: "Nothing is done yet."
        case .firstOwn, .secondOwn, .thirdOwn: "Nothing is in this view."
        case .history, .log: ""
        }
    }

    private static func historyText(_ state: InterfaceState) -> [String] {
        if let refusal = state.list.history.refusal { return [refusal] }
        if !state.list.history.isLoaded { return ["Loading the history"] }
        return state.list.filter.isEmpty
            ? ["Nothing has finished yet."]
            : ["Nothing matches the filter.", "Press \(state.setup.keyMap.label(.close)) to see all that is loaded."]
    }
}

extension ListColumn {
    /// By which a click on its heading sorts.
    var key: ListOrder.Key? {
        switch self {
        case .name: .name
        case .server: .server
        case .size: .size
        case .state: .done
        case .rate: .rate
        case .left: .left
        case .added: .added
        case .id, .limit, .folder, .confirmed, .priority: nil
        }
    }
}
