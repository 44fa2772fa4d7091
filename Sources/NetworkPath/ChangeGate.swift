// SPDX-License-Identifier: MIT

import SessionCore

/// Gathers what happens close together into one change, and tells changes that do not end ever more seldom. Pure: time
/// comes in.
struct ChangeGate: Sendable {
    /// Seconds in which everything counts as one change.
    static let shortest = 0.05
    /// Seconds between changes that keep coming.
    static let longest = 1.0

    private var gathered = PathChange()
    private var delay = shortest
    private var isArmed = false
    private var lastOpened = -Double.infinity

    /// Something happened; `change` may be empty where it only has to be looked into.
    /// - Returns: when to call ``open(at:)``, unless that is under way already.
    mutating func add(_ change: PathChange, at now: Double) -> Double? {
        gathered.formUnion(change)
        guard !isArmed else { return nil }
        isArmed = true
        delay = now - lastOpened < Self.longest ? min(delay * 2, Self.longest) : Self.shortest
        return now + delay
    }

    /// - Returns: all that has gathered; may be empty.
    mutating func open(at now: Double) -> PathChange {
        defer { gathered = PathChange() }
        isArmed = false
        lastOpened = now
        return gathered
    }
}
