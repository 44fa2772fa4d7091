// SPDX-License-Identifier: MIT

/// Pending requests. No I/O.
struct PendingCalls {
    struct Call: Sendable {
        /// For a message.
        let method: String
        /// On the client's clock; infinite for one that may take long.
        let deadline: Double
        /// Receives the line of the reply, or an error.
        let finish: @Sendable (Result<[UInt8], any Error>) -> Void
    }

    private var calls: [Int: Call] = [:]
    /// When the next check of deadlines is scheduled.
    private var plannedCheck: Double?

    var count: Int { calls.count }
    /// The earliest deadline of a pending call.
    var earliestDeadline: Double? { calls.values.lazy.map(\.deadline).filter(\.isFinite).min() }

    /// - Returns: when to check deadlines, unless an earlier check is scheduled.
    mutating func insert(_ call: Call, id: Int) -> Double? {
        calls[id] = call
        guard call.deadline.isFinite else { return nil }
        if let plannedCheck, plannedCheck <= call.deadline { return nil }
        plannedCheck = call.deadline
        return call.deadline
    }

    mutating func take(_ id: Int) -> Call? { calls.removeValue(forKey: id) }

    mutating func takeAll() -> [Call] {
        defer { calls = [:] }
        return Array(calls.values)
    }

    /// - Returns: timed-out calls, which are removed, and when to check again.
    mutating func check(at now: Double) -> (late: [Call], next: Double?) {
        let late = calls.filter { $0.value.deadline <= now }
        for id in late.keys { calls[id] = nil }
        plannedCheck = earliestDeadline
        return (late.values.map { $0 }, plannedCheck)
    }
}
