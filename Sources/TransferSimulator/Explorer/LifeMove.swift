// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// A possible next move.
enum LifeMove: Hashable {
    /// A command, or a decision of the scheduler or the queue.
    case happen(Life.Event, isHeld: Bool = false)
    /// An executor has done what it was asked for: its reply is under way.
    case reply(LifeReply)
    /// The first reply arrives.
    case deliver(hasSlot: Bool = true)
    /// The store commits what it was given.
    case flush
    /// - Parameter isHalfDone: the operation that was under way.
    case kill(isHalfDone: Bool)
    case powerCut(isHalfDone: Bool, keepsNew: Bool)
    /// After an end in order, or by another owner.
    case restart
    /// Only with a planted bug: the end of an earlier attempt counts as that of this one.
    case mistake
}

/// A mistake of an executor, the funnel or recovery, to prove that the invariants see it.
enum LifeBug: String, CaseIterable {
    case secureRepliesEarly, commitRepliesEarly, nameNotSynced, stopIgnored, suspendIgnored, resumeIgnored
    case withdrawIgnored, staleAccepted, wishNotStored, intentionNotStored, intentionForgotten, openLost, repliesTwice
    case removeTakesName, releaseForgotten, questionForgotten, carriesLost, waitsNotRepeated, copyForgetsEnd
}

extension LifeWorld {
    /// All that can happen next.
    func moves(_ bug: LifeBug?, _ found: inout [LifeMove]) {
        found.removeAll(keepingCapacity: true)
        if bug == .staleAccepted, op == .attempt, life.attempt > 1, bytes != .whole, box.isEmpty {
            found.append(.mistake)
        }
        if pending != nil { found.append(.flush) }
        if canRestart { found.append(.restart) }
        if life.phase != .left {
            if let first = box.first {
                found.append(.deliver())
                if first == .carries { found.append(.deliver(hasSlot: false)) }
            }
            addReplies(&found)
            addEvents(&found)
        }
        guard budget.ends > 0, !kind.contains(.local) else { return }
        let canBeHalfDone = (op == .secure || op == .name) && !box.hasReply
        for isHalfDone in canBeHalfDone ? [false, true] : [false] {
            found.append(.kill(isHalfDone: isHalfDone))
            guard kind.contains(.powerCuts) else { continue }
            found.append(.powerCut(isHalfDone: isHalfDone, keepsNew: false))
            found.append(.powerCut(isHalfDone: isHalfDone, keepsNew: true))
        }
    }

    var canRestart: Bool {
        !kind.contains(.local) && (life.phase == .left || isEnding && life.hasEnded && pending == nil)
    }

    // MARK: Replies

    private func addReplies(_ found: inout [LifeMove]) {
        func add(_ reply: LifeReply) { found.append(.reply(reply)) }
        func fault(_ replies: LifeReply...) {
            if budget.faults > 0 { for reply in replies { found.append(.reply(reply)) } }
        }
        guard let op, !box.hasReply else { return }
        switch op {
        case .open:
            if name != .none, makesFile {
                add(.isNamed)
            } else {
                add(.ready)
                fault(.openFailed)
                if makesFile { fault(.exists, .openLacksSpace) }
            }
            fault(.openFailedForNow)
        case .stock: addReportsOfStock(&found)
        case .attempt: addReportsOfAttempt(&found)
        case .copy:
            if !life.facts.contains(.isSuspended) { add(.moved) } else { add(.notMoved) }
            fault(.notMoved, .moved)
        case .digest:
            add(.right)
            fault(.wrong, .wrongHere)
        case .secure:
            if !life.facts.contains(.isLost) { add(.durable) }
            fault(.lost)
            if budget.faults > 0 || life.facts.contains(.isLost) { add(.unrecorded) }
        case .name:
            add(.named)
            fault(.refused, .takesOtherName, .nameSpared)
            if syncs { fault(.nameNotDurable) }
        case .commit:
            if !life.facts.contains(.isLost) { add(.committed) }
            if budget.faults > 0 || life.facts.contains(.isLost) { add(.notCommitted) }
        case .remove: add(.removed)
        }
    }

