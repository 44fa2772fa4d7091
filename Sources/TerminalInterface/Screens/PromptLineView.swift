// SPDX-License-Identifier: MIT

/// The bottom line with a prompt.
enum PromptLineView {
    /// Columns that what is typed has at least.
    private static let leastText = 12

    static func draw(_ prompt: Prompt, in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        if prompt.purpose.isAnsweredByKey { return draw(question: prompt, in: &grid, row: row, capabilities) }
        draw(
            prompt.editor, labels: prompt.labels, isHidden: prompt.purpose.isHidden, isOffered: prompt.isOffered,
            in: &grid, row: row, capabilities)
    }

    static func draw(
        _ editor: LineEditor, labels: [String], isHidden: Bool = false, isOffered: Bool = false,
        in grid: inout Grid, row: Int, _ capabilities: Capabilities
    ) {
        let text = CellWidth.of(editor.text) + 1
        // The label is shortened before the text.
        let most = grid.columns - min(max(leastText, text), grid.columns * 2 / 3)
        let labels = labels.map(capabilities.shown)
        let shownLabel = labels.first { CellWidth.of($0) <= most } ?? labels[labels.count - 1]
        let labelWidth = min(CellWidth.of(shownLabel), max(0, grid.columns - leastText))
        let label = CellText.fit(shownLabel, width: labelWidth, mark: capabilities.glyphs.ellipsis)
        let start = grid.write(label, row: row, column: 0, style: .key)

        // Secrets are drawn as dots.
        EditorLine.draw(
            editor, in: &grid, row: row, column: start, width: grid.columns - start,
            mark: isHidden ? capabilities.glyphs.mark : nil, style: isOffered ? .faint : .plain, capabilities)
    }

    /// The least rows of the list above the rule.
    private static let leastAbove = 5
    /// The width from which values stand below each other.
    private static let alignedFrom = 64

    /// On as many lines as necessary: what it is about, and the keys, are never left out; details are, by their role.
    private static func draw(
        question: Prompt, in grid: inout Grid, row: Int, _ capabilities: Capabilities
    ) {
        let lines = lines(of: question, width: max(1, grid.columns - 1), most: row + 1, capabilities)
        let top = row + 1 - lines.count
        for (offset, line) in lines.enumerated() {
            grid.write(CellText.spaces(grid.columns), row: top + offset, column: 0)
            line.write(to: &grid, row: top + offset)
        }
        if question.subject != nil, top > leastAbove { drawRule(in: &grid, row: top - 1, capabilities) }
        grid.cursor = Grid.Position(row: row, column: min(lines.last?.width ?? 0, grid.columns - 1))
    }

    /// Between the list and what covers its end.
    static func drawRule(in grid: inout Grid, row: Int, _ capabilities: Capabilities) {
        let rule = String(repeating: capabilities.glyphs.rule, count: grid.columns)
        grid.write(rule, row: row, column: 0, style: .faint)
    }

    private static func lines(
        of question: Prompt, width: Int, most: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        func wrapped(_ text: String, _ style: Style) -> [StyledLine] {
            CellText.wrap(capabilities.shown(text), width: width).map { StyledLine($0, style) }
        }
        let summary = question.subject.map { wrapped($0.summary, .warning) } ?? []
        let keys = wrapped(question.labels[0], .key)
        let asked = question.subject?.details ?? []
        let labelWidth = asked.reduce(0) { max($0, CellWidth.of(capabilities.shown($1.label))) } + 2
        var details = asked.map { detail in
            (role: detail.role, lines: detailLines(detail, labelWidth: labelWidth, width: width, capabilities))
        }
        for role in InterfaceWords.Question.Detail.Role.allCases
        where summary.count + keys.count + details.reduce(0, { $0 + $1.lines.count }) > most {
            details.removeAll { $0.role == role }
        }
        let lines = summary + details.flatMap(\.lines) + keys
        guard lines.count > most else { return lines }
        return Array(lines.prefix(max(0, most - keys.count))) + keys.suffix(most)
    }

    /// The value beside its label; where there is room, in a column of its own.
    private static func detailLines(
        _ detail: InterfaceWords.Question.Detail, labelWidth: Int, width: Int, _ capabilities: Capabilities
    ) -> [StyledLine] {
        let label = capabilities.shown(detail.label) + ":"
        let value = capabilities.shown(detail.value)
        guard width >= alignedFrom, labelWidth <= width / 2 else {
            return CellText.wrap("\(label) \(value)", width: width).enumerated().map { index, line in
                guard index == 0, line.hasPrefix(label) else { return StyledLine(line) }
                return StyledLine(label, .faint) + StyledLine(String(line.dropFirst(label.count)))
            }
        }
        return CellText.wrap(value, width: width - labelWidth).enumerated().map { index, line in
            StyledLine(CellText.fit(index == 0 ? label : "", width: labelWidth), .faint) + StyledLine(line)
        }
    }
}
