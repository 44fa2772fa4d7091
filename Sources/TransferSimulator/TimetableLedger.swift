// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService

/// What replies promised of the timetable, and the limits in force at a time of day.
final class TimetableLedger: @unchecked Sendable {  // Used on one thread.
    private let machine: Machine
    /// As it is in force; `nil`: commands are under way, or the next process shows it.
    private(set) var known: LimitTimetable? = LimitTimetable()
    /// Whether the next process must find it so.
    private var isStored = true
    private var inFlight = 0
    /// The commands since there was none in flight; `nil` for an undo, and for each that failed.
    private var together: [LimitTimetable?] = []
    /// Commands so far.
    private(set) var count = 0
    var isIdle: Bool { inFlight == 0 }
    private var clockSetAt = -Double.infinity

    init(_ machine: Machine) { self.machine = machine }

    private var trace: Trace { machine.trace }

    /// In UTC.
    static func time(of time: Double) -> LocalTime {
        let seconds = Int(time.rounded(.down))
        let (day, second) = (seconds / 86_400, seconds % 86_400)
        // 1 January 1970 was a Thursday.
        return LocalTime(
            minuteOfWeek: (day + 3) % 7 * 1440 + second / 60, second: Double(second % 60) + time - Double(seconds))
    }

    // MARK: Commands

    /// - Parameter timetable: `nil`: an undo, which may bring any.
    func began(_ timetable: LimitTimetable?) {
        if inFlight == 0 { together = [] }
        inFlight += 1
        count += 1
        together.append(timetable)
        known = nil
    }

    func ended(_ timetable: LimitTimetable, succeeded: Bool) {
        inFlight -= 1
        if !succeeded { together.append(nil) }
        guard inFlight == 0 else { return }
        isStored = !together.contains(nil)
        // Of different ones at the same time, either may have been the last.
        known = together.allSatisfy { $0 == timetable } ? timetable : nil
    }

    /// - Parameters:
    ///   - now: in force after the reply.
    ///   - count: commands when it was asked for.
    func endedUndo(_ now: LimitTimetable?, after count: Int, succeeded: Bool) {
        inFlight -= 1
        guard inFlight == 0, count == self.count else { return }
        (known, isStored) = (now, succeeded)
    }

    func clockWasSet() { clockSetAt = machine.now }

    func restarted(after end: Ledger.End) {
        if inFlight > 0 || !isStored || end == .powerCut { known = nil }
        (inFlight, together) = (0, [])
    }

    /// In a queue that was opened again.
    /// - Parameter isUntouched: no command was given meanwhile.
    func check(_ now: LimitTimetable, isUntouched: Bool) {
        guard isUntouched, inFlight == 0 else { return }
        if let known, known.text != now.text {
            trace.violate("what a reply promised", "the timetable is \(now.text) instead of \(known.text)")
        }
        (known, isStored) = (now, true)
    }

    // MARK: The limits of now

    /// - Parameter limits: of the queue, without the timetable.
    /// - Returns: `nil` around the moments at which they change.
    func inForce(_ limits: QueueLimits, slack: Double) -> QueueLimits? {
        guard let known else { return nil }
        guard !known.entries.isEmpty else { return limits }
        // A clock that was set is noticed within a minute.
        guard machine.now - clockSetAt > 60 + slack else { return nil }
        let present = Self.inForce(limits, known, at: machine.wallNow)
        guard present == Self.inForce(limits, known, at: machine.wallNow - slack) else { return nil }
        if present != limits { trace.sometimes("rate: of the timetable") }
        return present
    }

    private static func inForce(_ limits: QueueLimits, _ timetable: LimitTimetable, at time: Double) -> QueueLimits {
        guard let entry = timetable.entry(atMinute: Self.time(of: time).minuteOfWeek) else { return limits }
        var limits = limits
        (limits.download, limits.upload) = (entry.download, entry.upload)
        return limits
    }
}

extension Ledger {
    func beganTimetable(_ timetable: LimitTimetable) {
        commands += 1
        undo.began("timetable.set")
        rates.began()
        timetables.began(timetable)
    }

    func endedTimetable(_ timetable: LimitTimetable, succeeded: Bool) {
        rates.ended()
        timetables.ended(timetable, succeeded: succeeded)
    }
}
