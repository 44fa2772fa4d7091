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
    /// The width of the direction's arrow, in front of the name.
    private(set) var arrow = 0
    /// From left to right.
    private(set) var columns: [ListColumn] = []
    private var places: [ListColumn: Column] = [:]
    let width: Int

    /// Columns of the arrow, with the space behind it.
    private static let arrowWidth = 2

    /// In narrower windows the wishes of the user do not count: they would leave no room to say why something waits.
    static let leastForWishes = 60

    /// The window from which server and state have columns: in a smaller one they would leave the name too little.
    private static let wide = 120

    /// The window from which the time left has a column: the name has as many as in 40.
    private static let leastForLeft = 47

    /// - Parameter wishes: `nil`: as many columns as the window has room for.
    init(width: Int, _ wishes: ListColumns? = nil) {
        self.width = width
        let wishes = width < Self.leastForWishes ? nil : wishes
        lead = width >= 60 ? 2 : 1
        var widths = wishes.map(Self.chosen) ?? Self.standard(width)
        if wishes != nil { Self.drop(&widths, room: width - lead) }
        Self.grow(&widths, room: width - lead, isChosen: wishes != nil)
        var place = lead
        for item in widths {
            if item.column == .name {
                arrow = place
                place += Self.arrowWidth
            }
            let room = item.column == .name ? max(1, min(item.width, width - place)) : item.width
            columns.append(item.column)
            places[item.column] = Column(start: place, width: room)
            place += room + 1
        }
    }

    subscript(column: ListColumn) -> Column? { places[column] }

    var id: Column? { places[.id] }
    var name: Column { places[.name] ?? Column(start: 0, width: 0) }
    var server: Column? { places[.server] }
    var size: Column? { places[.size] }
    var bar: Column? { places[.progress] }
    var percent: Column? { places[.percent] }
    var rate: Column? { places[.rate] }
    var left: Column? { places[.left] }
    var note: Column? { places[.limit] }
    var state: Column? { places[.state] }

    /// Where a row that does not move says why: the widest run of columns for figures.
    struct Tail: Hashable {
        /// Where it may begin, from right to left: at the state, the rate, or the first of these columns.
        var starts: [Int]
        var end: Int
    }

    /// - Parameter hasBar: whether progress stands in its column; else that is free, too.
    func tail(hasBar: Bool) -> Tail {
        // Without a bar the percentage gives way.
        let free = columns.map { column in
            switch column {
            case .progress: !hasBar
            case .percent: !hasBar || bar == nil
            default: column.isForFigures
            }
        }
        var best: Range<Int>?
        var start = 0
        func columnsWide(_ run: Range<Int>) -> Int { end(of: run) - (places[columns[run.lowerBound]]?.start ?? 0) }
        for index in 0...columns.count where index == columns.count || !free[index] {
            let run = start..<index
            if !run.isEmpty, best.map({ columnsWide(run) > columnsWide($0) }) ?? true { best = run }
            start = index + 1
        }
        guard let best else { return Tail(starts: [width], end: width) }
        let inside = columns[best]
        let starts = [inside.contains(.state) ? state : nil, inside.contains(.rate) ? rate : nil].map { $0?.start }
        let first = places[columns[best.lowerBound]]?.start ?? width
        let candidates = inside.contains(.state) ? starts.compactMap(\.self) + [first] : [first]
        return Tail(starts: candidates, end: end(of: best))
    }

    /// The last column of the list has what is left of the window.
    private func end(of run: Range<Int>) -> Int {
        run.upperBound == columns.count ? width : places[columns[run.upperBound - 1]]?.end ?? width
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
        let isWide = window >= wide
        let from: [(ListColumn, Int)] = [
            (.id, 100), (.name, 0), (.server, wide), (.size, 70), (.progress, 60), (.percent, 30), (.rate, 20),
            (.left, leastForLeft), (.limit, 80), (.state, wide),
        ]
        return from.compactMap { column, least in
            guard window >= least, !(column == .limit && isWide) else { return nil }
            let width =
                switch column {
                case .name: 0
                case .progress: window >= 100 ? 10 : 8
                case .left: isWide ? 7 : 6
                default: column.least
                }
            return Item(column: column, width: width)
        }
    }

    /// The last ones go first where there is too little room; the name stays.
    private static func drop(_ items: inout [Item], room: Int) {
        func needed() -> Int { arrowWidth + items.reduce(-1) { $0 + $1.width + 1 } }
        while needed() > room, let last = items.lastIndex(where: { $0.column != .name }) { items.remove(at: last) }
    }

    /// Distributes what is left of `room`: the name first, then state, server, bar and folder. Of the rest the name has
    /// at least half, since rows are read across.
    private static func grow(_ items: inout [Item], room: Int, isChosen: Bool) {
        let isWide = items.contains { $0.column == .state }
        let used = items.reduce(arrowWidth) { $0 + ($1.column == .name ? $1.width : $1.width + 1) }
        var spare = max(0, room - used)
        func give(_ column: ListColumn, upTo widest: Int, of room: Int) {
            guard let index = items.firstIndex(where: { $0.column == column && !$0.isFixed }) else { return }
            let more = min(room, max(0, widest - items[index].width))
            items[index].width += more
            spare -= more
        }
        give(.name, upTo: ListColumn.name.widest, of: spare)
        if isWide || isChosen {
            for column in [ListColumn.state, .server, .progress, .folder] {
                give(column, upTo: column.widest, of: spare)
            }
            let left = (spare + 1) / 2
            for column in [ListColumn.progress, .state, .server] {
                give(column, upTo: column.roomy, of: spare - left)
            }
        }
        if let name = items.firstIndex(where: { $0.column == .name && !$0.isFixed }) { items[name].width += spare }
    }
}
