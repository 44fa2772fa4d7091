// SPDX-License-Identifier: MIT

import TransferModel

/// The ranges of the connections.
extension PiecePlan {
    /// Positions of new requests are multiples of this.
    private static let grain: Int64 = 1 << 16
    /// Seconds that a connection must still need to make it worth another to take some of its work.
    private static let help = 1.5
    /// After so many broken connections each further one costs a connection.
    static let mostBreaks = 4
    /// Seconds without a byte after which the rate of a connection counts as what it was since.
    private static let silence = 2.0

    /// A connection has reached the end of its work.
    mutating func finish(_ index: Int, at now: Double) -> [Order] {
        let piece = pieces[index]
        // The end of its request follows. Until then it counts as a connection.
        guard piece.position < piece.requested else { return [] }
        let end = boundary(after: piece.position, of: piece.id)
        if end > piece.position {
            pieces[index].end = end
            return []
        }
        pieces.remove(at: index)
        window = nil
        return [.cut(piece.id)] + fill(at: now)
    }

    /// Up to where a connection may continue: the end of its request, the next byte of another connection, or that of
    /// a stored range which is faster skipped than read.
    func boundary(after position: Int64, of id: Int) -> Int64 {
        guard let piece = pieces.first(where: { $0.id == id }) else { return position }
        let others = pieces.filter { $0.id != id }.map { $0.position..<max($0.end, $0.position) }
        // What arrives in the time of another request costs no more than that. A server that breaks further connections
        // gets as few as possible.
        let short = max(breaks < Self.mostBreaks ? Self.grain : Self.minimum, Int64((piece.rate ?? 0) * requestTime))
        var (end, useful) = (position, position)
        while end < piece.requested {
            if others.contains(where: { $0.contains(end) }) { break }
            if let run = present.ranges.first(where: { $0.contains(end) }) {
                guard run.upperBound - end <= short else { break }
                end = run.upperBound
                continue
            }
            let next = present.ranges.first { $0.lowerBound > end }?.lowerBound ?? .max
            let other = others.filter { $0.lowerBound > end }.map(\.lowerBound).min() ?? .max
            end = min(piece.requested, next, other)
            useful = end
        }
        return min(useful, piece.requested)
    }

    /// Seconds until the first byte of a request, as the last ones took.
    private var requestTime: Double {
        let times = pieces.suffix(4).compactMap { piece in piece.firstByteAt.map { $0 - piece.begunAt } }
        return min(1, max(Self.tick, times.max() ?? 0))
    }

    /// Begins connections up to the target. What one call begins is divided evenly.
    mutating func fill(at now: Double) -> [Order] {
        refresh(at: now)
        var orders: [Order] = []
        var fresh: [Int] = []
        while pieces.count < target, let range = nextRange(fresh, &orders, at: now) {
            fresh.append(register(range, at: now))
        }
        for piece in pieces where fresh.contains(piece.id) {
            orders.append(.begin(piece.id, piece.position..<piece.end))
        }
        return orders
    }

    private mutating func refresh(at now: Double) {
        for index in pieces.indices where pieces[index].firstByteAt != nil {
            let (mark, position) = (pieces[index].mark, pieces[index].position)
            guard now - mark.at >= Self.silence else { continue }
            pieces[index].rate = Double(position - mark.position) / (now - mark.at)
        }
    }

    /// Missing bytes without a connection, else a part of those of another.
    /// - Parameter fresh: connections that have not been ordered yet.
    private mutating func nextRange(_ fresh: [Int], _ orders: inout [Order], at now: Double) -> Range<Int64>? {
        if let gap = gaps.max(by: { $0.count < $1.count }) { return gap }
        let hung = pieces.first { piece in
            piece.firstByteAt == nil && now - piece.begunAt >= Self.patience && !fresh.contains(piece.id)
                && breaks < Self.mostBreaks
        }
        if let hung { return replacing(hung, &orders) }
        let victims = pieces.filter { $0.firstByteAt != nil || fresh.contains($0.id) }
        guard let victim = victims.max(by: { time($0) < time($1) }) else { return nil }
        guard victim.remaining >= 2 * Self.minimum else {
            guard pieces.count > 1, let rate = victim.rate, let mean, rate * 4 < mean, time(victim) > Self.worth else {
                return nil
            }
            return replacing(victim, &orders)
        }
        guard time(victim) >= Self.help else { return nil }
        // Both should be done at the same time.
        let mine = victim.rate.map { max(1, $0) } ?? 1
        let other = victim.rate == nil ? 1 : max(mine, mean ?? mine)
        let left = Int64(Double(victim.remaining) * mine / (mine + other))
        let cut = victim.position + min(max(left, Self.minimum), victim.remaining - Self.minimum)
        let start = min(max(cut / Self.grain * Self.grain, victim.position + 1), victim.end - Self.minimum)
        let end = victim.end
        set(end: start, of: victim.id, isFresh: fresh.contains(victim.id))
        return start..<end
    }

    /// A new connection takes all that a silent or very slow one has left.
    private mutating func replacing(_ victim: Piece, _ orders: inout [Order]) -> Range<Int64>? {
        breaks += 1
        pieces.removeAll { $0.id == victim.id }
        orders.append(.cut(victim.id))
        return victim.position..<victim.end
    }

    /// Missing ranges that no connection works on.
    var gaps: [Range<Int64>] {
        var covered = present
        for piece in pieces { covered.insert(piece.position..<max(piece.position, piece.end)) }
        return covered.gaps(in: total)
    }

    /// Seconds to go; bytes, before anything was measured.
    private func time(_ piece: Piece) -> Double {
        Double(piece.remaining) / max(1, piece.rate ?? mean ?? 1)
    }

    private var mean: Double? {
        let rates = pieces.compactMap(\.rate)
        return rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
    }

    private mutating func set(end: Int64, of id: Int, isFresh: Bool) {
        guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
        pieces[index].end = end
        if isFresh { pieces[index].requested = end }
    }
}
