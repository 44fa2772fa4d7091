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
    /// - Returns: when to call ``passed(at:)``, where that is earlier than asked for before.
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

    /// - Returns: whose time has come, each once, and when to ask again; `nil`: that is asked for already, or nothing
    ///   runs.
    mutating func passed(at now: Double) -> (late: [Int], next: Double?) {
        // An earlier wake-up that was asked for when the armed one was not known yet.
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
