// SPDX-License-Identifier: MIT

/// The bottom line with a prompt.
enum PromptLineView {
    static func draw(_ prompt: InterfaceState.Prompt, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if prompt.purpose.isAnsweredByKey { return draw(question: prompt.label, in: &grid, row: row, capabilities) }
        let shownLabel = capabilities.shown(prompt.label)
        // The label is truncated before the text.
        let labelWidth = min(CellWidth.of(shownLabel), max(0, grid.columns - 12))
        let label = CellText.fit(shownLabel, width: labelWidth, mark: capabilities.glyphs.ellipsis)
        let start = grid.write(label, row: row, column: 0, style: .key)

        // Secrets are drawn as dots.
        EditorLine.draw(
            prompt.editor, in: &grid, row: row, column: start, width: grid.columns - start,
            mark: prompt.purpose.isHidden ? capabilities.glyphs.mark : nil, capabilities)
    }

    /// On as many lines as necessary: what it is about, and the keys, are never left out, and fingerprints are the last
    /// that are.
    private static func draw(question: String, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let lines = lines(of: question, width: max(1, grid.columns - 1), most: row + 1, capabilities)
        var end = 0
        for (offset, line) in lines.enumerated() {
            let place = row - lines.count + 1 + offset
            grid.write(CellText.fit(line, width: grid.columns, mark: ""), row: place, column: 0, style: .key)
            end = CellWidth.of(line)
        }
        grid.cursor = Grid.Position(row: row, column: min(end, grid.columns - 1))
    }

    private static func lines(of question: String, width: Int, most: Int, _ capabilities: Capabilities) -> [String] {
        var parts = question.split(separator: "\n").map { CellText.wrap(capabilities.shown(String($0)), width: width) }
        // First the names, which the server may choose; then the key, whose certificate has a fingerprint, too.
        while parts.count > 2, parts.joined().count > most { parts.remove(at: parts.count > 4 ? 1 : parts.count - 2) }
        let (lines, keys) = (Array(parts.joined()), parts.last ?? [])
        guard lines.count > most else { return lines }
        return Array(lines.prefix(max(0, most - keys.count))) + keys.suffix(most)
    }
}
