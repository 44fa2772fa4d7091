// SPDX-License-Identifier: MIT

/// Whether the queue answers: when it was heard last, and since when a question is open. Pure; times are seconds on a
/// clock that never goes back.
///
/// Nothing is asked while updates come, nor while nothing is under way and nobody presses a key.
struct ServiceWatch {
    /// Silence after which it is asked, and after which a question without a reply is reported.
    static let patience = 1.0

    private var lastHeard: Double
    private var askedAt: Double?
    private var isWanted = false

    init(now: Double) { lastHeard = now }

    /// An update or a reply came.
    mutating func heard(at now: Double) {
        lastHeard = now
        askedAt = nil
        isWanted = false
    }

    /// A key was pressed: whoever looks on wants to know.
    mutating func wanted() { isWanted = true }

    /// - Parameter isActive: whether something is under way, of which updates should come.
    /// - Returns: whether to ask now; then the question counts as asked.
    mutating func asks(at now: Double, isActive: Bool) -> Bool {
        guard askedAt == nil, isActive || isWanted, now - lastHeard >= Self.patience else { return false }
        askedAt = now
        return true
    }

    /// Whole seconds since it was heard, once a question stays without a reply.
    func silence(at now: Double) -> Int? {
        guard let askedAt, now - askedAt >= Self.patience else { return nil }
        return Int(now - lastHeard)
    }

    /// Seconds until there is something to ask or to report; `nil`: not before something happens.
    func nextLook(at now: Double, isActive: Bool) -> Double? {
        guard let askedAt else { return isActive || isWanted ? max(0, lastHeard + Self.patience - now) : nil }
        let open = now - askedAt
        if open < Self.patience { return Self.patience - open }
        let silent = now - lastHeard
        return silent.rounded(.down) + 1 - silent
    }
}
