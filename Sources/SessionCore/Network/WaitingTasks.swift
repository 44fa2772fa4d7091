// SPDX-License-Identifier: MIT

/// Schedules the attempts of tasks that wait for the network. Pure.
///
/// A path event may start an attempt immediately; otherwise the path is evaluated after delays that grow to half a
/// minute, and the real request is attempted if the path carries it, or after each of the longest delays, since events
/// are hints. However many events arrive, a failing task makes at most four attempts in its first second and one in
/// five seconds later.
struct WaitingTasks: Sendable {
    private static let longestPause = 30.0

    private struct Guest {
        var probeAt: Double
    }

    /// State of a task between its waits, kept until a server has responded to it.
    private struct History {
        var attempts = 0
        /// Pauses at whose end it did not try.
        var looks = 0
        var lastAttempt = -Double.infinity
    }

    private var guests: [Int: Guest] = [:]
    private var history: [Int: History] = [:]
    private(set) var armed: Double?

    var waiting: [Int] { guests.keys.sorted() }

    /// - Returns: when to call ``due(_:)``, if that is earlier than scheduled.
    mutating func enter(_ id: Int, now: Double) -> Double? {
        let pause = pause(history[id])
        guests[id] = Guest(probeAt: now + pause)
        return arm(now + pause)
    }

    private func pause(_ history: History?) -> Double {
        min(Self.longestPause, Double(1 << min((history?.attempts ?? 0) + (history?.looks ?? 0), 5)))
    }

    /// Its pause is over, and it does not try.
    /// - Returns: as ``enter(_:now:)``.
    mutating func stay(_ id: Int, now: Double) -> Double? {
        guard guests[id] != nil else { return nil }
        history[id, default: History()].looks += 1
        return enter(id, now: now)
    }

    /// The last delay was one of the longest. An attempt without a network slows down the next one: the kernel is then
    /// still resolving the next hop.
    func mayAttemptBlindly(_ id: Int) -> Bool { pause(history[id]) >= Self.longestPause }

    /// A path event indicates that the network may carry the task.
    /// - Returns: whether it may attempt now; otherwise when to call ``due(_:)``.
    mutating func mayAttempt(_ id: Int, now: Double) -> (isNow: Bool, wakeUp: Double?) {
        guard let guest = guests[id] else { return (false, nil) }
        let history = history[id] ?? History()
        let gap = history.attempts == 0 ? 0 : min(5, 0.25 * Double(1 << min(history.attempts - 1, 5)))
        if now >= history.lastAttempt + gap { return (true, nil) }
        let time = min(guest.probeAt, history.lastAttempt + gap)
        guests[id]?.probeAt = time
        return (false, arm(time))
    }

    /// The task makes an attempt.
    mutating func leave(_ id: Int, now: Double) {
        guests[id] = nil
        history[id, default: History()].attempts += 1
        history[id]?.lastAttempt = now
    }

    /// It has ended, or a server has answered it: nothing of its waits counts any more.
    mutating func forget(_ id: Int) {
        guests[id] = nil
        history[id] = nil
    }

    /// - Returns: the tasks that are due, and when to call again. Nothing for an outdated call.
    mutating func due(_ now: Double) -> (ids: [Int], next: Double?) {
        guard let armed, armed <= now else { return ([], nil) }
        let ids = guests.filter { $0.value.probeAt <= now }.keys.sorted()
        let next = guests.filter { $0.value.probeAt > now }.map(\.value.probeAt).min()
        self.armed = next
        return (ids, next)
    }

    private mutating func arm(_ time: Double) -> Double? {
        if let armed, armed <= time { return nil }
        armed = time
        return time
    }
}
