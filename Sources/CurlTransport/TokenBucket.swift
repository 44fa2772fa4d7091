// SPDX-License-Identifier: MIT

/// A rate limit: a token bucket with a capacity of a tenth of a second. No I/O.
struct TokenBucket {
    /// Bytes per second; `nil`: unlimited.
    private(set) var rate: Int?
    private var tokens: Double = 0
    private var updated: Double

    init(rate: Int?, now: Double) {
        self.rate = rate
        updated = now
    }

    mutating func setRate(_ newRate: Int?, now: Double) {
        refill(now)
        rate = newRate
        tokens = min(tokens, capacity)
    }

    /// Bytes that may pass at `now`; `Int.max` without a limit.
    mutating func available(_ now: Double) -> Int {
        guard rate != nil else { return .max }
        refill(now)
        return max(0, Int(tokens))
    }

    mutating func take(_ bytes: Int) {
        if rate != nil { tokens -= Double(bytes) }
    }

    /// When there are enough tokens for a reasonable chunk; `nil`: now.
    func nextOpening(_ now: Double) -> Double? {
        guard let rate else { return nil }
        let earned = tokens + (now - updated) * Double(rate)
        return earned >= chunk ? nil : now + (chunk - earned) / Double(rate)
    }

    /// The most bytes that one exchange takes at a time while others wait.
    static let largestChunk = 16_384

    private var chunk: Double { min(capacity, Double(Self.largestChunk)) }

    /// How many exchanges may take a chunk at `now`; `Int.max` without a limit.
    mutating func chunks(_ now: Double) -> Int {
        guard rate != nil else { return .max }
        refill(now)
        return max(0, Int(tokens / chunk))
    }

    private var capacity: Double { max(1, Double(rate ?? 0) / 10) }

    private mutating func refill(_ now: Double) {
        if let rate { tokens = min(capacity, tokens + max(0, now - updated) * Double(rate)) }
        updated = max(updated, now)
    }
}
