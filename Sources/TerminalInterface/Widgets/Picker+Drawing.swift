// SPDX-License-Identifier: MIT

import TransferModel

extension Picker {
    /// Rows of the list in a window, if the dialog is not the whole screen.
    static func listRows(of grid: (columns: Int, rows: Int)) -> Int { max(3, min(16, grid.rows - 6)) }

    static func box(title: String, hints: [String], of grid: (columns: Int, rows: Int)) -> DialogBox {
        // Names are long.
        DialogBox(
            title: title, hints: hints, rows: listRows(of: grid),
            width: DialogBox.width(content: grid.columns * 3 / 5, of: grid.columns), of: grid)
    }

    /// - Parameters:
    ///   - title: what is chosen: `Upload from`.
    ///   - home: shown as `~`.
    func draw(
        in grid: inout Grid, title: String, home: String?, clock: LocalClock, now: Double, _ capabilities: Capabilities
    ) {
        let box = Self.box(
            title: "\(title) \(DisplayName.path(folder, home: home))\(markWords)", hints: hints,
            of: (grid.columns, grid.rows))
        grid.cursor = nil
        box.draw(in: &grid, capabilities)
        if isFiltering, let place = box.hintPlace {
            let width = grid.columns - place.column
            grid.write(CellText.spaces(width), row: place.row, column: place.column)
            grid.write("/", row: place.row, column: place.column, style: .key)
            EditorLine.draw(
                filter, in: &grid, row: place.row, column: place.column + 1, width: width - 1, capabilities)
        }
        drawList(in: &grid, rows: box.body, columns: box.content, clock, now, capabilities)
    }

    /// The key that the hint at a cell names.
    func key(row: Int, column: Int, of grid: (columns: Int, rows: Int)) -> Key? {
        guard !isFiltering, refusal == nil else { return nil }
        return Self.box(title: "", hints: hints, of: grid).key(row: row, column: column)
    }

    /// A click on an entry; in its first two columns it marks.
    mutating func click(row: Int, column: Int, of grid: (columns: Int, rows: Int)) -> Event {
        let box = Self.box(title: "", hints: [], of: grid)
        guard box.body.contains(row), box.content.contains(column) else { return .none }
        let first = Viewport.top(0, selected: selected, count: shown.count, height: box.body.count)
        return click(first + row - box.body.lowerBound, marks: column < box.content.lowerBound + 2)
    }

    private var markWords: String {
        guard !marks.isEmpty else { return "" }
        let bytes = marks.reduce(0.0) { $0 + Double($1.size) }
        return " · \(marks.count) marked, \(ByteCount.short(bytes))"
    }

    private var hints: [String] {
        if let refusal { return [refusal] }
        return purpose == .files
            ? ["Enter take", "Space mark", "/ filter", "← up", ". all"]
            : ["Enter take", "→ open", "← up", "/ filter", ". all"]
    }

    private func drawList(
        in grid: inout Grid, rows: Range<Int>, columns: Range<Int>, _ clock: LocalClock, _ now: Double,
        _ capabilities: Capabilities
    ) {
        guard !shown.isEmpty else {
            let (text, style) = emptyWords
            let lines = CellText.wrap(capabilities.shown(capabilities.drawn(text)), width: max(1, columns.count))
            for (line, row) in zip(lines, rows) {
                grid.write(line, row: row, column: columns.lowerBound, width: columns.count, style: style)
            }
            return
        }
        let first = Viewport.top(0, selected: selected, count: shown.count, height: rows.count)
        for (offset, row) in zip(first..<shown.count, rows) {
            draw(shown[offset], offset == selected, in: &grid, row, columns, clock, now, capabilities)
        }
    }

    private var emptyWords: (String, Style) {
        guard let listing else { return ("reading the folder…", .faint) }
        if let error = listing.error { return (error + "; ← opens the folder above", .failure) }
        if !filter.text.isEmpty { return ("no name has these words", .faint) }
        if listing.omitted > 0 { return ("\(listing.omitted) names cannot be shown", .faint) }
        return (listing.entries.isEmpty ? "an empty folder" : "only hidden files; . shows them", .faint)
    }

    private func draw(
        _ entry: Entry, _ isSelected: Bool, in grid: inout Grid, _ row: Int, _ columns: Range<Int>,
        _ clock: LocalClock, _ now: Double, _ capabilities: Capabilities
    ) {
        let glyphs = capabilities.glyphs
        func put(_ text: String, _ column: Int, _ style: Style) {
            var style = style
            style.isSelected = isSelected
            guard column < columns.upperBound else { return }
            grid.write(text, row: row, column: column, width: columns.upperBound - column, style: style)
        }
        let start = columns.lowerBound
        put(CellText.spaces(columns.count), start, .plain)
        if isSelected { put(glyphs.cursor, start, .key) }
        if isMarked(entry) { put(glyphs.mark, start + 1, .key) }
        let hasSize = columns.count >= 24, hasDate = columns.count >= 36
        let dateWidth = 10, sizeWidth = 5
        let room = columns.count - 3 - (hasSize ? sizeWidth + 1 : 0) - (hasDate ? dateWidth + 1 : 0)
        let name = entry == Self.here ? "this folder" : capabilities.shown(entry.name) + (entry.isFolder ? "/" : "")
        var style: Style = entry.isFolder || entry.size != nil ? .plain : .faint
        style.isBold = isSelected
        put(CellText.name(name, width: max(1, room), mark: glyphs.ellipsis), start + 3, style)
        guard hasSize else { return }
        var place = start + 3 + room + 1
        if !entry.isFolder, let size = entry.size {
            put(NumberText.right(ByteCount.short(Double(size)), sizeWidth), place, .plain)
        }
        place += sizeWidth + 1
        if hasDate, entry.modified > 0 {
            put(CellText.fit(clock.text(entry.modified, now: now), width: dateWidth), place, .faint)
        }
    }
}
