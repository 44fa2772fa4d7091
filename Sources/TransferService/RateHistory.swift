// SPDX-License-Identifier: MIT

import TransferControl

/// The bytes that moved in each second, for graphs. Pure; needs no timer: seconds without a byte are filled in when the
/// next one comes, or with the next request.
struct RateHistory: Sendable {
    enum Direction: Sendable { case received, sent }

    private struct Second: Sendable {
        var received: Int64 = 0
        var sent: Int64 = 0
    }

    /// Means over longer times.
    private var samplers: (received: RateSampler, sent: RateSampler)
    /// A ring; the present second is in it.
    private var seconds: [Second]
    /// The present second, on a monotonic clock.
    private var present: Int

    init(now: Double) {
        seconds = []
        present = Int(now.rounded(.down))
        var sampler = RateSampler(now: now)
        // A second without a byte is one with 0 bytes.
        sampler.setRunning(true, at: now)
        samplers = (sampler, sampler)
    }

    mutating func note(_ bytes: Int64, _ direction: Direction, at now: Double) {
        guard bytes > 0 else { return }
        advance(to: now)
        switch direction {
        case .received:
            seconds[seconds.count - 1].received += bytes
            samplers.received.note(bytes, at: now)
        case .sent:
            seconds[seconds.count - 1].sent += bytes
            samplers.sent.note(bytes, at: now)
        }
    }

    /// Of a second, five, and a minute, since the start.
    func series(at now: Double) -> (received: [TransferRates.Series], sent: [TransferRates.Series]) {
        (samplers.received.series(at: now), samplers.sent.series(at: now))
    }

    /// Of at most the last `count` full seconds since the start, oldest first.
    mutating func last(_ count: Int, at now: Double) -> (received: [Int64], sent: [Int64]) {
        advance(to: now)
        let full = seconds.dropLast().suffix(max(0, count))
        return (full.map(\.received), full.map(\.sent))
    }

    private mutating func advance(to now: Double) {
        let second = Int(now.rounded(.down))
        if seconds.isEmpty { seconds = [Second()] }
        let passed = second - present
        guard passed > 0 else { return }
        present = second
        seconds += Array(repeating: Second(), count: min(passed, RateReport.maximumSeconds + 1))
        // In large steps, so that a second costs no copy.
        if seconds.count > 2 * RateReport.maximumSeconds {
            seconds = Array(seconds.suffix(RateReport.maximumSeconds + 1))
        }
    }
}
