// SPDX-License-Identifier: MIT

/// The delay before the next attempt: exponential with full jitter, 1 s to 60 s. No I/O.
package struct Backoff: Sendable, Hashable {
    package var base: Double
    package var ceiling: Double
    /// The growth factor of the maximum delay per failure.
    package var factor: Double

    package init(base: Double = 1, ceiling: Double = 60, factor: Double = 2) {
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
    package func delay(afterFailures failures: Int, random: Double, retryAfter: Double? = nil) -> Double {
        let exponent = Double(min(max(failures, 1) - 1, 30))
        var window = base
        for _ in 0..<Int(exponent) where window < ceiling { window *= factor }
        let drawn = min(window, ceiling) * min(max(random, 0), 1)
        return max(drawn, retryAfter ?? 0)
    }
}
