// SPDX-License-Identifier: MIT

/// The columns of the list, by the width of the window and the wishes of the user.
struct ColumnLayout: Hashable {
    struct Column: Hashable {
        var start: Int
        var width: Int

        var end: Int { start + width }
    }

    /// Selection and mark; in a narrow window they share a cell.
    let lead: Int
    /// The column of the glyph in front of the name.
    private(set) var glyph = 0
    /// From left to right.
    private(set) var columns: [ListColumn] = []
    private var places: [ListColumn: Column] = [:]
    let width: Int

    /// Columns of the glyph, with the space behind it.
    private static let glyphWidth = 2

    /// In narrower windows the wishes of the user do not count: they would leave no room to say why something waits.
    static let leastForWishes = 60

    /// - Parameter wishes: `nil`: as many columns as the window has room for.
    init(width: Int, _ wishes: ListColumns? = nil) {
        self.width = width
        let wishes = width < Self.leastForWishes ? nil : wishes
        lead = width >= 60 ? 2 : 1
        var items = wishes.map(Self.chosen) ?? Self.standard(width)
        if wishes != nil { Self.drop(&items, room: width - lead) }
        Self.grow(&items, room: width - lead)
        var place = lead
        for (index, item) in items.enumerated() {
            place += Self.gap(before: index, items)
            if item.column == .name {
                glyph = place
                place += Self.glyphWidth
            }
            let room = item.column == .name ? max(1, min(item.width, width - place)) : item.width
            columns.append(item.column)
            places[item.column] = Column(start: place, width: room)
            place += room
        }
    }

    subscript(column: ListColumn) -> Column? { places[column] }

    var id: Column? { places[.id] }
    var name: Column { places[.name] ?? Column(start: 0, width: 0) }
    var server: Column? { places[.server] }
    var size: Column? { places[.size] }
    var state: Column? { places[.state] }
    var rate: Column? { places[.rate] }
    var left: Column? { places[.left] }
    var limit: Column? { places[.limit] }

    /// Columns of a percentage below 100, and the least ones of a bar behind it.
    static let percent = 3, leastBar = 4

    /// In the column of the state, behind the percentage; `nil` without room.
    var bar: Column? {
        let before = Self.percent + 1
        return state.flatMap {
            $0.width < before + Self.leastBar ? nil : Column(start: $0.start + before, width: $0.width - before)
        }
    }

    /// Where a row says why it does not move: the state, and the figures behind it. The last column of the list has
    /// what is left of the window.
    var reason: Column? {
        guard let first = columns.firstIndex(of: .state) ?? columns.firstIndex(where: \.isForFigures),
            let start = places[columns[first]]?.start
        else { return nil }
        let end = columns[first...].dropFirst().firstIndex { !$0.isForFigures } ?? columns.count
        let last = end == columns.count ? width : places[columns[end - 1]]?.end ?? width
        return Column(start: start, width: last - start)
    }

    /// Where a reason begins that stands beside a bar.
    var figures: Int? {
        guard let state, let reason else { return nil }
        return state.end + 1 < reason.end ? state.end + 1 : reason.end
    }
}

// MARK: Widths

extension ColumnLayout {
    private struct Item {
        var column: ListColumn
        var width: Int
        /// Whether the user has chosen the width.
        var isFixed = false
    }

    private static func chosen(_ wishes: ListColumns) -> [Item] {
        wishes.choices.map { choice in
            Item(column: choice.column, width: choice.width ?? choice.column.least, isFixed: choice.width != nil)
        }
    }

    private static func standard(_ window: Int) -> [Item] {
        let state =
            switch window {
            case ..<30: 8
            case ..<60: percent
            case ..<70: 12
            case ..<80: 14
            case ..<120: ListColumn.state.least
            default: 24
            }
        let from: [(ListColumn, Int)] = [
            (.id, 100), (.name, 0), (.server, 120), (.size, 70), (.state, 20), (.rate, 30),
            // The name has as many as in 40.
            (.left, 47),
        ]
        return from.compactMap { column, least in
            guard window >= least else { return nil }
            return Item(column: column, width: column == .state ? state : column == .name ? 0 : column.least)
        }
    }

    /// A text behind a number stands further off.
    private static func gap(before index: Int, _ items: [Item]) -> Int {
        guard index > 0 else { return 0 }
        return items[index].column == .state && items[index - 1].column.isRight ? 2 : 1
    }

    private static func used(_ items: [Item]) -> Int {
        items.indices.reduce(glyphWidth) { $0 + items[$1].width + gap(before: $1, items) }
    }

    /// The last ones go first where there is too little room; the name stays.
    private static func drop(_ items: inout [Item], room: Int) {
        while used(items) > room, let last = items.lastIndex(where: { $0.column != .name }) { items.remove(at: last) }
    }

    /// Distributes what is left of `room`: the name first, and what no other column wants.
    private static func grow(_ items: inout [Item], room: Int) {
        var spare = max(0, room - used(items))
        for column in [ListColumn.name, .state, .server, .folder] {
            guard let index = items.firstIndex(where: { $0.column == column && !$0.isFixed }) else { continue }
            let more = min(spare, max(0, column.widest - items[index].width))
            items[index].width += more
            spare -= more
        }
        if let name = items.firstIndex(where: { $0.column == .name && !$0.isFixed }) { items[name].width += spare }
    }
}
