// SPDX-License-Identifier: MIT

import TransferModel

/// Bytes per second, smoothed over the last seconds to be readable, and the time that is left. Pure.
struct RateMeter: Sendable {
    /// Seconds over which an old rate loses two thirds of its weight.
    private static let memory = 3.0
    /// The rates of these last seconds, and of the whole measurement, estimate the time left.
    private static let short = 5.0, long = 30.0
    /// Estimates further apart make a range, and no estimate at all.
    private static let unsteady = 1.5, unknown = 5.0
    /// Seconds without a byte after which the rate is 0.
    static let silence = 3.0

    /// When the last byte moved, or the measurement began.
    private(set) var moved = 0.0
    private var last: (time: Double, bytes: Int64)?
    private var weighted = 0.0
    /// What `weighted` would be if every sample were 1: without it the first samples would count too much.
    private var weight = 0.0
    private var began: (time: Double, bytes: Int64)?
    /// About one a second, oldest first, of the last ``long`` seconds.
    private var marks: [(time: Double, bytes: Int64)] = []

    /// - Parameter bytes: the position so far; a smaller one than before restarts the measurement.
    mutating func note(_ bytes: Int64, at now: Double) {
        guard let last, bytes >= last.bytes else { return start(bytes, at: now) }
        let passed = now - last.time
        guard passed >= 0.05 else { return }
        let current = Double(bytes - last.bytes) / passed
        let share = min(1, passed / Self.memory)
        weighted = weighted * (1 - share) + current * share
        weight = weight * (1 - share) + share
        if bytes > last.bytes { moved = now }
        self.last = (now, bytes)
        if now - (marks.last?.time ?? now) >= 1 { marks.append((now, bytes)) }
        if let first = marks.first, now - first.time > Self.long + 1 { marks.removeFirst() }
    }

    /// The measurement starts here: a new attempt, path or limit.
    mutating func start(_ bytes: Int64, at now: Double) {
        (last, began, marks, moved) = ((now, bytes), (now, bytes), [(now, bytes)], now)
        weighted = 0
        weight = 0
    }

    /// `nil` before the first measurement.
    var rate: Double? { weight > 0 ? weighted / weight : nil }

    /// When the rate becomes 0 if no byte moves until then; `nil` if it is 0 or unknown.
    var silentFrom: Double? { rate ?? 0 > 0 ? moved + Self.silence : nil }

    /// When the last byte moved, if the rate is 0.
    var silentSince: Double? { rate == 0 ? moved : nil }

    /// - Returns: whether the rate has become 0.
    mutating func fallSilent(at now: Double) -> Bool {
        guard let silentFrom, silentFrom <= now else { return false }
        (weighted, weight) = (0, 1)
        return true
    }

    /// The pace with `remaining` bytes to go; `nil` before the first measurement.
    func pace(remaining: Int64?) -> TransferStatus.Pace? {
        guard let rate else { return nil }
        let left = rate == 0 ? nil : remaining.flatMap { time(for: max(0, $0), at: rate) }
        return .init(rate: rate, eta: left?.least, longestETA: left?.most)
    }

    /// The time at the rate of the last seconds; with the longest one where recent rates differ. `nil` if they differ
    /// too much to say, or nothing moves.
    private func time(for remaining: Int64, at rate: Double) -> (least: Double, most: Double?)? {
        let estimates = [mean(of: Self.short), mean(of: Self.long), mean(since: began)].compactMap(\.self)
        guard let slowest = estimates.min(), let fastest = estimates.max() else {
            return rate >= 1 ? (Double(remaining) / rate, nil) : nil
        }
        guard slowest >= 1, fastest / slowest < Self.unknown else { return nil }
        if fastest / slowest >= Self.unsteady { return (Double(remaining) / fastest, Double(remaining) / slowest) }
        return (Double(remaining) / (mean(of: Self.long) ?? rate), nil)
    }

    /// Bytes per second of the last `seconds`, or of as many as there are; `nil` for less than ``short``.
    private func mean(of seconds: Double) -> Double? {
        guard let last else { return nil }
        return mean(since: marks.first { last.time - $0.time <= seconds + 0.5 } ?? marks.last)
    }

    private func mean(since mark: (time: Double, bytes: Int64)?) -> Double? {
        guard let last, let mark, last.time - mark.time >= Self.short - 1.5 else { return nil }
        return Double(last.bytes - mark.bytes) / (last.time - mark.time)
    }
}
