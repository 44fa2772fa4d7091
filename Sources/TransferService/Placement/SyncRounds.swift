// SPDX-License-Identifier: MIT

import TransferModel

/// Schedules when whole downloads are synced. Pure: no clock, no I/O; the caller carries out each returned step at
/// once.
///
/// One round runs at a time; what comes meanwhile shares the next. A round begins at once while nothing else is moving
/// bytes, when ``maximumWaiting`` downloads wait, or when the last one began ``interval`` ago: many small files then
/// cost two waits for the disk a second, and one file costs no wait but the disk's own.
struct SyncRounds {
    /// Seconds from the begin of one round to that of the next.
    static let interval = 0.5
    /// How many may wait: each holds a descriptor.
    let maximumWaiting: Int

    enum Step: Equatable {
        /// Sync and name these, then call ``roundEnded(isBusy:at:)``.
        case begin([TransferID])
        /// Call ``timerFired(isBusy:at:)`` at this time. Earlier timers may still come; they do no harm.
        case wake(at: Double)
    }

    private var waiting: [TransferID] = []
    private var isRunning = false
    private var notBefore = -Double.infinity
    private var armed: Double?
    private var isHurrying = false

    init(maximumWaiting: Int = 256) { self.maximumWaiting = maximumWaiting }

    /// Whether so many wait that the next one keeps its slot, which slows down how fast downloads begin.
    var isFull: Bool { waiting.count >= maximumWaiting }

    /// - Parameter isBusy: whether anything else moves bytes.
    mutating func add(_ id: TransferID, isBusy: Bool, at now: Double) -> Step? {
        waiting.append(id)
        return next(isBusy, now)
    }

    mutating func timerFired(isBusy: Bool, at now: Double) -> Step? {
        armed = nil
        return next(isBusy, now)
    }

    mutating func roundEnded(isBusy: Bool, at now: Double) -> Step? {
        isRunning = false
        return next(isBusy, now)
    }

    /// From now on every round begins as soon as the one before has ended.
    mutating func hurry(at now: Double) -> Step? {
        isHurrying = true
        return next(false, now)
    }

    private mutating func next(_ isBusy: Bool, _ now: Double) -> Step? {
        guard !isRunning, !waiting.isEmpty else { return nil }
        if !isBusy || isHurrying || isFull || now >= notBefore {
            defer { waiting = [] }
            isRunning = true
            notBefore = now + Self.interval
            return .begin(waiting)
        }
        guard armed.map({ $0 > notBefore }) ?? true else { return nil }
        armed = notBefore
        return .wake(at: notBefore)
    }
}
