// SPDX-License-Identifier: MIT

/// Whether a service replies: it does not if a call is pending and no message has arrived for a while. No I/O.
struct ReplyWatch {
    /// Seconds of silence during a call that count as not replying.
    let silence: Double
    private(set) var isAnswering = true
    /// Time of the last message, on the client's clock.
    private(set) var lastMessageAt = -Double.infinity
    private(set) var isCheckPlanned = false

    init(silence: Double) { self.silence = silence }

    /// A call is pending from now on.
    /// - Returns: when to check, if no check is scheduled.
    mutating func callBegan(at now: Double) -> Double? {
        guard !isCheckPlanned else { return nil }
        isCheckPlanned = true
        return now + silence
    }

    /// - Returns: whether the service replies again.
    mutating func messageReceived(at now: Double) -> Bool {
        lastMessageAt = now
        defer { isAnswering = true }
        return !isAnswering
    }

    /// - Parameter oldestCall: the time of the longest pending call; `nil` without one.
    /// - Returns: whether the service has just stopped replying, and when to check again.
    mutating func check(at now: Double, oldestCall: Double?) -> (hasCeased: Bool, next: Double?) {
        guard let oldestCall else {
            isCheckPlanned = false
            return (false, nil)
        }
        let quietSince = max(oldestCall, lastMessageAt)
        guard now - quietSince >= silence else { return (false, quietSince + silence) }
        defer { isAnswering = false }
        return (isAnswering, now + silence)
    }
}
