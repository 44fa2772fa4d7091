// SPDX-License-Identifier: MIT

/// Which parts of a whole are done, under way or missing, in cells. Knows nothing of transfers.
struct PieceMap: Hashable, Sendable {
    enum Part: Hashable, Sendable { case missing, moving, sent, done }

    /// Of the whole; above 0.
    let total: Int64
    /// Later ones lie over earlier ones.
    private(set) var parts: [(range: Range<Int64>, part: Part)] = []

    init(total: Int64) { self.total = max(1, total) }

    mutating func add(_ range: Range<Int64>, _ part: Part) {
        let range = range.clamped(to: 0..<total)
        if !range.isEmpty { parts.append((range, part)) }
    }

    /// Where something moves, however small it is.
    mutating func add(at position: Int64) {
        guard (0..<total).contains(position) else { return }
        add(position..<position + 1, .moving)
    }

    /// The parts as cells. A cell is done or sent only if all of it is, and moves if any of it does.
    func cells(_ width: Int) -> [Part] {
        guard width > 0 else { return [] }
        return (0..<width).map { index in
            let cell = bound(index, width)..<max(bound(index, width) + 1, bound(index + 1, width))
            if parts.contains(where: { $0.part == .moving && $0.range.overlaps(cell) }) { return .moving }
            if covered(cell, by: [.done]) { return .done }
            return covered(cell, by: [.done, .sent]) ? .sent : .missing
        }
    }

    /// The first byte of a cell.
    private func bound(_ index: Int, _ width: Int) -> Int64 {
        // In two steps: the product may overflow.
        let (whole, rest) = total.quotientAndRemainder(dividingBy: Int64(width))
        return whole * Int64(index) + rest * Int64(index) / Int64(width)
    }

    private func covered(_ cell: Range<Int64>, by kinds: Set<Part>) -> Bool {
        var position = cell.lowerBound
        let ranges = parts.filter { kinds.contains($0.part) }.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
        for range in ranges where range.lowerBound <= position { position = max(position, range.upperBound) }
        return position >= min(cell.upperBound, total)
    }

    static func == (left: PieceMap, right: PieceMap) -> Bool {
        left.total == right.total
            && left.parts.elementsEqual(right.parts) { $0.range == $1.range && $0.part == $1.part }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(total)
        hasher.combine(parts.count)
    }

    /// The cells as a line of pieces with different styles.
    func line(_ width: Int, _ capabilities: Capabilities, done: Style) -> StyledLine {
        var line = StyledLine()
        line.spans = []
        for part in cells(width) {
            let glyph = capabilities.drawn(part.glyph)
            let style = part.style(done: done)
            if let last = line.spans.last, last.style == style {
                line.spans[line.spans.count - 1].text += glyph
            } else {
                line.spans.append(.init(text: glyph, style: style))
            }
        }
        return line
    }
}

extension PieceMap.Part {
    var glyph: String {
        switch self {
        case .done: "█"
        case .moving: "▓"
        case .sent: "▒"
        case .missing: "─"
        }
    }

    /// - Parameter done: that of what is done or sent.
    func style(done: Style) -> Style {
        switch self {
        case .done, .sent: done
        case .moving: .key
        case .missing: .faint
        }
    }
}
