// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// Invariants of every state and of every step.
extension LifeWorld {
    func check() throws(LifeViolation) {
        func fail(_ invariant: String) throws(LifeViolation) { throw LifeViolation(invariant: invariant) }
        let returns = box.has(.carries)
        if exchange == .running, !life.wish.isRun || !life.holdsSlot && !returns {
            try fail("nothing moves that is paused, cancelled or without a slot")
        }
        if exchange == .waiting, life.holdsSlot, box.isEmpty { try fail("what waits for the network has no slot") }
        let mayRun = exchange == .running && !box.hasReply || exchange == .waiting || stock != .none
        if isEnding || life.facts.contains(.isLost), mayRun { try fail("a queue that ends stops what runs") }
        if life.facts.contains(.isLost), pending != nil { try fail("another process has its record") }
        if stock != .none, !life.wish.isRun { try fail("nothing is fetched that is not wanted") }
        if let awaited = life.op, op == nil { try fail("what is awaited is under way: \(awaited)") }
        if let op, life.op != op { try fail("what is under way is awaited: \(op)") }
        if life.holdsSlot, life.state != .running, life.state != .verifying {
            try fail("a slot is held by what runs: \(life.phase) \(life.state)")
        }
        let isInPlacement = [.securing, .naming, .committing].contains(life.phase)
        if isInPlacement, life.holdsSlot { try fail("what waits for a disk or the store has no slot: \(life.phase)") }
        if life.hasEnded || life.phase == .left {
            if op != nil || exchange != .none || stock != .none { try fail("nothing is under way after the end") }
            if isLocked { try fail("files are unlocked after the end") }
        }
        if isLocked, !life.facts.contains(.hasFiles), op != .open {
            try fail("files that are open are known: \(life.phase)")
        }
        if life.wish.cancel != nil, life.isAtRest, !life.hasEnded, life.phase != .left {
            try fail("a cancel is carried out at the border: \(life.phase)")
        }
        let passing: Life.Facts = [.isRelocated, .isToBeCopied, .isSuspended, .isInTail, .isIntended]
        if life.phase == .idle, !life.facts.isDisjoint(with: passing) {
            try fail("what is true of an operation ends with it: \(life.facts)")
        }
        if life.phase == .idle, life.obstacle == .question || life.obstacle == .space, isLocked {
            try fail("what waits for the user has its files unlocked")
        }
        if case .copying = life.phase, life.wish.cancel != nil, !life.facts.contains(.isSuspended) {
            try fail("a cancel stops a copy")
        }
        if life.phase == .idle, life.facts.contains(.isBarred), life.obstacle == .none, life.state != .paused {
            try fail("what waits in vain is shown as paused")
        }
        if life.state == .cancelled || life.state == .failed, name != .none, makesFile,
            !life.facts.contains(.mayBeNamed)
        {
            try fail("a file with its name is completed or remembered: \(life.phase)")
        }
    }

    /// Today others come between, which no client sees: what waits for the network has come to its end; wrong bytes
    /// of a transfer that was paused meanwhile.
    private static let further: [(TransferState, TransferState)] = [
        (.waiting, .verifying), (.waiting, .completed), (.verifying, .paused),
    ]

    /// States change as ``TransferModel/TransferState/canBecome(_:)`` says. An undo and a copy lead over others.
    func checkStates(_ event: Life.Event, _ before: Life) throws(LifeViolation) {
        let (old, new) = (before.state, life.state)
        guard old != new, life.phase != .left else { return }
        var isAllowed = old.canBecome(new) || Self.further.contains { $0 == (old, new) }
        if case .restore = event { isAllowed = true }
        if case .copying = life.phase { isAllowed = true }
        if case .copying = before.phase { isAllowed = true }
        guard isAllowed else {
            throw LifeViolation(invariant: "states change as the table allows: \(old) to \(new) at \(event)")
        }
        if promise == .paused, old == .paused, [.verifying, .completed].contains(new), !Self.isFact(event) {
            throw LifeViolation(invariant: "a confirmed pause lasts: \(event)")
        }
    }

    /// Invariants of single events.
    func checkStep(
        _ event: Life.Event, _ before: Life, isHeld: Bool, hasSlot: Bool
    ) throws(LifeViolation) {
        func fail(_ invariant: String) throws(LifeViolation) { throw LifeViolation(invariant: invariant) }
        if before.facts.contains(.isLost), event.op == nil { try fail("another process has it: \(event)") }
        if !hasSlot, life.holdsSlot, !before.holdsSlot { try fail("no slot is taken that is not free") }
        let isCalm = before.wish.cancel == nil && !before.facts.contains(.isLost)
        switch event {
        case .retry where before.hasEnded:
            if before.state == .failed, life.wish.pause == .transfer { try fail("a retry pauses nothing") }
            if !isHeld, life.wish.pause == .queue { try fail("a retry does not wait for a release") }
            if isHeld, life.wish.isRun { try fail("what is retried is held") }
        case .recovered where before.facts.contains(.mayBeNamed):
            if life.op != .open { try fail("what may have its name is found out at the start") }
        case .retry: if life.wish.cancel != nil { try fail("a retry withdraws a cancel") }
        case .answered where isHeld: if life.wish.isRun { try fail("what was answered is held") }
        case .predecessors(.none) where isHeld && before.state == .paused && before.facts.contains(.isBarred):
            if life.need == .line { try fail("what waited in vain is held") }
        case .resume where before.wish.isRun && before.obstacle == .none:
            if life.phase == .idle, life.need != .line { try fail("what is resumed may start") }
        case .relocate(.copy):
            if before.record != life.record { try fail("the record stays as it is during a copy") }
        case .copied:
            if isCalm, before.record.end != life.record.end, life.phase != .left, !kind.contains(.local) {
                try fail("a copy leaves a transfer ended that was")
            }
        case .attemptEnded(.failed(.end)):
            if isCalm, before.facts.contains(.isRelocated), life.state == .failed {
                try fail("a failure at the old address does not count")
            }
        default: break
        }
    }

    /// It has happened already, whatever the user wants.
    private static func isFact(_ event: Life.Event) -> Bool {
        switch event {
        case .opened(.isNamed), .attemptEnded(.accepted), .attemptEnded(.spared), .sent: true
        default: false
        }
    }

    /// A reply to an operation that is not the outstanding one has no effect, whatever it says.
    func checkState(_ out: inout Life.Effects) throws(LifeViolation) {
        for (reply, op) in LifeReply.samples {
            try checkRefused(reply, life.serial &- 1, &out)
            if op != life.op { try checkRefused(reply, life.serial, &out) }
        }
        guard let stale else { return }
        for (reply, op) in LifeReply.samples where op == .stock { try checkRefused(reply, stale, &out) }
    }

    private func checkRefused(
        _ event: Life.Event, _ token: UInt32, _ out: inout Life.Effects
    ) throws(LifeViolation) {
        var copy = life
        if copy.handle(event, token: token, Life.Context(), &out) || copy != life {
            throw LifeViolation(invariant: "a stale reply is dropped")
        }
    }

    func checkRestored() throws(LifeViolation) {
        func fail(_ invariant: String) throws(LifeViolation) { throw LifeViolation(invariant: invariant) }
        if promise == .paused, ![.paused, .completed, .failed].contains(life.state) {
            try fail("a confirmed pause outlives the process: \(life.state)")
        }
        if promise == .cancelled, life.wish.cancel == nil, ![.cancelled, .completed, .failed].contains(life.state) {
            try fail("a confirmed cancel outlives the process: \(life.state)")
        }
    }
}
