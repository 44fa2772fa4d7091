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
        let keys = Keys(more: state.setup.keyMap.key(.pageDown), back: state.setup.keyMap.key(.pageUp))
        drawPosition(first, rows.count, of: lines.count, keys, in: &grid, row: note, column: 0, capabilities)
    }

    /// The output of a command; its tables fit the screen, other lines continue on the next one.
    static func lines(
        of output: [String], width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        output.flatMap { wrapped(capabilities.shown($0), width: max(1, width)) }.map { StyledLine($0) }
    }

    /// Wraps a line. Text behind a label and several spaces, or behind such an indent, continues in its own column.
    private static func wrapped(_ line: String, width: Int) -> [String] {
        let glyphs = CellText.glyphs(of: line)
        let start = glyphs.indices.dropFirst(2).first { index in
            glyphs[index].text != " " && glyphs[index - 1].text == " " && glyphs[index - 2].text == " "
        }
        guard CellWidth.of(line) > width, let start else { return CellText.wrap(line, width: width) }
        let indent = glyphs[..<start].reduce(0) { $0 + $1.columns }
        guard indent <= width / 2 else { return CellText.wrap(line, width: width) }
        let label = glyphs[..<start].map(\.text).joined()
        let lines = CellText.wrap(glyphs[start...].map(\.text).joined(), width: width - indent)
        return lines.enumerated().map { (index, part) in (index == 0 ? label : CellText.spaces(indent)) + part }
    }

    /// The keys that scroll.
    struct Keys {
        var more: String?
        var back: String?
    }

    /// `Lines 1–19 of 82; PgDn shows more`
    static func drawPosition(
        _ first: Int, _ shown: Int, of count: Int, _ keys: Keys, in grid: inout Grid, row: Int, column: Int,
        _ capabilities: Capabilities
    ) {
        let width = grid.columns - column
        let texts = position(first, shown, of: count, keys).map(capabilities.drawn)
        let text = texts.first { CellWidth.of($0) <= width } ?? texts.last ?? ""
        grid.write(text, row: row, column: column, width: width, style: .faint)
    }

    /// Which lines are shown, and the key that shows more; longest first.
    private static func position(_ first: Int, _ shown: Int, of count: Int, _ keys: Keys) -> [String] {
        let last = min(count, first + shown)
        let range = "\(first + 1)–\(last) of \(count)"
        let (key, verb) = last < count ? (keys.more, "shows more") : (keys.back, "goes back")
        guard let key else { return ["Lines \(range)", range] }
        return ["Lines \(range); \(key) \(verb)", "\(range); \(key)", range]
    }
}
