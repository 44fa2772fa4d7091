// SPDX-License-Identifier: MIT

import TransferModel

/// Schedules the syncs of complete downloads. Pure: no clock, no I/O; the caller executes each returned step
/// immediately.
///
/// One round runs at a time; downloads that arrive meanwhile share the next. A round starts immediately if nothing else
/// moves bytes, if ``maximumWaiting`` downloads wait, or if the last one started ``interval`` ago: many small files
/// then cost two disk waits per second, and one file costs only its own.
struct SyncRounds {
    /// Seconds between the starts of two rounds, usually.
    static let interval = 0.5
    let interval: Double
    /// Whether the first of a round waits for others, unless nothing else moves bytes.
    let gathers: Bool
    /// How many may wait: each holds a descriptor.
    let maximumWaiting: Int

    enum Step: Equatable {
        /// Sync and rename these, then call ``roundEnded(isBusy:at:)``.
        case begin([TransferID])
        /// Call ``timerFired(isBusy:at:)`` at this time. Earlier timers may still fire, without harm.
        case wake(at: Double)
    }

    private var waiting: [TransferID] = []
    private var isRunning = false
    private var notBefore = -Double.infinity
    private var armed: Double?
    private var isHurrying = false

    init(maximumWaiting: Int = 256, interval: Double = SyncRounds.interval, gathers: Bool = false) {
        (self.maximumWaiting, self.interval, self.gathers) = (maximumWaiting, interval, gathers)
    }

    /// Whether so many wait that the next one keeps its slot, which limits how fast downloads start.
    var isFull: Bool { waiting.count >= maximumWaiting }

    /// - Parameter isBusy: whether anything else moves bytes.
    mutating func add(_ id: TransferID, isBusy: Bool, at now: Double) -> Step? { add([id], isBusy: isBusy, at: now) }

    mutating func add(_ ids: [TransferID], isBusy: Bool, at now: Double) -> Step? {
        if gathers, waiting.isEmpty, !isRunning { notBefore = max(notBefore, now + interval) }
        waiting += ids
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

    /// From now on every round starts as soon as the previous one has ended.
    mutating func hurry(at now: Double) -> Step? {
        isHurrying = true
        return next(false, now)
    }

    private mutating func next(_ isBusy: Bool, _ now: Double) -> Step? {
        guard !isRunning, !waiting.isEmpty else { return nil }
        if !isBusy || isHurrying || isFull || now >= notBefore {
            defer { waiting = [] }
            isRunning = true
            notBefore = now + interval
            return .begin(waiting)
        }
        guard armed.map({ $0 > notBefore }) ?? true else { return nil }
        armed = notBefore
        return .wake(at: notBefore)
    }
}
