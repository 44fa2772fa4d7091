// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

extension LifeWorld {
    /// The largest number stands for any.
    private static func spend(_ budget: inout UInt8) { if budget < .max { budget -= 1 } }

    mutating func make(_ move: LifeMove, _ bug: LifeBug?, _ out: inout Life.Effects) throws(LifeViolation) {
        switch move {
        case .happen(let event, let isHeld):
            if event == .endOfQueue { isEnding = true }
            if event == .endOfQueue || event == .leaseLost { Self.spend(&budget.ends) }
            if event.isCommand { Self.spend(&budget.commands) }
            try happen(event, token: 0, isHeld: isHeld, hasSlot: true, bug, &out)
        case .reply(let reply):
            if reply.isFault(in: self) { Self.spend(&budget.faults) }
            try perform(reply, bug)
        case .deliver(let hasSlot):
            let reply = box.take()
            if bug == .repliesTwice, !reply.isReport { box.post(reply) }
            try happen(reply.event, token: life.serial, isHeld: false, hasSlot: hasSlot, bug, &out)
        case .flush: flush()
        case .kill(let isHalfDone):
            Self.spend(&budget.ends)
            if isHalfDone { performHalf() }
            let asks = pending == nil && life.phase == .idle && life.wish.isRun && !life.facts.contains(.isLost)
                && (life.obstacle == .question || life.obstacle == .space)
            try reopen(bug, &out)
            if asks, life.state != .paused { throw LifeViolation(invariant: "what asks waits after a kill, too") }
        case .powerCut(let isHalfDone, let keepsNew):
            Self.spend(&budget.ends)
            if isHalfDone { performHalf() }
            cutPower(keepsNew: keepsNew)
            try reopen(bug, &out)
        case .mistake:
            op = nil
            exchange = .none
            try happen(.attemptEnded(.whole), token: life.serial, isHeld: false, hasSlot: true, bug, &out)
        case .restart:
            if let pending { (stored, self.pending) = (pending, nil) }
            try reopen(bug, &out)
        }
        try check()
        if pending == stored {
            pending = nil
            keepPromise()
        }
        // Without power cuts no difference is made of it.
        if !kind.contains(.powerCuts) {
            let isIntended = durable.hasIntention || stored.hasIntention
            durable = stored
            durable.hasIntention = isIntended
        }
    }

    // MARK: The engine

    private func context(_ event: Life.Event, isHeld: Bool, hasSlot: Bool) -> Life.Context {
        var context = Life.Context()
        (context.isEnding, context.isHeld, context.hasSlot) = (isEnding, isHeld, hasSlot)
        (context.awaitsCommits, context.interruptsAtEnd) = (!kind.contains(.local), kind.contains(.local))
        if event == .due { context.now = life.due }
        return context
    }

    private mutating func happen(
        _ event: Life.Event, token: UInt32, isHeld: Bool, hasSlot: Bool, _ bug: LifeBug?, _ out: inout Life.Effects
    ) throws(LifeViolation) {
        let before = life
        out.clear()
        guard life.handle(event, token: token, context(event, isHeld: isHeld, hasSlot: hasSlot), &out) else {
            if event.op != nil, !event.isReport { throw LifeViolation(invariant: "a reply is never dropped") }
            guard out.list.isEmpty, before == life else {
                throw LifeViolation(invariant: "what is refused changes nothing")
            }
            return
        }
        if let answered = event.op, !event.isReport, op == answered { (op, exchange, stock) = (nil, .none, .none) }
        note(event)
        try checkStates(event, before)
        try checkStep(event, before, isHeld: isHeld, hasSlot: hasSlot)
        for effect in out.list { try carryOut(effect, before, bug) }
        record(before, bug)
        if life.state == .completed {
            if !kind.contains(.local), stored.end != .completed {
                throw LifeViolation(invariant: "nothing is completed before its commit")
            }
            isAnnounced = true
        }
    }

    private mutating func note(_ event: Life.Event) {
        switch event {
        case .pause: (asked, promise) = (.paused, .none)
        case .cancel: (asked, promise) = (.cancelled, .none)
        case .resume, .retry: (asked, promise) = (.runs, .none)
        case .answered, .declined, .restore, .predecessors: (asked, promise) = (.none, .none)
        // Only what the store has counts from now on.
        case .leaseLost: (asked, pending) = (.none, nil)
        default: break
        }
    }

