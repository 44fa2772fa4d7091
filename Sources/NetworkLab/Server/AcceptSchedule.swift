// SPDX-License-Identifier: MIT

/// When pending connections of the kernel are accepted: each a fixed time after its arrival. No I/O.
struct AcceptSchedule: Sendable, Hashable {
    /// Seconds from a connection's arrival to its acceptance.
    let wait: Double
    /// Of those not accepted yet, in order.
    private var arrivals: [Double] = []

    init(wait: Double) { self.wait = wait }

    /// The kernel holds so many connections ready now.
    mutating func observe(pending: Int, at now: Double) {
        while arrivals.count < pending { arrivals.append(now) }
        if arrivals.count > pending { arrivals.removeLast(arrivals.count - pending) }
    }

    /// - Returns: whether to accept one now; it then counts as accepted.
    mutating func takeDue(at now: Double) -> Bool {
        guard let first = arrivals.first, first + wait <= now else { return false }
        arrivals.removeFirst()
        return true
    }
}
