// SPDX-License-Identifier: MIT

extension Life {
    /// The completion was given to the store, or it has ended: a command has no effect, and its reply waits for the
    /// commit.
    private var isBeyondRecall: Bool {
        switch phase {
        case .committing, .removing, .ended, .left: true
        default: false
        }
    }

    mutating func pause(_ origin: Origin, _ c: Context, _ out: inout Effects) -> Bool {
        guard !isBeyondRecall, wish.cancel == nil else { return false }
        if let other = wish.pause {
            // One of its own counts as that of the queue only while that is held.
            guard other != origin, origin == .transfer || c.isHeld else { return false }
        } else if isSetAside || standing.end != nil {
            // A copy hides that until it ends.
            guard case .copying = phase, origin == .transfer else { return false }
        }
        wish.pause = origin
        switch phase {
        case .idle: (obstacle, due) = (.none, .infinity)
        case .opening, .stopping: (holdsSlot, obstacle) = (false, .none)
        case .moving, .parked: park(&out)
        case .stocked:
            out(.withdraw)
            rest()
        case .copying:
            (phase, obstacle, due) = (.copying(ended: nil), .none, .infinity)
            stop(&out)
        default: break
        }
        return true
    }

    /// The attempt stays, and moves nothing.
    mutating func park(_ out: inout Effects) {
        if facts.insert(.isSuspended).inserted { out(.suspend) }
        (phase, holdsSlot, obstacle) = (.parked, false, .none)
    }

    mutating func resume() -> Bool {
        guard !isBeyondRecall, wish.cancel == nil else { return false }
        if isSetAside {
            // The user does not wait for the others.
            if obstacle == .none { facts.subtract([.isAfter, .isBarred]) } else { obstacle = .none }
            return true
        }
        guard wish.pause != nil else { return false }
        wish.pause = nil
        return true
    }

    mutating func cancel(_ how: Cancel, _ out: inout Effects) -> Bool {
        guard !isBeyondRecall, wish.cancel != how, wish.cancel != .discarding else { return false }
        wish.cancel = how
        switch phase {
        case .stocked:
            out(.withdraw)
            end(.cancelled, &out)
        case .moving, .parked, .copying: stop(&out)
        case _ where mayLeaveAtOnce(): finishCancel(&out)
        default: break
        }
        return true
    }

    mutating func retry(_ c: Context) -> Bool {
        switch phase {
        case .ended(.failed), .ended(.cancelled):
            // The queue may have been held or released since.
            let own = wish.pause == .queue ? nil : wish.pause
            wish = Wish(pause: own ?? (c.isHeld ? .queue : nil))
            countAttempt()
            rest()
            return true
        case .idle where obstacle == .retry && wish.isRun:
            (obstacle, due) = (.none, .infinity)
            return true
        case .checking, .securing, .naming:
            guard wish.cancel != nil else { return false }
            wish = Wish(pause: c.isHeld ? .queue : nil)
            return true
        default: return false
        }
    }

    mutating func answered(_ event: Event, _ c: Context, _ out: inout Effects) -> Bool {
        guard phase == .idle, obstacle == .question else { return false }
        if event == .declined {
            end(.failed, &out)
        } else {
            obstacle = .none
            holdIfHeld(c)
        }
        return true
    }

    private mutating func holdIfHeld(_ c: Context) { if c.isHeld, wish.pause == nil { wish.pause = .queue } }

    /// Back to where it stood before a command.
    mutating func restore(_ old: Standing, _ c: Context, _ out: inout Effects) -> Bool {
        guard old.end != .completed, old.wish.cancel == nil, standing != old else { return false }
        switch phase {
        case .idle where old.end == nil, .ended(.failed), .ended(.cancelled):
            rest(old.obstacle, until: old.due)
            (wish, attempt) = (old.wish, old.attempt)
            if let end = old.end { phase = .ended(end) }
            return true
        // The command has changed no more than the wish.
        case .checking, .securing, .naming:
            guard old.end == nil, wish != old.wish else { return false }
            wish = old.wish
            return true
        default:
            guard old.end == nil else { return false }
            return old.wish.pause.map { pause($0, c, &out) } ?? resume()
        }
    }

    // MARK: Predecessors

    /// A transfer that has a slot, or has begun at the transport, does not wait any more.
    mutating func changed(_ predecessors: Predecessors, _ c: Context, _ out: inout Effects) -> Bool {
        let old = facts
        let (wasSetAside, wasBarred) = (isSetAside, facts.contains(.isBarred))
        guard phase != .ended(.completed), phase != .left, predecessors == .none || !holdsSlot else { return false }
        facts.subtract([.isAfter, .isBarred])
        if predecessors != .none { facts.insert(.isAfter) }
        if predecessors == .ended { facts.insert(.isBarred) }
        guard facts != old else { return false }
        if case .stocked = phase, predecessors != .none {
            out(.withdraw)
            rest()
        }
        if wasSetAside, wasBarred, !isSetAside { holdIfHeld(c) }
        return true
    }

    // MARK: Another place

    /// - Returns: false if it has all its bytes, or is being copied: the command is refused.
    mutating func relocate(_ place: Place, _ c: Context, _ out: inout Effects) -> Bool {
        if place == .copy { return relocateByCopy(&out) }
        switch phase {
        case .idle:
            let hasRoom = place == .folder && obstacle == .space
            guard hasRoom || facts.contains(.isWhole) else { return false }
            facts.remove(.isWhole)
            if hasRoom { makeRoom(c) }
        case .stocked(let isStarted):
            out(.withdraw)
            if isStarted { again(c) } else { rest() }
        case .opening, .stopping: facts.insert(.isRelocated)
        case .moving, .parked:
            facts.insert(.isRelocated)
            stop(&out)
        default: return false
        }
        return true
    }

    private mutating func makeRoom(_ c: Context) {
        obstacle = .none
        holdIfHeld(c)
    }

    private mutating func relocateByCopy(_ out: inout Effects) -> Bool {
        guard !facts.contains(.mayBeNamed), wish.cancel == nil else { return false }
        let isRunning = holdsSlot || obstacle == .network
        switch phase {
        case .idle: beginCopy(&out)
        case .ended(let end) where end != .completed: beginCopy(ended: end, &out)
        case .stocked:
            out(.withdraw)
            if isRunning { facts.insert(.isRelocated) }
            beginCopy(&out)
        case .opening, .moving, .parked:
            facts.insert(.isToBeCopied)
            if isRunning { facts.insert(.isRelocated) }
            if phase != .opening { stop(&out) }
        default: return false
        }
        return true
    }

    /// Nothing uses the files.
    mutating func beginCopy(ended: End? = nil, _ out: inout Effects) {
        release(&out)
        facts.subtract([.isWhole, .isSuspended, .isToBeCopied])
        if obstacle == .network { obstacle = .none }
        holdsSlot = false
        let due = due
        begin(.copy, .copying(ended: ended), &out)
        self.due = due
    }

    mutating func copied(_ isMoved: Bool, _ c: Context, _ out: inout Effects) {
        if leaves(c, &out) { return }
        if case .copying(let end?) = phase {
            phase = .ended(end)
        } else if facts.contains(.isRelocated) {
            again(c)
        } else {
            rest(obstacle, until: due)
            if isMoved, obstacle == .space { makeRoom(c) }
        }
    }
}
