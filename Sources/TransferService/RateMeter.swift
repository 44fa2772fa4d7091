// SPDX-License-Identifier: MIT

/// Bytes a second, smoothed over the last seconds so that a person can read it. Pure.
struct RateMeter: Sendable {
    /// Seconds over which an old rate loses two thirds of its weight.
    private static let memory = 3.0
    private var last: (time: Double, bytes: Int64)?
    private var smoothed: Double?

    /// - Parameter bytes: the position so far; going back starts the measurement again.
    mutating func note(_ bytes: Int64, at now: Double) {
        guard let last, bytes >= last.bytes else { return start(bytes, at: now) }
        let passed = now - last.time
        guard passed >= 0.05 else { return }
        let current = Double(bytes - last.bytes) / passed
        let weight = smoothed == nil ? 1 : min(1, passed / Self.memory)
        smoothed = (smoothed ?? 0) * (1 - weight) + current * weight
        self.last = (now, bytes)
    }

    mutating func start(_ bytes: Int64, at now: Double) {
        last = (now, bytes)
        smoothed = nil
    }

    /// `nil` before there is anything to measure.
    var rate: Double? { smoothed }

    /// Seconds for `remaining` bytes at the present rate; `nil` where that says nothing.
    func eta(remaining: Int64) -> Double? {
        guard let smoothed, smoothed >= 1 else { return nil }
        return Double(max(0, remaining)) / smoothed
    }
}
