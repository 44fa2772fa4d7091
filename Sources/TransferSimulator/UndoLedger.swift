// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What was undone, and what must therefore be as it was.
final class UndoLedger: @unchecked Sendable {  // Used on one thread.
    /// A command after which nothing else was commanded until it was undone.
    struct Trial {
        enum Deed {
            case perform(QueueCommand, [TransferID])
            case hold(Bool)
            case limits(QueueLimits)
            /// The one before.
            case timetable(LimitTimetable)
            case relocate(TransferID)
        }

        var deed: Deed
        var before: QueueSnapshot
        /// On the wall clock, and the number of times that this was set.
        var began: Double
        var clock: Int
        /// Of all users so far, it included.
        var commands = 0
    }

    private let machine: Machine
    /// Of the present process, by the word of the control protocol: how many were given, and undone.
    private var given: [String: Int] = [:]
    private var undone: [String: Int] = [:]
    /// What the next process must find, unless something was commanded since.
    private var expected: (trial: Trial, commands: Int)?
    private(set) var clock = 0

    init(_ machine: Machine) { self.machine = machine }

    private var trace: Trace { machine.trace }

    func began(_ word: String) { given[word, default: 0] += 1 }

    func clockWasSet() { clock += 1 }

    /// - Parameter trial: whose command was undone, if nothing else happened.
    func ended(
        _ reply: UndoneCommand?, _ snapshot: QueueSnapshot, _ timetable: LimitTimetable, _ trial: Trial?, commands: Int
    ) {
        if let reply {
            undone[reply.command, default: 0] += 1
            trace.sometimes("undone: \(reply.command)")
            if undone[reply.command, default: 0] > given[reply.command, default: 0] {
                trace.violate("undone once", "\(reply.command) was undone more often than given")
            }
        }
        guard let trial, trial.clock == clock else { return }
        // It may have changed nothing: then an earlier command was undone.
        guard let reply, reply.command == trial.word,
            (trial.began...max(trial.began, machine.wallNow)).contains(reply.performedAt)
        else { return }
        trace.sometimes("undone: all as before")
        compare(trial, snapshot, timetable, "after the reply")
        expected = (trial, commands)
    }

    /// - Parameter isUntouched: no command was given meanwhile.
    func check(_ snapshot: QueueSnapshot, _ timetable: LimitTimetable, commands: Int, isUntouched: Bool) {
        guard let (trial, count) = expected, isUntouched, commands == count else { return }
        trace.sometimes("undone: process ended")
        compare(trial, snapshot, timetable, "after a restart")
    }

    func restarted(after end: Ledger.End) {
        (given, undone) = ([:], [:])
        if end == .powerCut { expected = nil }
    }

    // MARK: As before

    private func compare(_ trial: Trial, _ now: QueueSnapshot, _ timetable: LimitTimetable, _ moment: String) {
        let found = Dictionary(uniqueKeysWithValues: now.transfers.map { ($0.id, $0) })
        let old = Dictionary(uniqueKeysWithValues: trial.before.transfers.map { ($0.id, $0) })
        func violate(_ detail: String) { trace.violate("undone is as before", "\(trial.word): \(detail), \(moment)") }
        func pairs(_ ids: some Sequence<TransferID>) -> [(Transfer, Transfer)] {
            ids.compactMap { id in old[id].flatMap { old in found[id].map { (old, $0) } } }
        }
        switch trial.deed {
        case .perform(let command, let ids):
            // A retry does not hold what was held alone.
            let isHeld = trial.before.limits.isHeld == true
            if command == .dismiss {
                for id in ids where old[id]?.state.isEnded == true && found[id] == nil { violate("\(id) is missing") }
            }
            for (old, new) in pairs(ids)
            where !Self.isAsBefore(command, old, new)
                && !(command.word == "cancel" && old.pausedBy == .queue && !isHeld)
            {
                violate("\(old.id) was \(Self.text(old)), is \(Self.text(new))")
            }
            guard command.changesOrder else { return }
            let order = trial.before.transfers.map(\.id).filter { found[$0] != nil }
            let newOrder = now.transfers.map(\.id).filter { old[$0] != nil }
            if order != newOrder { violate("\(order) became \(newOrder)") }
        case .hold(let wanted):
            if now.limits.isHeld != trial.before.limits.isHeld { violate("the queue is held otherwise") }
            let command: QueueCommand = wanted ? .hold : .resume
            // What was paused with a queue that was not held is released with it.
            for (old, new) in pairs(old.keys.sorted()) where wanted != (old.pausedBy == .queue) {
                if !Self.isAsBefore(command, old, new) {
                    violate("\(old.id) was \(Self.text(old)), is \(Self.text(new))")
                }
            }
        case .limits:
            if now.limits != trial.before.limits { violate("\(trial.before.limits) became \(now.limits)") }
        case .timetable(let old):
            if timetable.text != old.text { violate("\(old.text) became \(timetable.text)") }
        case .relocate(let id):
            for (old, new) in pairs([id]) where old.url != new.url && new.state != .completed {
                violate("\(id) was at \(old.url), is at \(new.url)")
            }
        }
    }

