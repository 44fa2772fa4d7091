// SPDX-License-Identifier: MIT

/// The columns of the list, by the width of the window.
struct ColumnLayout: Hashable {
    struct Column: Hashable {
        var start: Int
        var width: Int

        var end: Int { start + width }
    }

    /// Selection and mark; in a narrow window they share a cell.
    let lead: Int
    private(set) var id: Column?
    private(set) var arrow = 0
    private(set) var name = Column(start: 0, width: 0)
    private(set) var server: Column?
    private(set) var size: Column?
    private(set) var bar: Column?
    private(set) var percent: Column?
    private(set) var rate: Column?
    private(set) var left: Column?
    private(set) var note: Column?
    private(set) var state: Column?
    let width: Int

    /// The least and the largest widths of those that grow.
    private static let widestName = 40
    private static let stateWidths = 22...40, serverWidths = 16...24, barWidths = 10...20

    init(width: Int) {
        self.width = width
        lead = width >= 60 ? 2 : 1
        var widths = Widths(window: width)
        widths.grow(to: width - lead)
        var place = lead
        func take(_ columns: Int) -> Column? {
            guard columns > 0 else { return nil }
            defer { place += columns + 1 }
            return Column(start: place, width: columns)
        }
        id = take(widths.id)
        arrow = place
        place += 2
        name = take(max(1, min(widths.name, width - place))) ?? Column(start: place, width: 0)
        server = take(widths.server)
        size = take(widths.size)
        bar = take(widths.bar)
        percent = take(widths.percent)
        rate = take(widths.rate)
        left = take(widths.left)
        note = take(widths.note)
        state = take(widths.state)
    }

    /// Where a reason begins: the rate, or, without a bar, the percentage.
    var tail: Int { (bar == nil ? percent ?? rate : rate)?.start ?? width }

    private struct Widths {
        var id = 0, name = 0, server = 0, size = 0, bar = 0, percent = 0, rate = 0, left = 0, note = 0, state = 0

        init(window: Int) {
            if window >= 20 { rate = 7 }
            if window >= 30 { percent = 4 }
            if window >= 60 { (bar, left) = (8, 6) }
            if window >= 70 { size = 5 }
            if window >= 80 { note = 5 }
            if window >= 100 { (id, bar) = (4, ColumnLayout.barWidths.lowerBound) }
            if window >= 110 {
                (server, state) = (ColumnLayout.serverWidths.lowerBound, ColumnLayout.stateWidths.lowerBound)
                (note, left) = (0, 7)
            }
        }

        /// Distributes what is left of `room`: the name first, then state, server and bar, and the rest to the name.
        mutating func grow(to room: Int) {
            let fixed = [id, server, size, bar, percent, rate, left, note, state].filter { $0 > 0 }
            var spare = max(0, room - 2 - fixed.reduce(0) { $0 + $1 + 1 })
            func give(_ width: Int, upTo limit: Int) -> Int {
                let more = min(spare, max(0, limit - width))
                spare -= more
                return width + more
            }
            name = give(0, upTo: ColumnLayout.widestName)
            if state > 0 {
                state = give(state, upTo: ColumnLayout.stateWidths.upperBound)
                server = give(server, upTo: ColumnLayout.serverWidths.upperBound)
                bar = give(bar, upTo: ColumnLayout.barWidths.upperBound)
            }
            name += spare
        }
    }
}
