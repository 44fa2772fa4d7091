// SPDX-License-Identifier: MIT

extension Life {
    // MARK: Beginning

    mutating func granted(_ c: Context, _ out: inout Effects) -> Bool {
        guard need == .line else { return false }
        holdsSlot = true
        switch phase {
        case .idle where facts.contains(.isWhole): completeBytes(c, &out)
        case .idle: begin(.open, .opening, &out)
        case .parked:
            // The attempt reports again what it waits for.
            phase = .moving
            if facts.remove(.isSuspended) != nil { out(.resume) }
        default: break  // The reply finds the slot.
        }
        return true
    }

    /// For the transport's stock: only before anything has happened to it.
    mutating func stock(_ out: inout Effects) -> Bool {
        guard phase == .idle, need == .line, attempt == 1,
            facts.isDisjoint(with: [.isUnfit, .hasFiles, .hasBytes, .mayBeNamed, .hasDigest, .isStream])
        else { return false }
        begin(.stock, .stocked(isStarted: false), &out)
        return true
    }

    mutating func dueCame(_ c: Context, _ out: inout Effects) -> Bool {
        guard c.now >= due, op == nil else { return false }
        switch phase {
        case .idle where obstacle == .retry: (obstacle, due) = (.none, .infinity)
        case .securing: begin(.secure, .securing, &out)
        default: return false
        }
        return true
    }

    mutating func pathImproved(_ time: Double) -> Bool {
        guard phase == .idle, obstacle == .retry, time < due else { return false }
        due = time
        return true
    }

    /// Whatever the user wants, a file that has its name is completed. A slot is needed only for an attempt.
    mutating func recovered(_ c: Context, _ out: inout Effects) -> Bool {
        guard phase == .idle else { return false }
        let old = self
        if c.isHeld, wish.isRun, !isSetAside { wish.pause = .queue }
        if facts.contains(.mayBeNamed) {
            begin(.open, .opening, &out)
        } else if wish.cancel != nil {
            finishCancel(&out)
        }
        return self != old
    }

    mutating func opened(_ found: Opened, _ c: Context, _ out: inout Effects) {
        if case .failed(let next) = found { return failed(next, c, &out) }
        facts.remove(.mayBeNamed)
        if found == .isNamed { return commit(c, &out) }
        if found == .ready { facts.insert([.hasFiles, .hasBytes]) }
        if leaves(c, &out) { return }
        if facts.contains(.isToBeCopied) { return beginCopy(&out) }
        if facts.contains(.isRelocated), holdsSlot { return again(c) }
        guard wish.pause == nil, holdsSlot else { return rest() }
        if found == .exists { commit(c, &out) } else { begin(.attempt, .moving, &out) }
    }

    // MARK: The stock

    mutating func started() -> Bool {
        guard phase == .stocked(isStarted: false) else { return false }
        (phase, holdsSlot) = (.stocked(isStarted: true), true)
        return true
    }

    mutating func stocked(_ event: Event, _ c: Context, _ out: inout Effects) {
        switch event {
        case .fetched: completeBytes(c, &out)
        case .sent: commit(c, &out)
        case .handedOver:
            holdsSlot = true
            begin(.open, .opening, &out)
        case .unfetched(let next): failed(next, c, &out)
        case .returned(let isPlain):
            if !isPlain { facts.insert(.isUnfit) }
            rest()
        default: break
        }
    }

    // MARK: The attempt

    mutating func waits() -> Bool {
        guard phase == .moving else { return false }
        (phase, holdsSlot, obstacle) = (.parked, false, .network)
        return true
    }

    mutating func carries(_ c: Context, _ out: inout Effects) -> Bool {
        guard phase == .parked, obstacle == .network else { return false }
        if c.hasSlot {
            (phase, holdsSlot, obstacle) = (.moving, true, .none)
        } else {
            park(&out)
        }
        return true
    }

    mutating func attemptEnded(_ end: AttemptEnd, _ c: Context, _ out: inout Effects) {
        facts.remove(.isSuspended)
        switch end {
        case .accepted, .spared: commit(c, &out)
        case .whole:
            facts.insert(.isWhole)
            // The queue's end waits for a file that needs no more than its name.
            var c = c
            c.isEnding = c.isEnding && isStopped
            if leaves(c, &out) { return }
            // The pause was confirmed.
            if isStopped { rest() } else { completeBytes(c, &out) }
        case .stopped: failed(.again(after: 0), c, &out)
        case .failed(let next): failed(next, c, &out)
        }
    }

    /// A permanent failure ends also what is paused or queued.
    mutating func failed(_ next: Next, _ c: Context, _ out: inout Effects) {
        if leaves(c, &out) { return }
        if facts.contains(.isToBeCopied) { return beginCopy(&out) }
        let isUnneeded = phase == .opening && !holdsSlot
        if facts.contains(.isRelocated) { return isUnneeded ? rest() : again(c) }
        switch next {
        case .end: end(.failed, &out)
        case .again(let delay), .retry(let delay):
            // The next one, with a slot, finds the same.
            if isUnneeded { rest() } else { again(after: delay, c) }
        case .space, .asks:
            release(&out)
            // Its next attempt asks.
            if isStopped { rest() } else { rest(next == .asks ? .question : .space) }
        }
    }

    mutating func again(after delay: Float = 0, _ c: Context) {
        guard !isStopped else { return rest() }
        countAttempt()
        rest(.retry, until: c.now + Double(delay))
    }
}
