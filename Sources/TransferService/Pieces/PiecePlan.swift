// SPDX-License-Identifier: MIT

import TransferModel

/// Which bytes of one file each of its connections requests, and how many connections there are. Pure: positions and
/// times come in, orders go out.
///
/// It starts with one connection. Each second it compares the rate with that before the last change: while more
/// connections raise the rate, the largest missing ranges are divided further; a division that raises nothing is taken
/// back. A connection that is done takes work from the one that would need longest.
///
/// `+Rate` decides on the number of connections, `+Work` on the ranges.
struct PiecePlan: Sendable {
    /// A connection and its range.
    struct Piece: Sendable, Equatable {
        let id: Int
        /// The first byte that has not been stored.
        var position: Int64
        /// The end of its work; others have what follows.
        var end: Int64
        /// The end of its request.
        var requested: Int64
        let begunAt: Double
        /// When its first byte was stored.
        var firstByteAt: Double?
        /// For ``rate``: where it was a moment ago.
        var mark: (at: Double, position: Int64)
        /// Bytes a second; `nil` before the first measurement.
        var rate: Double?

        var remaining: Int64 { max(0, end - position) }

        static func == (left: Piece, right: Piece) -> Bool {
            left.id == right.id && left.position == right.position && left.end == right.end
        }
    }

    /// A step that the caller executes, in the order of the returned list.
    enum Order: Equatable {
        /// Request these bytes.
        case begin(Int, Range<Int64>)
        /// End this connection.
        case cut(Int)
    }

    /// How a connection ended that was not cut.
    enum End: Sendable, Equatable {
        /// With its range.
        case whole
        /// It broke, or had no connection.
        case broken
        /// The server refuses more connections for now (429, 503).
        case refused
        /// The server sends no ranges, those of another version, or some whose length only their end shows.
        case unfit
        /// Another address is asked for its range.
        case elsewhere
    }

    /// The smallest range worth a request.
    static let minimum: Int64 = 1 << 20
    /// Seconds that must remain at the present rate to make more connections worth it.
    static let worth = 4.0

    let total: Int64
    /// The stored ranges of the file.
    private(set) var present: ByteRangeSet
    var pieces: [Piece] = []
    /// The most connections that user, server and queue allow.
    var limit: Int
    /// Bytes a second for all connections together; `nil`: unlimited. Set by ``setRateLimit(_:)``.
    var rateLimit: Int?
    /// How many there should be.
    var target = 1
    /// The most that the server has proved useful or possible.
    var ceiling = Int.max
    var trial: Trial?
    /// Where the present measurement began; `nil`: not before every connection has its first byte.
    var window: (at: Double, bytes: Int64)?
    /// The last measured rate, bytes a second.
    var rate: Double?
    /// By which factor the number of connections grows next.
    var factor = 4
    /// A range has arrived beside the first one.
    var takesRanges = false
    /// The most that the server takes.
    var proven = Int.max
    /// How many have raised the rate, here or in the plan of an earlier attempt.
    var useful: Int
    /// So many begin with the next bytes: see ``resumed(at:)``.
    var isInterrupted: Bool
    /// When ``ceiling`` is tried once more, and how often it was.
    var renewsAt: Double?
    var renewals = 0
    /// When the last bytes were stored.
    var lastArrival = -Double.infinity
    /// When the first bytes were stored, and what was stored before.
    var begunAt = -Double.infinity
    private(set) var firstCount: Int64
    /// Connections that broke.
    var breaks = 0
    private var nextID = 0

    /// More connections were begun; the next measurement shows whether they are worth it.
    struct Trial: Sendable, Equatable {
        var before: Int
        var rate: Double
        /// A first measurement has shown no gain: connections over a long way are still getting faster.
        var isRepeated = false
        /// They raised nothing and were ended; ``rate`` was theirs.
        var isChecked = false
    }

    /// - Parameters:
    ///   - present: the stored ranges of the same version.
    ///   - useful: ``useful`` of the plan before an interruption.
    init(total: Int64, present: ByteRangeSet, limit: Int, useful: Int = 1) {
        (self.total, self.present, self.limit) = (total, present, max(1, limit))
        (self.useful, isInterrupted) = (useful, useful > 1)
        firstCount = present.count
    }

    var isComplete: Bool { present.prefixLength >= total }

