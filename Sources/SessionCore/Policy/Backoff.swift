// SPDX-License-Identifier: MIT

/// How long to wait before the next try: exponential with full jitter, 1 s to 60 s. Pure.
public struct Backoff: Sendable, Hashable {
    public var base: Double
    public var ceiling: Double
    /// By which the longest pause grows with each failure.
    public var factor: Double

    public init(base: Double = 1, ceiling: Double = 60, factor: Double = 2) {
        self.base = base
        self.ceiling = ceiling
        self.factor = factor
    }

    /// Seconds before try number `failures + 1`.
    ///
    /// - Parameters:
    ///   - failures: tries that failed in a row without confirmed progress; at least 1.
    ///   - random: 0…1, uniformly drawn.
    ///   - retryAfter: what the server asked for, in seconds; then nothing earlier, whatever the ceiling.
    public func delay(afterFailures failures: Int, random: Double, retryAfter: Double? = nil) -> Double {
        let exponent = Double(min(max(failures, 1) - 1, 30))
        var window = base
        for _ in 0..<Int(exponent) where window < ceiling { window *= factor }
        let drawn = min(window, ceiling) * min(max(random, 0), 1)
        return max(drawn, retryAfter ?? 0)
    }
}
