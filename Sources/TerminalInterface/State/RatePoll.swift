// SPDX-License-Identifier: MIT

/// When to ask for rates: once a second while transfers run, twice after that, and at the start; then as often as the
/// graphs on the screen get a new column, until they are empty. No I/O; times are monotonic seconds.
struct RatePoll: Sendable {
    private static let interval = 1.0
    /// The least time between two requests for different transfers: keys repeat.
    private static let shortest = 0.15
    /// Columns after which a sample has left every graph, and two for the requests in between.
    private static let columns = 62.0
    private var askedAt = -Double.infinity
    /// When a transfer ran last, or the first request. Whatever a service reports, its samples are not younger.
    private var movedAt: Double?
    /// Requests without a running transfer: the last seconds before it ended are samples, too.
    private var rest = 1

    /// - Parameters:
    ///   - isActive: whether transfers run.
    ///   - step: ``InterfaceState/graphStep``
    /// - Returns: whether to ask now; it then counts as asked.
    mutating func asks(at now: Double, isActive: Bool, step: Double? = nil) -> Bool {
        if isActive { rest = 2 }
        if isActive || movedAt == nil { movedAt = now }
        guard let due = due(at: now, isActive, step), now >= due else { return false }
        if !isActive, rest > 0 { rest -= 1 }
        askedAt = now
        return true
    }

    /// Something changed that a report contains.
    mutating func wanted() { rest = max(rest, 1) }

    /// Another transfer is selected, whose graph is not known.
    mutating func wantedSoon(at now: Double) {
        wanted()
        askedAt = min(askedAt, now - Self.interval + Self.shortest)
    }

    /// Seconds until the next request; `nil`: none.
    func nextRequest(at now: Double, isActive: Bool, step: Double? = nil) -> Double? {
        due(at: now, isActive, step).map { max(0, $0 - now) }
    }

    private func due(at now: Double, _ isActive: Bool, _ step: Double?) -> Double? {
        if isActive || rest > 0 { return askedAt + Self.interval }
        guard let step, let movedAt, now - movedAt <= Self.columns * step else { return nil }
        return askedAt + max(Self.interval, step)
    }
}
