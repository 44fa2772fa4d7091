// SPDX-License-Identifier: MIT

extension Form {
    /// The most lines of an error; the last one of them is cut.
    private static let mostErrorLines = 5

    /// A line of the form.
    private enum Line {
        case field(Int)
        case error(String)
    }

    /// The rows that all fields take in `width` columns.
    func height(width: Int, _ capabilities: Capabilities) -> Int { lines(width: width, capabilities).count }

    private var labelWidth: Int { (fields.map { CellWidth.of($0.label) }.max() ?? 0) + 1 }

    private func lines(width: Int, _ capabilities: Capabilities) -> [Line] {
        fields.indices.filter { fields[$0].isShown }.flatMap { index -> [Line] in
            let errors = fields[index].error.map { text in
                CellText.wrap(
                    capabilities.shown(text), width: max(8, width - labelWidth), most: Self.mostErrorLines,
                    mark: capabilities.glyphs.ellipsis)
            }
            return [.field(index)] + (errors ?? []).map { .error($0) }
        }
    }

    /// As many lines as fit, those of the active field among them.
    private func shownLines(rows: Range<Int>, width: Int, _ capabilities: Capabilities) -> [(line: Line, row: Int)] {
        let lines = lines(width: width, capabilities)
        let selected = lines.firstIndex { if case .field(active) = $0 { true } else { false } } ?? 0
        let last = lines[(selected + 1)...].firstIndex { if case .field = $0 { true } else { false } } ?? lines.count
        // Its error is in view, too.
        var top = max(0, min(max(0, lines.count - rows.count), last - rows.count))
        top = min(top, selected)
        return zip(lines.dropFirst(top), rows).map { ($0, $1) }
    }

    func draw(in grid: inout Grid, rows: Range<Int>, columns: Range<Int>, _ capabilities: Capabilities) {
        let start = columns.lowerBound + labelWidth
        for (line, row) in shownLines(rows: rows, width: columns.count, capabilities) {
            switch line {
            case .field(let index): draw(fields[index], index == active, &grid, row, columns, capabilities)
            case .error(let text):
                grid.write(text, row: row, column: start, width: columns.upperBound - start, style: .failure)
            }
        }
    }

    /// What is drawn at a cell; `nil` if nothing of the form is.
    func spot(
        row: Int, column: Int, rows: Range<Int>, columns: Range<Int>, _ capabilities: Capabilities
    ) -> Spot? {
        guard columns.contains(column) else { return nil }
        let lines = shownLines(rows: rows, width: columns.count, capabilities)
        guard case .field(let index)? = lines.first(where: { $0.row == row })?.line else { return nil }
        let field = fields[index]
        let start = columns.lowerBound + labelWidth
        guard start < columns.upperBound, column >= start else { return .field(index) }
        let choice = choices(of: field, start..<columns.upperBound, capabilities).first {
            ($0.start..<$0.start + CellWidth.of($0.text)).contains(column)
        }
        if let choice { return .choice(index, choice.index) }
        if let hint = shownHint(of: field, columns.upperBound - start),
            column >= columns.upperBound - CellWidth.of(hint)
        {
            return .pickHint(index)
        }
        return .field(index)
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

    /// The choices of a field that have room, in a narrow window those around the chosen one.
    private func choices(
        of field: Field, _ columns: Range<Int>, _ capabilities: Capabilities
    ) -> [(index: Int, start: Int, text: String)] {
        func shown(_ index: Int) -> String {
            capabilities.drawn(index == field.chosen ? "‹\(field.choices[index])›" : field.choices[index])
        }
        // A text needs a few columns.
        let room = columns.count - (field.takesText ? 8 : 0)
        let all = field.choices.indices.map(shown)
        guard !all.isEmpty else { return [] }
        var first = 0
        while first < field.chosen, CellWidth.of(all[first...field.chosen].joined(separator: " ")) > room { first += 1 }
        var place = columns.lowerBound
        var found: [(index: Int, start: Int, text: String)] = []
        for (index, text) in all.enumerated().dropFirst(first) {
            guard index == field.chosen || place - columns.lowerBound + CellWidth.of(text) <= room else { break }
            found.append((index, place, text))
            place += CellWidth.of(text) + 1
        }
        return found
    }

    /// - Returns: where a text may follow.
    private func drawChoices(
        _ field: Field, _ isActive: Bool, _ grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ capabilities: Capabilities
    ) -> Int {
        var place = columns.lowerBound
        for (index, start, text) in choices(of: field, columns, capabilities) {
            let isChosen = index == field.chosen
            place = start
            if isChosen, isActive { grid.cursor = Grid.Position(row: row, column: place) }
            let style: Style = !field.isEnabled ? .faint : isChosen ? .bold : .faint
            place += grid.write(text, row: row, column: place, width: columns.upperBound - place, style: style) + 1
        }
        return place
    }

    /// The key that picks, where there is room for that.
    private func shownHint(of field: Field, _ width: Int) -> String? {
        guard field.canPick, field.isEnabled else { return nil }
        let hint = Self.pickHint(field)
        return width >= CellWidth.of(hint) + 12 ? hint : nil
    }

    private static func pickHint(_ field: Field) -> String {
        field.pickHint ?? (field.text.isEmpty ? "Enter picks" : "Ctrl-O picks")
    }

    /// The columns in which all fields are seen whole.
    func width(_ capabilities: Capabilities) -> Int {
        labelWidth
            + (fields.filter(\.isShown).map { field in
                let text = capabilities.shown(field.summary ?? field.text)
                let choices = field.choices.reduce(field.choices.isEmpty ? 0 : 2) { $0 + CellWidth.of($1) + 1 }
                let hint = field.canPick ? CellWidth.of(Self.pickHint(field)) + 1 : 0
                // The cursor stands behind the text.
                return choices + max(CellWidth.of(text) + 1, CellWidth.of(field.placeholder)) + hint
            }.max() ?? 0)
    }

    private func drawText(
        _ field: Field, _ isActive: Bool, _ grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ capabilities: Capabilities
    ) {
        let mark = capabilities.glyphs.ellipsis
        var end = columns.upperBound
        if let hint = shownHint(of: field, columns.count) {
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
                editor, in: &grid, row: row, column: columns.lowerBound, width: end - columns.lowerBound,
                mark: field.isHidden ? capabilities.glyphs.mark : nil, capabilities)
        }
        guard !field.text.isEmpty else { return }
        let text =
            field.isHidden
            ? String(repeating: capabilities.glyphs.mark, count: field.text.count)
            : capabilities.shown((field.summary ?? field.text).replacing("\n", with: " "))
        let fitted = CellText.fit(text, width: end - columns.lowerBound, ellipsis: .middle, mark: mark)
        grid.write(fitted, row: row, column: columns.lowerBound, style: field.isEnabled ? .plain : .faint)
    }
}
