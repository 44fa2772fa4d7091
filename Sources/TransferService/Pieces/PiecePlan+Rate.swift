// SPDX-License-Identifier: MIT

import TransferModel

/// The number of connections.
extension PiecePlan {
    /// Seconds after the first byte of the newest connection before a measurement begins, since it is still getting
    /// faster; at least, at most. In between as long as its first byte took, which is two round trips or more.
    static let settling = 0.1...1.0
    /// Seconds of a measurement with a clear result, and of any other, in multiples of the same time.
    static let glance = 0.2...1.0
    static let measuring = 1.0...2.0
    /// Seconds between two reports of a connection.
    static let tick = 0.1
    /// By which factor more connections must raise the rate.
    static let gain = 1.15
    /// Seconds without a first byte after which a connection is no longer waited for.
    static let patience = 5.0
    /// Seconds without a byte, soon after the first one, that show a server which sends in portions: its limit is one
    /// of the connection, since a full line does not pause.
    static let pause = 0.25
    /// Seconds after which more connections are tried once more, the first time.
    static let renewal = 20.0

    /// When ``measure(at:)`` is to be called although no bytes arrive; `nil`: never.
    var wake: Double? {
        guard trial?.isChecked != true, trial != nil || target < most, let youngest, lastArrival < youngest + 1 else {
            return nil
        }
        return lastArrival + Self.pause
    }

    /// Begins, continues or evaluates the measurement of the rate.
    mutating func measure(at now: Double) -> [Order] {
        guard pieces.count == target, let youngest, now >= youngest else {
            window = nil
            return []
        }
        if !takesRanges, pieces.count > 1, pieces.allSatisfy({ $0.firstByteAt != nil }) {
            takesRanges = true
            return growFurther(at: now)
        }
        if isPaced(at: now) {
            (trial, window, factor, useful) = (nil, nil, 4, max(useful, target))
            rate = max(rate ?? 0, Double(present.count - firstCount) / max(Self.pause, now - begunAt))
            return grow(at: now) ?? []
        }
        guard now > youngest + latency.clamped(to: Self.settling) - Self.tick / 2 else {
            window = nil
            return []
        }
        guard let begun = window else {
            window = (now, present.count)
            return []
        }
        let elapsed = now - begun.at
        guard elapsed > latency.clamped(to: Self.glance) - Self.tick / 2 else { return [] }
        let rate = Double(present.count - begun.bytes) / elapsed
        guard elapsed >= (latency * 4).clamped(to: Self.measuring) || isClear(rate) else { return [] }
        window = (now, present.count)
        return evaluate(rate, at: now)
    }

    /// Bytes arrive after an interruption: as many connections as were useful before it begin at once. Near the end of
    /// a file, none would seem worth it at the rate of the first one alone.
    mutating func resumed(at now: Double) -> [Order] {
        guard isInterrupted, pieces.contains(where: { $0.firstByteAt != nil }) else { return [] }
        isInterrupted = false
        let before = target
        guard min(most, useful) > before else { return [] }
        target = min(most, useful)
        let orders = fill(at: now)
        // There may be no range to divide.
        (target, trial, window, takesRanges) = (max(before, pieces.count), nil, nil, true)
        return orders
    }

    /// The most connections that may be tried now.
    private var most: Int { min(limit, ceiling) }

    /// When the newest connection had its first byte, or was given up waiting for.
    private var youngest: Double? { pieces.map { $0.firstByteAt ?? $0.begunAt + Self.patience }.max() }

    /// Seconds from the request of the newest connection to its first byte.
    private var latency: Double {
        pieces.max { $0.id < $1.id }.flatMap { newest in newest.firstByteAt.map { $0 - newest.begunAt } } ?? 0
    }

    private func isPaced(at now: Double) -> Bool {
        // Below a limit of the user, the pauses are ours.
        guard rateLimit == nil, let wake, now >= wake, trial?.isChecked != true else { return false }
        // One that gets nothing is waited for before another is begun.
        guard pieces.allSatisfy({ $0.firstByteAt != nil }) else { return false }
        return isWorthMore(max(rate ?? 0, Double(present.count - firstCount) / max(Self.pause, now - begunAt)))
    }

