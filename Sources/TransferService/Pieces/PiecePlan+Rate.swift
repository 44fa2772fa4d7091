// SPDX-License-Identifier: MIT

import TransferModel

/// The number of connections.
extension PiecePlan {
    /// Seconds after the first byte of the newest connection before a measurement begins: it is still getting faster.
    static let settling = 0.2
    /// Seconds of a measurement; of one with a clear result.
    static let measuring = 1.0
    static let glance = 0.5
    /// By which factor more connections must raise the rate.
    static let gain = 1.15
    /// Seconds without a first byte after which a connection is no longer waited for.
    static let patience = 5.0

    /// Begins, continues or evaluates the measurement of the rate.
    mutating func measure(at now: Double) -> [Order] {
        guard pieces.count == target, let youngest = pieces.map({ $0.firstByteAt ?? $0.begunAt + Self.patience }).max(),
            now >= youngest + Self.settling
        else {
            window = nil
            return []
        }
        guard let begun = window else {
            window = (now, present.count)
            return []
        }
        guard now - begun.at >= Self.glance else { return [] }
        let rate = Double(present.count - begun.bytes) / (now - begun.at)
        guard now - begun.at >= Self.measuring || isClear(rate) else { return [] }
        window = (now, present.count)
        return evaluate(rate, at: now)
    }

    private mutating func evaluate(_ rate: Double, at now: Double) -> [Order] {
        self.rate = rate
        if let trial {
            guard rate >= trial.rate * Self.gain || trial.isRepeated else {
                self.trial?.isRepeated = true
                return []
            }
            self.trial = nil
            guard rate >= trial.rate * Self.gain else {
                (target, ceiling) = (trial.before, trial.before)
                window = nil
                return retreat()
            }
            factor = isProportional(rate, to: trial) ? 4 : 2
        }
        let most = min(limit, ceiling)
        guard target < most, isWorthMore(rate) else { return [] }
        let before = target
        target = min(most, target * factor)
        let orders = fill(at: now)
        // There was no range to divide.
        if pieces.count < target { target = max(before, pieces.count) }
        if target > before { (trial, window) = (Trial(before: before, rate: rate), nil) }
        return orders
    }

    /// Whether a longer measurement would lead to the same decision.
    private func isClear(_ rate: Double) -> Bool {
        if let trial { return isProportional(rate, to: trial) }
        return rate > 0 && Double(total - present.count) / rate > 4 * Self.worth
    }

    /// Each connection brings as much as the first: the limit is one of the connection.
    private func isProportional(_ rate: Double, to trial: Trial) -> Bool {
        rate >= trial.rate * Double(target) / Double(trial.before) * 0.8
    }

    private func isWorthMore(_ rate: Double) -> Bool {
        // At a limit that the user has set, no connection adds anything.
        guard rate > 0, rate < Double(rateLimit ?? .max) * 0.9 else { return false }
        return Double(total - present.count) / rate > Self.worth
    }

    /// One connection less than there were is what the server takes.
    mutating func lower() {
        ceiling = max(1, pieces.count)
        (target, trial, window) = (min(target, ceiling), nil, nil)
    }

    /// Ends the newest connections beyond the target; those before them continue with their ranges.
    mutating func retreat() -> [Order] {
        var orders: [Order] = []
        while pieces.count > target, let newest = pieces.max(by: { $0.id < $1.id }) {
            pieces.removeAll { $0.id == newest.id }
            orders.append(.cut(newest.id))
        }
        return orders
    }
}
