// SPDX-License-Identifier: MIT

/// Lines over the list: help, details, or the output of a command.
enum CoverText {
    static func draw(
        _ lines: [StyledLine], _ state: InterfaceState, in grid: inout Grid, _ layout: ScreenLayout,
        _ capabilities: Capabilities
    ) {
        let (rows, note) = layout.cover(lines.count)
        let first = min(max(0, state.overlayTop), max(0, lines.count - rows.count))
        for (line, row) in zip(lines.dropFirst(first), rows) { line.write(to: &grid, row: row) }
        guard let note else { return }
        let texts = position(first, rows.count, of: lines.count, state.keyMap).map(capabilities.drawn)
        let text = texts.first { CellWidth.of($0) <= grid.columns } ?? texts.last ?? ""
        grid.write(text, row: note, column: 0, width: grid.columns, style: .faint)
    }

    /// Which lines are shown, and the key that shows more; longest first.
    private static func position(_ first: Int, _ shown: Int, of count: Int, _ keys: KeyMap) -> [String] {
        let last = min(count, first + shown)
        let range = "\(first + 1)–\(last) of \(count)"
        let (key, verb) = last < count ? (keys.key(.pageDown), "shows more") : (keys.key(.pageUp), "goes back")
        guard let key else { return ["Lines \(range)", range] }
        return ["Lines \(range); \(key) \(verb)", "\(range); \(key)", range]
    }
}
