// SPDX-License-Identifier: MIT

/// When to ask for rates: once a second while transfers run, twice after that, and at the start. No I/O; times are
/// monotonic seconds.
struct RatePoll: Sendable {
    private static let interval = 1.0
    /// The least time between two requests for different transfers: keys repeat.
    private static let shortest = 0.15
    private var askedAt = -Double.infinity
    /// Requests without a running transfer: the last seconds before it ended are samples, too.
    private var rest = 1

    /// - Returns: whether to ask now; it then counts as asked.
    mutating func asks(at now: Double, isActive: Bool) -> Bool {
        if isActive { rest = 2 }
        guard rest > 0, now - askedAt >= Self.interval else { return false }
        if !isActive { rest -= 1 }
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
    func nextRequest(at now: Double, isActive: Bool) -> Double? {
        isActive || rest > 0 ? max(0, askedAt + Self.interval - now) : nil
    }
}