    private static func text(_ transfer: Transfer) -> String {
        "\(transfer.state.rawValue) \(transfer.pausedBy.map { "by \($0)" } ?? "")"
    }

    /// Transfers continue meanwhile.
    private static func isAsBefore(_ command: QueueCommand, _ old: Transfer, _ new: Transfer) -> Bool {
        let isOver = new.state.isEnded && new.state != .cancelled || new.state == .verifying
        switch command {
        case .pause, .hold:
            if old.pausedBy != nil || new.pausedBy != nil { return old.pausedBy == new.pausedBy || isOver }
            return continuesAsBefore(old, new)
        case .resume:
            // It may have paused itself since: it asks, or the disk is full.
            let pausedItself = new.state == .paused && new.pausedBy == nil
            return old.pausedBy == nil || old.pausedBy == new.pausedBy || isOver || pausedItself
        case .cancel:
            if old.state.isEnded || old.state == .verifying { return true }
            if old.pausedBy != nil { return old.pausedBy == new.pausedBy && new.state == .paused }
            return new.state != .cancelled && continuesAsBefore(old, new)
        case .limit: return old.rateLimit == new.rateLimit
        // One that has begun does not wait again.
        case .schedule: return old.earliestBegin == new.earliestBegin || ![.queued, .paused].contains(new.state)
        case .move, .priority: return old.priority == new.priority
        case .dismiss: return !old.state.isEnded || old.state == new.state
        default: return true
        }
    }

    /// One that waits for its next attempt waits until the same time.
    private static func continuesAsBefore(_ old: Transfer, _ new: Transfer) -> Bool {
        guard old.state == .retrying, new.state == .retrying, old.attempt == new.attempt else { return true }
        return old.retryAt == new.retryAt
    }
}

extension UndoLedger.Trial {
    /// Of the control protocol.
    var word: String {
        switch deed {
        case .perform(let command, _): command.word
        case .hold(let wanted): wanted ? "hold" : "resume"
        case .limits: "limits.set"
        case .timetable: "timetable.set"
        case .relocate: "relocate"
        }
    }
}

extension QueueCommand {
    /// Without reflection, which costs more than the rest of a line of the trace.
    var word: String {
        switch self {
        case .pause: "pause"
        case .hold: "hold"
        case .resume: "resume"
        case .cancel: "cancel"
        case .retry: "retry"
        case .move: "move"
        case .limit: "limit"
        case .priority: "priority"
        case .schedule: "schedule"
        case .remove: "remove"
        case .dismiss: "dismiss"
        default: String("\(self)".prefix { $0 != "(" })
        }
    }

    var changesOrder: Bool {
        switch self {
        case .move, .priority, .remove, .dismiss: true
        default: false
        }
    }
}