    private func addReportsOfAttempt(_ found: inout [LifeMove]) {
        func add(_ reply: LifeReply) { found.append(.reply(reply)) }
        func fault(_ replies: LifeReply...) {
            if budget.faults > 0 { for reply in replies { found.append(.reply(reply)) } }
        }
        let success = kind.contains(.upload) ? LifeReply.accepted : .whole
        switch exchange {
        case .running:
            add(success)
            fault(.failed, .failedForNow, .asks, .otherAddress)
            if makesFile { fault(.lacksSpace, .spared) }
            if box.takesReport { fault(.waits) }
        case .waiting:
            if box.takesReport { add(.carries) }
            fault(.failedForNow)
        // The exchange that was under way when it was suspended.
        case .suspended: fault(success, .failed, .failedForNow)
        case .suspendedWaiting: fault(.failedForNow)
        case .stopping:
            add(.stopped)
            add(success)
            fault(.failedForNow)
        case .none: break
        }
    }

    private func addReportsOfStock(_ found: inout [LifeMove]) {
        func add(_ reply: LifeReply) { found.append(.reply(reply)) }
        switch stock {
        case .waiting:
            add(.started)
            if budget.faults > 0 {
                add(.returned)
                add(.unfit)
            }
        case .started:
            add(kind.contains(.upload) ? .sent : .fetched)
            add(.handedOver)
            if budget.faults > 0 {
                add(.unfetched)
                add(.unfetchedForNow)
                add(.stockLacksSpace)
            }
        case .none: break
        }
    }

    // MARK: Events

    private func addEvents(_ found: inout [LifeMove]) {
        func add(_ event: Life.Event, isHeld: Bool = false) { found.append(.happen(event, isHeld: isHeld)) }
        if !isEnding, life.need == .line {
            add(.slot)
            if kind.contains(.stock) { add(.stock) }
        }
        if life.due < .infinity, !isEnding || op == nil { add(.due) }
        if budget.ends > 0, !isEnding {
            add(.endOfQueue)
            if kind.contains(.leases) { add(.leaseLost) }
        }
        guard budget.commands > 0, !isEnding else { return }
        for event: Life.Event in [
            .pause(.transfer), .resume, .cancel(.keeping), .retry, .answered, .declined,
        ] { add(event) }
        if kind.contains(.discards) { add(.cancel(.discarding)) }
        if kind.contains(.holds) {
            add(.pause(.queue))
            for event: Life.Event in [.pause(.queue), .retry, .answered, .relocate(.folder)] {
                if event != .relocate(.folder) || kind.contains(.places) { add(event, isHeld: true) }
            }
        }
        if kind.contains(.places) { for place: Life.Place in [.address, .folder] { add(.relocate(place)) } }
        if kind.contains(.copies) { add(.relocate(.copy)) }
        if kind.contains(.predecessors) {
            for predecessors: Life.Predecessors in [.none, .open, .ended] { add(.predecessors(predecessors)) }
            if kind.contains(.holds) { add(.predecessors(.none), isHeld: true) }
        }
        if kind.contains(.undo) {
            for end: Life.End? in [nil, .failed] { add(.restore(Self.standing(end))) }
            add(.restore(Self.standing(nil, .retry)))
            add(.restore(Self.standing(nil, .none, .transfer)))
        }
    }

    private static func standing(
        _ end: Life.End?, _ obstacle: Life.Obstacle = .none, _ pause: Life.Origin? = nil
    ) -> Life.Standing {
        var standing = Life([]).standing
        (standing.end, standing.obstacle, standing.wish.pause) = (end, obstacle, pause)
        if obstacle == .retry { standing.due = 1 }
        return standing
    }
}
