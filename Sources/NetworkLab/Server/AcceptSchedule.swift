// SPDX-License-Identifier: MIT

/// When connections that the kernel holds ready are to be accepted: each so long after it came. Pure.
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

    /// - Returns: whether one is to be accepted now; it counts as accepted then.
    mutating func takeDue(at now: Double) -> Bool {
        guard let first = arrivals.first, first + wait <= now else { return false }
        arrivals.removeFirst()
        return true
    }
}
