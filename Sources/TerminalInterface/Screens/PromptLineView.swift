// SPDX-License-Identifier: MIT

/// The bottom line with a prompt.
enum PromptLineView {
    static func draw(_ prompt: InterfaceState.Prompt, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if prompt.purpose.isAnsweredByKey { return draw(question: prompt, in: &grid, row: row, capabilities) }
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

    /// On as many lines as necessary: what it is about, and the keys, are never left out; details are, by their role.
    private static func draw(
        question: InterfaceState.Prompt, in grid: inout Grid, row: Int, _ capabilities: Capabilities
    ) {
        let lines = lines(of: question, width: max(1, grid.columns - 1), most: row + 1, capabilities)
        var end = 0
        for (offset, line) in lines.enumerated() {
            let place = row - lines.count + 1 + offset
            grid.write(CellText.fit(line, width: grid.columns, mark: ""), row: place, column: 0, style: .key)
            end = CellWidth.of(line)
        }
        grid.cursor = Grid.Position(row: row, column: min(end, grid.columns - 1))
    }

    private static func lines(
        of question: InterfaceState.Prompt, width: Int, most: Int, _ capabilities: Capabilities
    ) -> [String] {
        func wrapped(_ text: String) -> [String] { CellText.wrap(capabilities.shown(text), width: width) }
        let summary = question.subject.map { wrapped($0.summary) } ?? []
        let keys = wrapped(question.label)
        var details = (question.subject?.details ?? []).map { detail in
            (role: detail.role, lines: wrapped("\(detail.label): \(detail.value)"))
        }
        for role in InterfaceWords.Question.Detail.Role.allCases
        where summary.count + keys.count + details.reduce(0, { $0 + $1.lines.count }) > most {
            details.removeAll { $0.role == role }
        }
        let lines = summary + details.flatMap(\.lines) + keys
        guard lines.count > most else { return lines }
        return Array(lines.prefix(max(0, most - keys.count))) + keys.suffix(most)
    }
}