    private mutating func carryOut(_ effect: Life.Effect, _ before: Life, _ bug: LifeBug?) throws(LifeViolation) {
        switch effect {
        case .begin(let new, let serial):
            if let op { throw LifeViolation(invariant: "one operation at a time: \(new) beside \(op)") }
            guard serial == life.serial, serial != before.serial else {
                throw LifeViolation(invariant: "each operation has a serial of its own")
            }
            op = new
            try begin(new, before)
        case .suspend:
            if bug == .suspendIgnored { break }
            exchange =
                switch exchange {
                case .running: .suspended
                case .waiting: .suspendedWaiting
                default: exchange
                }
        case .resume:
            switch exchange {
            case .suspended where bug != .resumeIgnored: exchange = .running
            case .suspendedWaiting:
                exchange = .waiting
                // An exchange may report this again.
                if bug != .waitsNotRepeated, !box.has(.waits), box.takesReport { box.post(.waits) }
            default: break
            }
        case .stop: if bug != .stopIgnored, op == .attempt, exchange != .none { exchange = .stopping }
        case .withdraw:
            op = nil
            if !box.isEmpty { stale = life.phase == .idle ? life.serial : before.serial }
            box.clear()
            if bug != .withdrawIgnored { stock = .none }
        case .release: if bug != .releaseForgotten { isLocked = false }
        }
    }

    private mutating func begin(_ new: Life.Op, _ before: Life) throws(LifeViolation) {
        if life.facts.contains(.isLost) {
            throw LifeViolation(invariant: "another process has it: \(new)")
        }
        let isWished = life.wish.isRun && promise != .paused && promise != .cancelled
        if new == .open { isSpared = false }
        switch new {
        case .attempt, .stock:
            guard isWished else { throw LifeViolation(invariant: "the wish is obeyed: \(new) begins") }
            if name != .none, makesFile { throw LifeViolation(invariant: "what has its name is not fetched again") }
            if new == .stock { stock = .waiting } else { exchange = .running }
        case .secure where life.facts.contains(.hasDigest) && before.op != .digest && !before.isSecuring:
            throw LifeViolation(invariant: "what has a digest is compared first")
        case .secure where bytes != .whole && bytes != .synced:
            throw LifeViolation(invariant: "what is secured is whole")
        case .name:
            if life.wish.cancel != nil {
                throw LifeViolation(invariant: "the wish is obeyed: a cancelled file is named")
            }
            if syncs, bytes != .synced || !kind.contains(.local) && !durable.hasIntention {
                throw LifeViolation(invariant: "never named without synced bytes and a durable intention")
            }
            if !kind.contains(.local), !stored.hasIntention {
                throw LifeViolation(invariant: "never named without an intention")
            }
        case .copy where name != .none && makesFile:
            throw LifeViolation(invariant: "what has its name is not copied")
        case .copy where isLocked: throw LifeViolation(invariant: "what is copied is not in use")
        case .remove where name != .none && makesFile && !life.facts.contains(.mayBeNamed):
            throw LifeViolation(invariant: "no named file is removed")
        case .open where name != .none && makesFile && !life.facts.contains(.mayBeNamed):
            throw LifeViolation(invariant: "its own file does not look like another's")
        case .open where life.facts.contains(.isAfter) && life.holdsSlot:
            throw LifeViolation(invariant: "it starts after others")
        default: break
        }
    }

    private mutating func record(_ before: Life, _ bug: LifeBug?) {
        guard life.record != before.record, life.phase != .left else { return }
        if life.facts.contains(.isLost) { return }
        // The completion that the store was given has all that came with it.
        guard op != .commit || box.hasReply else { return }
        guard stored.end != .completed || life.hasEnded else { return }
        var record = Self.forRecovery(life.record)
        if bug == .wishNotStored, life.state == .verifying { record.wish = Life.Wish() }
        if bug == .intentionNotStored { record.hasIntention = false }
        pending = record == stored ? nil : record
        if pending == nil { keepPromise() }
    }

    mutating func flush() {
        if let pending { (stored, self.pending) = (pending, nil) }
        keepPromise()
    }

    /// The reply of a command: its record is committed, and what is cancelled has stopped.
    mutating func keepPromise() {
        guard asked != .none, pending == nil else { return }
        if asked == .cancelled, !life.isAtRest, life.state != .verifying { return }
        (promise, asked) = (asked, .none)
    }

    /// The next process makes no difference of the rest.
    static func forRecovery(_ record: Life.Record) -> Life.Record {
        var record = record
        record.attempt = 1
        return record
    }
}

extension Life {
    var isAtRest: Bool { op == nil }
    fileprivate var isSecuring: Bool { phase == .securing || phase == .naming }
}

extension Life.Event {
    var isCommand: Bool {
        switch self {
        case .pause, .resume, .cancel, .retry, .relocate, .answered, .declined, .restore, .predecessors: true
        default: false
        }
    }
}

extension LifeReply {
    func isFault(in world: LifeWorld) -> Bool {
        switch self {
        case .openFailed, .openFailedForNow, .openLacksSpace, .exists, .waits, .spared, .failed, .failedForNow,
            .otherAddress, .lacksSpace, .asks, .wrong, .wrongHere, .lost, .nameSpared, .refused, .takesOtherName,
            .nameNotDurable, .unfetched, .unfetchedForNow, .stockLacksSpace, .returned, .unfit:
            true
        case .whole, .accepted: world.exchange == .suspended
        case .unrecorded, .notCommitted: !world.life.facts.contains(.isLost)
        case .moved: world.life.facts.contains(.isSuspended)
        case .notMoved: !world.life.facts.contains(.isSuspended)
        default: false
        }
    }
}