    /// Beyond the last stored byte.
    var reach: Int64 { present.ranges.last?.upperBound ?? 0 }

    // MARK: Events

    /// A connection stores bytes from `position` on, not on an order of this plan.
    /// - Parameters:
    ///   - end: of its request; `nil`: the end of the file.
    ///   - isReceiving: its first bytes have been stored.
    /// - Returns: its ID.
    mutating func adopt(
        from position: Int64, to end: Int64? = nil, isReceiving: Bool = false, at now: Double
    ) -> Int {
        let end = end ?? total
        let piece = register(position..<max(position, end), at: now)
        if isReceiving {
            pieces[pieces.count - 1].firstByteAt = now
            (begunAt, lastArrival, firstCount) = (now, now, 0)
        }
        pieces[pieces.count - 1].end = boundary(after: position, of: piece)
        return piece
    }

    /// A connection has stored everything up to `position`.
    mutating func moved(_ id: Int, to position: Int64, at now: Double) -> [Order] {
        guard let index = pieces.firstIndex(where: { $0.id == id }) else { return [] }
        note(index, position, now)
        var orders: [Order] = []
        if pieces[index].remaining == 0 { orders += finish(index, at: now) }
        orders += measure(at: now)
        return orders
    }

    /// Stored bytes are wrong: they are missing again.
    mutating func invalidate(_ range: Range<Int64>) {
        present.remove(range)
        window = nil
    }

    /// ``wake`` has come.
    mutating func awoken(at now: Double) -> [Order] { measure(at: now) }

    /// A connection has ended that was not cut.
    mutating func ended(_ id: Int, _ end: End, at now: Double) -> [Order] {
        guard let index = pieces.firstIndex(where: { $0.id == id }) else { return [] }
        let piece = pieces.remove(at: index)
        window = nil
        switch end {
        case .whole, .elsewhere: break
        case .broken:
            breaks += 1
            // Without a byte, or again and again: the server does not want so many.
            if piece.firstByteAt == nil || breaks >= Self.mostBreaks { lower() }
        case .refused: lower()
        case .unfit: (proven, ceiling, useful, target, trial, renewsAt) = (1, 1, 1, 1, nil, nil)
        }
        return retreat() + fill(at: now)
    }

    /// The transfer pauses or waits: only the connection `id` stays.
    mutating func hold(keeping id: Int?) -> [Order] {
        let others = pieces.filter { $0.id != id }
        pieces.removeAll { $0.id != id }
        (target, trial, window, factor) = (1, nil, nil, 2)
        isInterrupted = useful > 1
        if let index = pieces.indices.first { pieces[index].end = boundary(after: pieces[index].position, of: id ?? 0) }
        return others.map { .cut($0.id) }
    }

    /// A connection that was ordered cannot be begun, or was not begun before the others were ended.
    mutating func forget(_ id: Int) {
        pieces.removeAll { $0.id == id }
        (target, trial, window) = (max(1, min(target, pieces.count)), nil, nil)
    }

    mutating func setLimit(_ limit: Int) -> [Order] {
        self.limit = max(1, limit)
        guard target > self.limit else { return [] }
        (target, trial, window) = (self.limit, nil, nil)
        return retreat()
    }

    private mutating func note(_ index: Int, _ position: Int64, _ now: Double) {
        var piece = pieces[index]
        let position = min(position, total)
        guard position > piece.position else { return }
        present.insert(piece.position..<position)
        lastArrival = now
        if begunAt < 0 { begunAt = now }
        piece.position = position
        if piece.firstByteAt == nil {
            piece.firstByteAt = now
            piece.mark = (now, position)
        } else if now - piece.mark.at >= 0.5 {
            let rate = Double(position - piece.mark.position) / (now - piece.mark.at)
            piece.rate = piece.rate.map { ($0 + rate) / 2 } ?? rate
            piece.mark = (now, position)
        }
        pieces[index] = piece
    }

    /// - Returns: its ID.
    mutating func register(_ range: Range<Int64>, at now: Double) -> Int {
        nextID += 1
        pieces.append(
            Piece(
                id: nextID, position: range.lowerBound, end: range.upperBound, requested: range.upperBound,
                begunAt: now, mark: (now, range.lowerBound)))
        return nextID
    }
}
