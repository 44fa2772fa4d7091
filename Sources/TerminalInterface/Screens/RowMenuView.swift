// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The keys of a row in a frame.
enum RowMenuView {
    /// What a click at a cell means.
    enum Target: Hashable {
        case key(Key)
        /// The line with this index.
        case line(Int)
    }

    private static let labelWidth = 5

    static func draw(_ menu: RowMenu, _ state: InterfaceState, in grid: inout Grid, _ capabilities: Capabilities) {
        let box = box(menu, title(menu, state), of: (grid.columns, grid.rows))
        box.draw(in: &grid, capabilities)
        let content = box.content
        for (row, index) in lines(menu, box) {
            guard let action = state.setup.keyMap.action(menu.actions[index]) else { continue }
            var style = Style(isSelected: index == menu.choice)
            grid.write(CellText.spaces(content.count), row: row, column: content.lowerBound, style: style)
            style.role = .key
            let label = action.keys.first?.label ?? ""
            let used = max(labelWidth, CellWidth.of(label) + 1)
            grid.write(label, row: row, column: content.lowerBound, width: content.count, style: style)
            style.role = Style.plain.role
            let room = max(0, content.count - used)
            let text = CellText.fit(
                capabilities.shown(HintLineView.word(action, state)), width: room, mark: capabilities.glyphs.ellipsis)
            grid.write(text, row: row, column: content.lowerBound + used, width: room, style: style)
        }
    }

    static func target(row: Int, column: Int, _ menu: RowMenu, of size: (columns: Int, rows: Int)) -> Target? {
        let box = box(menu, "", of: size)
        if let key = box.key(row: row, column: column) { return .key(key) }
        guard box.content.contains(column) else { return nil }
        return lines(menu, box).first { $0.row == row }.map { .line($0.index) }
    }

    private static func box(_ menu: RowMenu, _ title: String, of size: (columns: Int, rows: Int)) -> DialogBox {
        DialogBox(
            title: title, hints: ["Enter choose", "↑↓ line", "Esc"],
            rows: min(menu.actions.count, max(1, size.rows - 2)), of: size)
    }

    /// The chosen one is always among them.
    private static func lines(_ menu: RowMenu, _ box: DialogBox) -> [(row: Int, index: Int)] {
        let height = min(box.body.count, menu.actions.count)
        let first = Viewport.top(0, selected: menu.choice, count: menu.actions.count, height: height)
        return (0..<height).map { (box.body.lowerBound + $0, first + $0) }
    }

    private static func title(_ menu: RowMenu, _ state: InterfaceState) -> String {
        let marked = state.list.marks.isEmpty ? 0 : state.targets.count
        if marked > 0 { return "\(marked) marked" }
        switch menu.row {
        case .group(let key): return key
        case .transfer(let id): return state.list.transfer(id).map { "\(id) \(DisplayName.of($0))" } ?? "\(id)"
        }
    }
}
