// SPDX-License-Identifier: MIT

/// Requests whose answers have not come. Pure.
struct PendingCalls {
    struct Call: Sendable {
        /// For a message.
        let method: String
        /// On the clock of the client.
        let deadline: Double
        /// Takes the line of the answer, or why there is none.
        let finish: @Sendable (Result<[UInt8], any Error>) -> Void
    }

    private var calls: [Int: Call] = [:]
    /// When the next look at the deadlines is planned.
    private var plannedLook: Double?

    var count: Int { calls.count }
    /// Of the call that has waited longest.
    var earliestDeadline: Double? { calls.values.lazy.map(\.deadline).min() }

    /// - Returns: when to look at the deadlines, where no look is planned early enough.
    mutating func insert(_ call: Call, id: Int) -> Double? {
        calls[id] = call
        if let plannedLook, plannedLook <= call.deadline { return nil }
        plannedLook = call.deadline
        return call.deadline
    }

    mutating func take(_ id: Int) -> Call? { calls.removeValue(forKey: id) }

    mutating func takeAll() -> [Call] {
        defer { calls = [:] }
        return Array(calls.values)
    }

    /// - Returns: the calls whose time is over, which are no longer pending, and when to look again.
    mutating func look(at now: Double) -> (late: [Call], next: Double?) {
        let late = calls.filter { $0.value.deadline <= now }
        for id in late.keys { calls[id] = nil }
        plannedLook = calls.values.map(\.deadline).min()
        return (late.values.map { $0 }, plannedLook)
    }
}
