// SPDX-License-Identifier: MIT

/// Bytes a second, smoothed over the last seconds so that a person can read it. Pure.
struct RateMeter: Sendable {
    /// Seconds over which an old rate loses two thirds of its weight.
    private static let memory = 3.0
    private var last: (time: Double, bytes: Int64)?
    private var weighted = 0.0
    /// What `weighted` would be had every moment counted 1: so the first ones do not count for more than they are.
    private var weight = 0.0

    /// - Parameter bytes: the position so far; going back starts the measurement again.
    mutating func note(_ bytes: Int64, at now: Double) {
        guard let last, bytes >= last.bytes else { return start(bytes, at: now) }
        let passed = now - last.time
        guard passed >= 0.05 else { return }
        let current = Double(bytes - last.bytes) / passed
        let share = min(1, passed / Self.memory)
        weighted = weighted * (1 - share) + current * share
        weight = weight * (1 - share) + share
        self.last = (now, bytes)
    }

    mutating func start(_ bytes: Int64, at now: Double) {
        last = (now, bytes)
        weighted = 0
        weight = 0
    }

    /// `nil` before there is anything to measure.
    var rate: Double? { weight > 0 ? weighted / weight : nil }

    /// Seconds for `remaining` bytes at the present rate; `nil` where that says nothing.
    func eta(remaining: Int64) -> Double? {
        guard let rate, rate >= 1 else { return nil }
        return Double(max(0, remaining)) / rate
    }
}
