// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The rate of one transfer lately: of each second, and means over longer steps. Pure; needs no timer: seconds without
/// a byte are filled in when the next one comes, or with the next request.
struct RateSampler: Sendable {
    /// Seconds that a sample covers. The last 60 samples of each are kept: a minute, five minutes, an hour.
    static let steps = [1, 5, 60]
    static let count = 60

    private var rings = Self.steps.map { Ring(step: $0) }
    /// The present second, on a monotonic clock.
    private var present: Int
    private var bytes: Int64 = 0
    /// Whether the transfer ran at any time of the present second.
    private var hasRun = false
    private var isRunning = false

    init(now: Double) { present = Int(now.rounded(.down)) }

    mutating func note(_ bytes: Int64, at now: Double) {
        setRunning(true, at: now)
        if bytes > 0 { self.bytes &+= bytes }
    }

    mutating func setRunning(_ isRunning: Bool, at now: Double) {
        guard isRunning || self.isRunning else { return }
        advance(to: Int(now.rounded(.down)))
        self.isRunning = isRunning
        if isRunning { hasRun = true }
    }

    /// - Parameter now: `nil`: at the last change, as for a transfer that has ended.
    func series(at now: Double?) -> [TransferRates.Series] {
        var copy = self
        copy.advance(to: now.map { Int($0.rounded(.down)) } ?? present + 1)
        return copy.rings.map { TransferRates.Series(step: $0.step, rates: $0.rates) }
    }

    private mutating func advance(to second: Int) {
        guard second > present else { return }
        add(hasRun ? bytes : nil)
        // Longer rests fill every ring, however long they are.
        for _ in 0..<min(second - present - 1, Self.count * Self.steps[Self.steps.count - 1]) {
            add(isRunning ? 0 : nil)
        }
        (present, bytes, hasRun) = (second, 0, isRunning)
    }

    private mutating func add(_ bytes: Int64?) {
        for index in rings.indices { rings[index].add(bytes) }
    }
}

extension RateSampler {
    /// Samples of one length. 720 bytes for all three of them.
    private struct Ring: Sendable {
        let step: Int
        /// Bytes per second, oldest first; below 0 where the transfer did not run.
        private var means: [Float] = []
        // The sample that is not complete.
        private var sum: Int64 = 0
        private var seconds = 0
        private var hasRun = false

        init(step: Int) { self.step = step }

        /// - Parameter bytes: of the next second; `nil`: the transfer did not run.
        mutating func add(_ bytes: Int64?) {
            seconds += 1
            if let bytes { (sum, hasRun) = (sum &+ bytes, true) }
            guard seconds == step else { return }
            if means.count == RateSampler.count { means.removeFirst() }
            means.append(mean)
            (sum, seconds, hasRun) = (0, 0, false)
        }

        private var mean: Float { hasRun ? Float(sum) / Float(seconds) : -1 }

        /// With the sample that is not complete, so that a short transfer has one of a minute, too.
        var rates: [Int64?] {
            let all = seconds > 0 ? means + [mean] : means
            return all.suffix(RateSampler.count).map { $0 < 0 ? nil : Int64(min($0, 0x1p62)) }
        }
    }
}

/// The samplers of all transfers that have moved bytes lately.
struct RateSamplers: Sendable {
    static let maximum = 1000

    private var samplers: [TransferID: RateSampler] = [:]

    subscript(id: TransferID) -> RateSampler? { samplers[id] }

    func contains(_ id: TransferID) -> Bool { !samplers.isEmpty && samplers[id] != nil }

    mutating func note(_ bytes: Int64, of id: TransferID, at now: Double) {
        if samplers[id] == nil { samplers[id] = RateSampler(now: now) }
        samplers[id]?.note(bytes, at: now)
    }

    /// Of one that has moved no byte yet, nothing is kept.
    mutating func setRunning(_ isRunning: Bool, _ id: TransferID, at now: Double) {
        samplers[id]?.setRunning(isRunning, at: now)
    }

    mutating func forget(_ ids: [TransferID]) {
        if samplers.isEmpty { return }
        for id in ids { samplers[id] = nil }
    }

    /// Makes room for another one.
    /// - Parameter isNeeded: whether a transfer still moves; such a one stays.
    mutating func shrink(isNeeded: (TransferID) -> Bool) {
        guard samplers.count >= Self.maximum else { return }
        // The oldest tenth, so that the next hundred need no search.
        for id in samplers.keys.filter({ !isNeeded($0) }).sorted().prefix(Self.maximum / 10) { samplers[id] = nil }
    }
}
