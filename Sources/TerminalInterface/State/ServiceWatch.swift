// SPDX-License-Identifier: MIT

/// Whether the queue replies: the time of the last message, and of the pending request. No I/O; times are monotonic
/// seconds.
///
/// Sends no request while updates arrive, nor while the queue is idle and no key is pressed.
struct ServiceWatch {
    /// Silence before a request, and before a missing reply is reported.
    static let patience = 1.0

    private var lastMessageAt: Double
    private var askedAt: Double?
    private var isWanted = false

    init(now: Double) { lastMessageAt = now }

    /// An update or reply arrived.
    mutating func messageReceived(at now: Double) {
        lastMessageAt = now
        askedAt = nil
        isWanted = false
    }

    /// A key was pressed: the user is watching.
    mutating func wanted() { isWanted = true }

    /// - Parameter isActive: whether updates are expected.
    /// - Returns: whether to send a request now; it then counts as sent.
    mutating func asks(at now: Double, isActive: Bool) -> Bool {
        guard askedAt == nil, isActive || isWanted, now - lastMessageAt >= Self.patience else { return false }
        askedAt = now
        return true
    }

    /// Whole seconds since the last message, if a request is pending.
    func silence(at now: Double) -> Int? {
        guard let askedAt, now - askedAt >= Self.patience else { return nil }
        return Int(now - lastMessageAt)
    }

    /// Seconds until the next request or report; `nil`: not before an event.
    func nextCheck(at now: Double, isActive: Bool) -> Double? {
        guard let askedAt else { return isActive || isWanted ? max(0, lastMessageAt + Self.patience - now) : nil }
        let open = now - askedAt
        if open < Self.patience { return Self.patience - open }
        let silent = now - lastMessageAt
        return silent.rounded(.down) + 1 - silent
    }
}