    private mutating func evaluate(_ rate: Double, at now: Double) -> [Order] {
        self.rate = rate
        if let trial {
            if trial.isChecked { return check(rate, trial, at: now) }
            // A higher rate is no gain of connections that got nothing.
            let isGain = rate >= trial.rate * Self.gain && pieces.count { $0.firstByteAt != nil } > trial.before
            guard isGain || trial.isRepeated else {
                self.trial?.isRepeated = true
                return []
            }
            guard isGain else {
                // A server that does not even reply takes no more.
                if pieces.contains(where: { $0.firstByteAt == nil }) {
                    proven = min(proven, trial.before)
                    ceiling = proven
                }
                self.trial = Trial(before: target, rate: rate, isChecked: true)
                target = trial.before
                window = nil
                return retreat()
            }
            self.trial = nil
            useful = max(useful, target)
            (factor, renewals) = (isProportional(rate, to: trial) ? 4 : 2, 0)
        }
        if let renewsAt, now >= renewsAt { (self.renewsAt, ceiling, factor) = (nil, proven, 2) }
        return grow(at: now) ?? []
    }

    /// Whether the rate fell when the connections were taken back that had raised nothing: the one before was still
    /// getting faster, or slower, when it was measured.
    private mutating func check(_ rate: Double, _ trial: Trial, at now: Double) -> [Order] {
        self.trial = nil
        if trial.rate >= rate * Self.gain {
            factor = max(2, trial.before / max(1, target))
        } else {
            ceiling = target
            renewsAt = now + Self.renewal * Double(1 << min(renewals, 8))
            renewals += 1
            return []
        }
        return grow(at: now) ?? []
    }

    /// - Returns: `nil` if there are as many connections as there may be, or are worth it.
    private mutating func grow(at now: Double) -> [Order]? {
        guard let rate, target < most, isWorthMore(rate) else { return nil }
        let before = target
        target = min(most, target * (takesRanges ? factor : 2))
        let orders = fill(at: now)
        // There was no range to divide.
        if pieces.count < target { target = max(before, pieces.count) }
        guard target > before else { return orders }
        (trial, window) = (Trial(before: before, rate: rate), nil)
        return orders
    }

    /// The second connection has its first byte: it was begun alone since the server might have refused it.
    private mutating func growFurther(at now: Double) -> [Order] {
        let before = target
        target = min(most, target * 2)
        guard trial != nil, target > before else {
            target = before
            return []
        }
        let orders = fill(at: now)
        target = max(before, pieces.count)
        return orders
    }

    /// Whether a longer measurement would lead to the same decision.
    private func isClear(_ rate: Double) -> Bool {
        // A limit of the user makes short measurements uneven.
        guard rateLimit == nil else { return false }
        if let trial { return !trial.isChecked && isProportional(rate, to: trial) }
        return rate > 0 && Double(total - present.count) / rate > 2 * Self.worth
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

    /// What a download can reach under a limit for all: what the others leave, at least an equal part. Connections
    /// beyond that would only take it from the others.
    /// - Parameter others: bytes a second of each other running download; `nil`: not known yet.
    static func share(of limit: Int, besides others: [Int?]) -> Int {
        let part = limit / (others.count + 1)
        return max(part, others.reduce(limit) { left, other in left - min(left, max(0, other ?? part)) }, 1)
    }

    /// Bytes a second that all connections together may have from now on; `nil`: unlimited. Those that a new limit
    /// makes needless are ended: below a limit for all, each would have a part of its own beside the other downloads.
    mutating func setRateLimit(_ new: Int?) -> [Order] {
        let old = rateLimit
        rateLimit = new
        guard let new, new < old ?? .max, let rate, rate > Double(new), pieces.count > 1, trial?.isChecked != true
        else {
            return []
        }
        let needed = max(1, Int((Double(new) * Double(pieces.count) / rate).rounded(.up)))
        guard needed < target else { return [] }
        (target, trial, window) = (needed, nil, nil)
        return retreat()
    }

    /// One connection less than there were is what the server takes.
    mutating func lower() {
        proven = max(1, pieces.count)
        ceiling = proven
        useful = min(useful, ceiling)
        (target, trial, window, renewsAt) = (min(target, ceiling), nil, nil, nil)
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

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
