// SPDX-License-Identifier: MIT

/// When the machine must not suspend: while transfers move bytes, and a moment longer, so that the gap between two
/// files makes no difference. No I/O.
struct WakeHold: Sendable, Hashable {
    /// The consequence of a change.
    enum Step: Sendable, Hashable {
        case none
        case hold
        case release
        /// Call ``WakeHold/evaluate(at:)`` then.
        case wait(until: Double)
    }

    /// Seconds
    static let rest = 5.0

    /// As configured.
    var isEnabled = true
    /// Whether any transfer moves bytes.
    var isBusy = false
    private(set) var isHeld = false
    private var idleSince: Double?
    /// The latest time of ``Step/wait(until:)``: one timer at most is pending, however often transfers come and go.
    private var planned: Double?

    /// Call after each change, and when a wait is over.
    mutating func evaluate(at now: Double) -> Step {
        guard isEnabled, !isBusy, isHeld else { return set(isEnabled && isBusy) }
        let since = idleSince ?? now
        let end = since + Self.rest
        guard now < end else { return set(false) }
        idleSince = since
        if let planned, planned > now { return .none }
        planned = end
        return .wait(until: end)
    }

    private mutating func set(_ wanted: Bool) -> Step {
        defer { isHeld = wanted }
        idleSince = nil
        guard wanted != isHeld else { return .none }
        return wanted ? .hold : .release
    }
}
