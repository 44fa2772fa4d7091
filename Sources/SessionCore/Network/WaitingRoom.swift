// SPDX-License-Identifier: MIT

/// When tasks that wait for the network try again. Pure.
///
/// A path event may let one go at once; otherwise its path is looked at after pauses that grow to half a minute, and it
/// tries its real request where that path carries it, or after each of the longest pauses, since events are hints.
/// However often events come, a task that keeps failing tries at most four times in its first second and once in five
/// later.
struct WaitingRoom: Sendable {
    private static let longestPause = 30.0

    private struct Guest {
        var probeAt: Double
    }

    /// What is remembered of a task between its waits, until a server has answered it.
    private struct Past {
        var tries = 0
        /// Pauses at whose end it did not try.
        var looks = 0
        var lastTry = -Double.infinity
    }

    private var guests: [Int: Guest] = [:]
    private var past: [Int: Past] = [:]
    private(set) var armed: Double?

    var waiting: [Int] { guests.keys.sorted() }

    /// - Returns: when to ask ``due(_:)``, where that is earlier than asked for before.
    mutating func enter(_ id: Int, now: Double) -> Double? {
        let pause = pause(past[id])
        guests[id] = Guest(probeAt: now + pause)
        return arm(now + pause)
    }

    private func pause(_ past: Past?) -> Double {
        min(Self.longestPause, Double(1 << min((past?.tries ?? 0) + (past?.looks ?? 0), 5)))
    }

    /// Its pause is over, and it does not try.
    /// - Returns: as ``enter(_:now:)``.
    mutating func stay(_ id: Int, now: Double) -> Double? {
        guard guests[id] != nil else { return nil }
        past[id, default: Past()].looks += 1
        return enter(id, now: now)
    }

    /// The pause that is over was one of the longest. A try without a network makes the next one slower: the kernel is
    /// then still busy with finding the next hop.
    func mayTryBlindly(_ id: Int) -> Bool { pause(past[id]) >= Self.longestPause }

    /// A path event says that the network may carry it.
    /// - Returns: whether it may try now; `nil`: later, and then ``due(_:)`` gives it.
    mutating func mayTry(_ id: Int, now: Double) -> (isNow: Bool, wakeUp: Double?) {
        guard let guest = guests[id] else { return (false, nil) }
        let past = past[id] ?? Past()
        let gap = past.tries == 0 ? 0 : min(5, 0.25 * Double(1 << min(past.tries - 1, 5)))
        if now >= past.lastTry + gap { return (true, nil) }
        let time = min(guest.probeAt, past.lastTry + gap)
        guests[id]?.probeAt = time
        return (false, arm(time))
    }

    /// It tries.
    mutating func leave(_ id: Int, now: Double) {
        guests[id] = nil
        past[id, default: Past()].tries += 1
        past[id]?.lastTry = now
    }

    /// It has ended, or a server has answered it: nothing of its waits counts any more.
    mutating func forget(_ id: Int) {
        guests[id] = nil
        past[id] = nil
    }

    /// - Returns: whose time has come, and when to ask again. Nothing for a call that was not asked for, or not any
    ///   more.
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
