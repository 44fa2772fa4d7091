// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The default bottom line: the keys that apply now.
enum HintLineView {
    static func draw(_ state: InterfaceState, in grid: inout Grid, row: Int) {
        var column = 0
        for action in hints(for: state, width: grid.columns) {
            column += grid.write(label(action), row: row, column: column, style: .key)
            column += 1 + grid.write(word(action, state), row: row, column: column + 1)
            column += 2
        }
    }

    /// The action whose hint is at a column; `nil` between them.
    static func action(at column: Int, _ state: InterfaceState, width: Int) -> Action? {
        var start = 0
        for action in hints(for: state, width: width) {
            let end = start + CellWidth.of(label(action)) + 1 + CellWidth.of(word(action, state))
            if (start..<end).contains(column) { return action }
            start = end + 2
        }
        return nil
    }

    /// In table order; if they do not all fit, the lowest ranks stay.
    static func hints(for state: InterfaceState, width: Int) -> [Action] {
        let enabled = state.setup.keyMap.actions.filter { action in
            action.hintRank != nil && !action.keys.isEmpty && state.isEnabled(action) && action.isOfUse(state)
        }
        var chosen: Set<Action.Name> = []
        var used = 0
        for action in enabled.sorted(by: { ($0.hintRank ?? 0) < ($1.hintRank ?? 0) }) {
            let columns = CellWidth.of(label(action)) + 1 + CellWidth.of(word(action, state))
            let needed = used == 0 ? columns : used + 2 + columns
            guard needed <= width else { break }
            chosen.insert(action.name)
            used = needed
        }
        return enabled.filter { chosen.contains($0.name) }
    }

    /// What the key would do now.
    static func word(_ action: Action, _ state: InterfaceState) -> String { action.wordNow(state) ?? action.word }

    private static func label(_ action: Action) -> String { action.keys.first?.label ?? "" }
}
