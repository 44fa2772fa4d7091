// SPDX-License-Identifier: MIT

extension Form {
    /// The most lines of an error.
    private static let mostErrorLines = 3

    /// A line of the form.
    private enum Line {
        case field(Int)
        case error(String)
    }

    /// The rows that all fields take in `width` columns.
    func height(width: Int, _ capabilities: Capabilities) -> Int { lines(width: width, capabilities).count }

    private var labelWidth: Int { (fields.map { CellWidth.of($0.label) }.max() ?? 0) + 1 }

    private func lines(width: Int, _ capabilities: Capabilities) -> [Line] {
        fields.indices.flatMap { index -> [Line] in
            let errors = fields[index].error.map { text in
                CellText.wrap(capabilities.shown(text), width: max(8, width - labelWidth)).prefix(Self.mostErrorLines)
            }
            return [.field(index)] + (errors ?? []).map { .error($0) }
        }
    }

    /// Draws as many lines as fit, those of the active field among them.
    func draw(in grid: inout Grid, rows: Range<Int>, columns: Range<Int>, _ capabilities: Capabilities) {
        let lines = lines(width: columns.count, capabilities)
        let selected = lines.firstIndex { if case .field(active) = $0 { true } else { false } } ?? 0
        let last = lines[(selected + 1)...].firstIndex { if case .field = $0 { true } else { false } } ?? lines.count
        // Its error is in view, too.
        var top = max(0, min(max(0, lines.count - rows.count), last - rows.count))
        top = min(top, selected)
        let start = columns.lowerBound + labelWidth
        for (line, row) in zip(lines.dropFirst(top), rows) {
            switch line {
            case .field(let index): draw(fields[index], index == active, &grid, row, columns, capabilities)
            case .error(let text):
                grid.write(text, row: row, column: start, width: columns.upperBound - start, style: .failure)
            }
        }
    }

    private func draw(
        _ field: Field, _ isActive: Bool, _ grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ capabilities: Capabilities
    ) {
        let label: Style = !field.isEnabled ? .faint : isActive ? .key : field.error == nil ? .plain : .failure
        grid.write(field.label, row: row, column: columns.lowerBound, width: columns.count, style: label)
        var start = columns.lowerBound + labelWidth
        guard start < columns.upperBound else { return }
        if !field.choices.isEmpty {
            start = drawChoices(field, isActive, &grid, row, start..<columns.upperBound, capabilities)
            guard field.takesText, start < columns.upperBound else { return }
        }
        drawText(field, isActive, &grid, row, start..<columns.upperBound, capabilities)
    }

    /// - Returns: where a text may follow.
    private func drawChoices(
        _ field: Field, _ isActive: Bool, _ grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ capabilities: Capabilities
    ) -> Int {
        func shown(_ index: Int) -> String {
            capabilities.drawn(index == field.chosen ? "‹\(field.choices[index])›" : field.choices[index])
        }
        // A text needs a few columns.
        let room = columns.count - (field.takesText ? 8 : 0)
        let all = field.choices.indices.map(shown)
        // In a narrow window those around the chosen one.
        var first = 0
        while first < field.chosen, CellWidth.of(all[first...field.chosen].joined(separator: " ")) > room { first += 1 }
        var place = columns.lowerBound
        for (index, text) in all.enumerated().dropFirst(first) {
            let isChosen = index == field.chosen
            guard isChosen || place - columns.lowerBound + CellWidth.of(text) <= room else { break }
            if isChosen, isActive { grid.cursor = Grid.Position(row: row, column: place) }
            let style: Style = !field.isEnabled ? .faint : isChosen ? .bold : .faint
            place += grid.write(text, row: row, column: place, width: columns.upperBound - place, style: style) + 1
        }
        return place
    }

    private func drawText(
        _ field: Field, _ isActive: Bool, _ grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ capabilities: Capabilities
    ) {
        let mark = capabilities.glyphs.ellipsis
        var end = columns.upperBound
        if field.isEnabled, let hint = field.tabHint, columns.count >= CellWidth.of(hint) + 12 {
            end -= CellWidth.of(hint)
            grid.write(hint, row: row, column: end, style: .faint)
            end -= 1
        }
        if field.text.isEmpty {
            let text = CellText.fit(field.placeholder, width: end - columns.lowerBound, mark: mark)
            grid.write(capabilities.drawn(text), row: row, column: columns.lowerBound, style: .faint)
        }
        if isActive {
            // A list is shown as a whole until the cursor moves into it.
            var editor = field.editor
            if editor.after.isEmpty, let summary = field.summary {
                let room = end - columns.lowerBound - 1
                let shown = capabilities.shown(summary)
                editor = LineEditor(
                    CellText.fit(shown, width: min(room, CellWidth.of(shown)), ellipsis: .middle, mark: mark))
            }
            return EditorLine.draw(
                editor, in: &grid, row: row, column: columns.lowerBound, width: end - columns.lowerBound, capabilities)
        }
        guard !field.text.isEmpty else { return }
        let text = capabilities.shown((field.summary ?? field.text).replacing("\n", with: " "))
        let fitted = CellText.fit(text, width: end - columns.lowerBound, ellipsis: .middle, mark: mark)
        grid.write(fitted, row: row, column: columns.lowerBound, style: field.isEnabled ? .plain : .faint)
    }
}
