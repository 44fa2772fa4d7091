// SPDX-License-Identifier: MIT

/// Bytes per second, smoothed over the last seconds to be readable. Pure.
struct RateMeter: Sendable {
    /// Seconds over which an old rate loses two thirds of its weight.
    private static let memory = 3.0
    private var last: (time: Double, bytes: Int64)?
    private var weighted = 0.0
    /// What `weighted` would be if every sample were 1: without it the first samples would count too much.
    private var weight = 0.0

    /// - Parameter bytes: the position so far; a smaller one than before restarts the measurement.
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

    /// `nil` before the first measurement.
    var rate: Double? { weight > 0 ? weighted / weight : nil }

    /// Seconds for `remaining` bytes at the current rate; `nil` if that is below one byte per second.
    func eta(remaining: Int64) -> Double? {
        guard let rate, rate >= 1 else { return nil }
        return Double(max(0, remaining)) / rate
    }
}
