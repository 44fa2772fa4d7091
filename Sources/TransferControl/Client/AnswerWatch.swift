// SPDX-License-Identifier: MIT

/// Whether a service answers: it does not where a call waits and nothing at all has come for a while. Pure.
struct AnswerWatch {
    /// Seconds without a message, while a call waits, that count as not answering.
    let silence: Double
    private(set) var isAnswering = true
    /// When a message came last, on the client's clock.
    private(set) var lastHeard = -Double.infinity
    private(set) var isLookPlanned = false

    init(silence: Double) { self.silence = silence }

    /// A call waits from now on.
    /// - Returns: when to look, where no look is planned.
    mutating func callBegan(at now: Double) -> Double? {
        guard !isLookPlanned else { return nil }
        isLookPlanned = true
        return now + silence
    }

    /// - Returns: whether the service answers again.
    mutating func heard(at now: Double) -> Bool {
        lastHeard = now
        defer { isAnswering = true }
        return !isAnswering
    }

    /// - Parameter oldestCall: when the call was made that has waited longest; `nil` where none waits.
    /// - Returns: whether the service has just ceased to answer, and when to look again.
    mutating func look(at now: Double, oldestCall: Double?) -> (hasCeased: Bool, next: Double?) {
        guard let oldestCall else {
            isLookPlanned = false
            return (false, nil)
        }
        let quietSince = max(oldestCall, lastHeard)
        guard now - quietSince >= silence else { return (false, quietSince + silence) }
        defer { isAnswering = false }
        return (isAnswering, now + silence)
    }
}
