// SPDX-License-Identifier: MIT

/// Suspends of the machine, which are noticed when attempts begin and fail. No I/O.
struct Suspends: Sendable, Hashable {
    /// Seconds from noticing one, for which failures are expected: the network is not back yet.
    static let grace = 20.0
    /// Seconds: shorter ones break no connection. Two clocks are compared, which are not read in the same moment.
    static let shortest = 1.0

    /// Seconds for which the machine was suspended since its boot, as far as noticed.
    private(set) var total: Double
    private var noticedAt = -Double.infinity

    /// - Parameter total: in seconds, since the boot.
    init(total: Double) { self.total = total }

    mutating func look(_ total: Double, at now: Double) {
        guard total - self.total >= Self.shortest else { return }
        (self.total, noticedAt) = (total, now)
    }

    /// Whether a suspend explains why there was no connection, or why it broke.
    /// - Parameter earlier: ``total`` when the attempt began.
    func explainFailure(since earlier: Double, at now: Double) -> Bool {
        total > earlier || now < noticedAt + Self.grace
    }
}
