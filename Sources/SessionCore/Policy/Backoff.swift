// SPDX-License-Identifier: MIT

/// The delay before the next attempt: exponential with full jitter, 1 s to 60 s. No I/O.
public struct Backoff: Sendable, Hashable {
    public var base: Double
    public var ceiling: Double
    /// The growth factor of the maximum delay per failure.
    public var factor: Double

    public init(base: Double = 1, ceiling: Double = 60, factor: Double = 2) {
        self.base = base
        self.ceiling = ceiling
        self.factor = factor
    }

    /// Seconds before attempt number `failures + 1`.
    ///
    /// - Parameters:
    ///   - failures: failed attempts in a row without confirmed progress; at least 1.
    ///   - random: uniform in 0…1.
    ///   - retryAfter: the server's delay in seconds; a lower bound, whatever the maximum.
    public func delay(afterFailures failures: Int, random: Double, retryAfter: Double? = nil) -> Double {
        let exponent = Double(min(max(failures, 1) - 1, 30))
        var window = base
        for _ in 0..<Int(exponent) where window < ceiling { window *= factor }
        let drawn = min(window, ceiling) * min(max(random, 0), 1)
        return max(drawn, retryAfter ?? 0)
    }
}
