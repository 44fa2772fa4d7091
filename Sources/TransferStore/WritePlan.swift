// SPDX-License-Identifier: MIT

import TransferModel

/// Decides when which changes are committed. Pure: no clock, no I/O; the caller executes the returned steps
/// immediately.
///
/// The latest change of each transfer waits; earlier ones are merged into it. One batch is committed at a time, so
/// urgent changes that arrive meanwhile share the next one. A change that needs a sync waits for the next round of
/// syncs, at most one a second, with all later changes of its transfer: no commit is ahead of the bytes on disk.
///
/// Settings are part of the next batch, whatever that is: no commit has a change that was recorded after them, and not
/// the settings.
struct WritePlan {
    /// Seconds between batches of progress.
    static let interval = 0.5
    /// Seconds between rounds of syncs: each syncs files once and the database once.
    static let syncInterval = 1.0
    /// Seconds until a failed commit is repeated.
    static let failureDelay = 5.0

    struct Batch: Equatable {
        /// In the order in which they were first recorded.
        var items: [Item] = []
        /// Tickets that wait for all of it.
        var flushes: [Int] = []
        var isDurable = false
        /// The latest, if they are to be stored.
        var settings: StoreSettings?
    }

    struct Item: Equatable {
        var change: StoreChange
        /// Tickets that wait for this change.
        var tickets: [Int] = []
    }

    enum Step: Equatable {
        /// Sync, commit, then call ``commitEnded(failed:settings:at:)``.
        case commit(Batch)
        /// Call ``timerFired(at:)`` at this time. Earlier timers may still fire, without harm.
        case wake(at: Double)
        /// Nothing that these tickets wait for is pending: complete them, then call ``timerFired(at:)``.
        case flushed([Int])
    }

    private enum Lane: CaseIterable { case urgent, syncing, progress }

    private struct Entry {
        var number: Int
        var change: StoreChange
        var tickets: [Int]

        var lane: Lane { !change.syncing.isEmpty ? .syncing : change.urgency > .soon ? .urgent : .progress }
    }

    private var lanes: [Lane: [TransferID: Entry]] = [:]
    private var lane: [TransferID: Lane] = [:]
    /// The earliest time of a lane's next batch. Urgent changes never wait.
    private var notBefore: [Lane: Double] = [:]
    private var nextNumber = 0
    /// Not part of a batch yet. A batch for them alone is not made before a time.
    private var settings: (latest: StoreSettings, notBefore: Double)?
    private var isCommitting = false
    private var armed: Double?
    private var flushes: [Int] = []
    /// Like `flushes`, without waiting for syncs.
    private var commits: [Int] = []

    /// - Parameter changes: they share one batch, if they are in one lane.
    mutating func recorded(_ changes: [StoreChange], ticket: Int?, at now: Double) -> Step? {
        for change in changes { put(change, tickets: ticket.map { [$0] } ?? []) }
        return next(now)
    }

    /// Durably.
    mutating func kept(_ latest: StoreSettings, at now: Double) -> Step? {
        settings = (latest, now)
        return next(now)
    }

    mutating func flushRequested(ticket: Int, at now: Double) -> Step? {
        flushes.append(ticket)
        return next(now)
    }

    /// As ``flushRequested(ticket:at:)``, for callers that only need to survive the end of the process: nothing is
    /// synced for them, and changes that wait for a sync continue to wait.
    /// - Parameter id: a transfer whose change must be among them, even if it waits for a sync.
    mutating func commitRequested(ticket: Int, including id: TransferID? = nil, at now: Double) -> Step? {
        if let id, lane[id] == .syncing { return flushRequested(ticket: ticket, at: now) }
        commits.append(ticket)
        return next(now)
    }

    mutating func timerFired(at now: Double) -> Step? {
        armed = nil
        return next(now)
    }

    /// - Parameters:
    ///   - failed: the changes that could not be committed; they are repeated later, merged with newer ones.
    ///   - unstored: the settings that could not be; newer ones take their place.
    mutating func commitEnded(
        failed: [StoreChange] = [], settings unstored: StoreSettings? = nil, at now: Double
    ) -> Step? {
        isCommitting = false
        if let unstored, settings == nil { settings = (unstored, now + Self.failureDelay) }
        if !failed.isEmpty { notBefore[.progress] = now + Self.failureDelay }
        for var change in failed {
            // It is synced already, and its tickets are completed. It still has to be durable: a later flush finds
            // nothing left to commit.
            change.urgency = .soon
            change.syncing = []
            let newer = take(change.transfer.id)
            if let newer { change.absorb(newer.change) }
            put(change, tickets: newer?.tickets ?? [])
        }
        return next(now)
    }

    // MARK: Inside

    private mutating func put(_ change: StoreChange, tickets: [Int]) {
        let id = change.transfer.id
        var entry: Entry
        if let waiting = take(id) {
            entry = waiting
            entry.change.absorb(change)
            entry.tickets += tickets
        } else {
            entry = Entry(number: nextNumber, change: change, tickets: tickets)
            nextNumber += 1
        }
        lane[id] = entry.lane
        lanes[entry.lane, default: [:]][id] = entry
    }

    private mutating func take(_ id: TransferID) -> Entry? {
        guard let old = lane.removeValue(forKey: id) else { return nil }
        return lanes[old]?.removeValue(forKey: id)
    }

    private mutating func next(_ now: Double) -> Step? {
        guard !isCommitting else { return nil }
        let filled = Lane.allCases.filter { lanes[$0]?.isEmpty == false }
        if filled.isEmpty, settings == nil {
            let asked = flushes + commits
            (flushes, commits) = ([], [])
            return asked.isEmpty ? nil : .flushed(asked)
        }
        let due = filled.filter { lane in
            !flushes.isEmpty || !commits.isEmpty && lane != .syncing || (notBefore[lane] ?? now) <= now
        }
        let areSettingsDue = settings.map { !flushes.isEmpty || !commits.isEmpty || $0.notBefore <= now } ?? false
        guard due.isEmpty, !areSettingsDue else {
            defer { (flushes, commits) = ([], []) }
            return .commit(batch(of: due, now))
        }
        if !commits.isEmpty {
            defer { commits = [] }
            return .flushed(commits)
        }
        let times = filled.compactMap { notBefore[$0] } + (settings.map { [$0.notBefore] } ?? [])
        guard let earliest = times.min(), armed.map({ $0 > earliest }) ?? true else { return nil }
        armed = earliest
        return .wake(at: earliest)
    }

    private mutating func batch(of due: [Lane], _ now: Double) -> Batch {
        var entries: [Entry] = []
        for lane in due {
            entries += (lanes.removeValue(forKey: lane) ?? [:]).values
            if lane != .urgent { notBefore[lane] = now + (lane == .syncing ? Self.syncInterval : Self.interval) }
        }
        entries.sort { $0.number < $1.number }
        for entry in entries { lane[entry.change.transfer.id] = nil }
        isCommitting = true
        defer { settings = nil }
        return Batch(
            items: entries.map { Item(change: $0.change, tickets: $0.tickets) }, flushes: flushes + commits,
            isDurable: !flushes.isEmpty || settings != nil || entries.contains { $0.change.isDurable },
            settings: settings?.latest)
    }
}
