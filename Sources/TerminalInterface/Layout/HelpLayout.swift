// SPDX-License-Identifier: MIT

/// The lines of the help in columns: one, from 80 columns on two, from 120 on three. Groups stay whole.
struct HelpLayout: Hashable {
    enum Line: Hashable {
        case blank
        case heading(ActionGroup)
        /// Of ``HelpMenu/rows``.
        case row(Int)
    }

    /// From left to right.
    let columns: [[Line]]
    /// Of a column.
    let width: Int
    /// The rows between title and description.
    let body: Range<Int>

    /// The height from which there is a title, and the lines of the description.
    private static let titleFrom = 6

    init(columns: Int, rows: Int) {
        let count = columns >= 120 ? 3 : columns >= 80 ? 2 : 1
        width = columns / count
        let note = rows >= Self.titleFrom ? columns < 80 && rows >= 10 ? 2 : 1 : 0
        let body = (rows >= Self.titleFrom ? 1 : 0)..<max(1, rows - note)
        self.body = body
        var first = 0
        let groups = ActionGroup.allCases.map { group in
            defer { first += group.rows.count }
            return [Line.heading(group)] + group.rows.indices.map { .row(first + $0) }
        }
        let parts = Self.parts(groups, count)
        // Groups stand apart where there is room.
        let isSpaced = parts.allSatisfy { part in part.reduce(part.count - 1) { $0 + $1.count } <= body.count }
        self.columns = parts.map { part in Array(part.joined(separator: isSpaced ? [.blank] : [])) }
    }

    /// Those of so many columns, in their order, the highest as low as can be.
    private static func parts(_ groups: [[Line]], _ count: Int) -> [[[Line]]] {
        guard count > 1, groups.count > 1 else { return [groups] }
        func height(_ parts: [[[Line]]]) -> Int { parts.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0 }
        let all = (1..<groups.count).map { [Array(groups[..<$0])] + parts(Array(groups[$0...]), count - 1) }
        return all.min { height($0) < height($1) } ?? [groups]
    }

    var height: Int { columns.map(\.count).max() ?? 0 }

    /// The column and the line of a row.
    func place(of row: Int) -> (column: Int, line: Int)? {
        for (column, lines) in columns.enumerated() {
            if let line = lines.firstIndex(of: .row(row)) { return (column, line) }
        }
        return nil
    }

    /// The row nearest to a row's line in the column beside it.
    func beside(_ row: Int, _ step: Int) -> Int? {
        guard let (column, line) = place(of: row), columns.indices.contains(column + step) else { return nil }
        let rows = columns[column + step].enumerated().compactMap { index, line -> (index: Int, row: Int)? in
            if case .row(let row) = line { (index, row) } else { nil }
        }
        return rows.min { abs($0.index - line) < abs($1.index - line) }?.row
    }

    /// The first line on the screen: the chosen row is on it.
    func top(choice row: Int) -> Int {
        Viewport.top(0, selected: place(of: row)?.line, count: height, height: body.count)
    }
}
