// SPDX-License-Identifier: MIT

import SessionCore

/// Merges changes that occur close together, and throttles continuous ones. No I/O: time is a parameter.
struct ChangeGate: Sendable {
    /// Seconds within which changes are merged.
    static let shortest = 0.05
    /// Seconds between continuous changes.
    static let longest = 1.0

    private var gathered = PathChange()
    private var delay = shortest
    private var isArmed = false
    private var lastOpened = -Double.infinity

    /// Records a change; `change` may be empty to only trigger a check.
    /// - Returns: when to call ``open(at:)``, unless already scheduled.
    mutating func add(_ change: PathChange, at now: Double) -> Double? {
        gathered.formUnion(change)
        guard !isArmed else { return nil }
        isArmed = true
        delay = now - lastOpened < Self.longest ? min(delay * 2, Self.longest) : Self.shortest
        return now + delay
    }

    /// - Returns: all merged changes; may be empty.
    mutating func open(at now: Double) -> PathChange {
        defer { gathered = PathChange() }
        isArmed = false
        lastOpened = now
        return gathered
    }
}
