// SPDX-License-Identifier: MIT

/// When tasks must be done. A task's timer runs from its first resumption on and stands still while it is suspended.
/// Pure.
///
/// Asks for as few wake-ups as there are earlier deadlines.
struct DeadlineTable: Sendable {
    /// Seconds that are left, while they stand still.
    private var left: [Int: Double] = [:]
    /// Of those that run, when they are over.
    private var running = IndexedHeap<Int, Double>()
    private var armed: Double?

    /// - Parameter limit: seconds, counted from the first start.
    /// - Returns: when to call ``passed(at:)``, if that is earlier than scheduled.
    mutating func start(_ identifier: Int, limit: Double, now: Double) -> Double? {
        guard running.rank(of: identifier) == nil else { return nil }
        let end = now + (left.removeValue(forKey: identifier) ?? limit)
        running.set(identifier, end)
        if let armed, armed <= end { return nil }
        armed = end
        return end
    }

    mutating func stop(_ identifier: Int, now: Double) {
        guard let end = running.rank(of: identifier) else { return }
        left[identifier] = max(0, end - now)
        running.remove(identifier)
    }

    mutating func remove(_ identifier: Int) {
        left[identifier] = nil
        running.remove(identifier)
    }

    /// - Returns: the tasks whose deadline has passed, each once, and when to call again; `nil`: scheduled already, or
    ///   nothing runs.
    mutating func passed(at now: Double) -> (late: [Int], next: Double?) {
        // An earlier timer, scheduled when the current one was not known yet.
        if let armed, armed > now + 0.001 { return ([], nil) }
        var late: [Int] = []
        while let first = running.first, first.rank <= now {
            late.append(first.key)
            remove(first.key)
        }
        armed = running.first?.rank
        return (late.sorted(), armed)
    }
}
