// SPDX-License-Identifier: MIT

extension Life {
    /// - Parameter token: the serial of the operation that `event` answers; ignored for other events.
    /// - Returns: false if the event does not apply, or its operation is not outstanding. Then nothing has changed.
    @discardableResult
    package mutating func handle(_ event: Event, token: UInt32 = 0, _ c: Context, _ out: inout Effects) -> Bool {
        if let answered = event.op {
            guard answered == op, token == serial else { return false }
        } else if facts.contains(.isLost) {
            return false
        }
        switch event {
        case .pause(let origin): return pause(origin, c, &out)
        case .resume: return resume()
        case .cancel(let how): return cancel(how, &out)
        case .retry: return retry(c)
        case .relocate(let place): return relocate(place, c, &out)
        case .answered, .declined: return answered(event, c, &out)
        case .restore(let standing): return restore(standing, c, &out)
        case .predecessors(let predecessors): return changed(predecessors, c, &out)
        case .slot: return granted(c, &out)
        case .stock: return stock(&out)
        case .due: return dueCame(c, &out)
        case .pathImproved(let time): return pathImproved(time)
        case .recovered: return recovered(c, &out)
        case .endOfQueue: return endOfQueue(c, &out)
        case .leaseLost: return leaseLost(c, &out)
        case .waits: return waits()
        case .carries: return carries(c, &out)
        case .started: return started()
        case .fetched, .sent, .handedOver, .returned, .unfetched: stocked(event, c, &out)
        case .opened(let found): opened(found, c, &out)
        case .attemptEnded(let end): attemptEnded(end, c, &out)
        case .copied(let isMoved): copied(isMoved, c, &out)
        case .digested(let next): digested(next, c, &out)
        case .secured(let result): secured(result, c, &out)
        case .named(let result): named(result, c, &out)
        case .committed(let isDurable): committed(isDurable, c, &out)
        case .removed: if !leaves(c, isObeyed: true, &out) { end(.cancelled, &out) }
        }
        return true
    }

    /// A new operation is the outstanding one.
    mutating func begin(_ op: Op, _ phase: Phase, _ out: inout Effects) {
        serial &+= 1
        (self.phase, due) = (phase, .infinity)
        out(.begin(op, serial))
    }

    mutating func release(_ out: inout Effects) { if facts.remove(.hasFiles) != nil { out(.release) } }

    mutating func countAttempt() { if attempt < .max { attempt += 1 } }

    /// Without an operation.
    mutating func rest(_ obstacle: Obstacle = .none, until due: Double = .infinity) {
        facts.subtract([.isSuspended, .isInTail, .isIntended, .isRelocated, .isToBeCopied])
        (phase, holdsSlot, self.obstacle, self.due) = (.idle, false, obstacle, due)
    }

    mutating func end(_ end: End, _ out: inout Effects) {
        release(&out)
        rest()
        facts.remove(.isWhole)
        if end == .completed { facts.subtract([.mayBeNamed, .hasBytes, .isAfter, .isBarred]) }
        // A retry of a cancelled one pauses it again.
        wish = end == .cancelled ? Wish(pause: wish.pause) : Wish()
        phase = .ended(end)
    }

    /// Nothing is outstanding, and the file has no name that is known.
    mutating func finishCancel(_ out: inout Effects) {
        let hasFiles = facts.contains(.hasBytes) || facts.contains(.hasFiles)
        guard wish.cancel == .discarding, hasFiles else { return end(.cancelled, &out) }
        facts.remove(.hasBytes)
        begin(.remove, .removing, &out)
    }

    // MARK: The end of the queue

    /// Checks before any reply: another process may have the transfer, it is to be cancelled, or the queue is ending.
    /// - Parameter isObeyed: whether the wish has no effect here, nor the queue's end.
    /// - Returns: whether that decides.
    mutating func leaves(_ c: Context, isObeyed: Bool = false, _ out: inout Effects) -> Bool {
        if facts.contains(.isLost) {
            leave(c, &out)
        } else if isObeyed {
            return false
        } else if wish.cancel != nil {
            finishCancel(&out)
        } else if c.isEnding {
            leave(c, &out)
        } else {
            return false
        }
        return true
    }

    private mutating func leave(_ c: Context, _ out: inout Effects) {
        if case .copying(let end?) = phase, !facts.contains(.isLost) {
            facts.remove(.isSuspended)
            phase = .ended(end)
        } else if c.interruptsAtEnd {
            end(.cancelled, &out)
        } else {
            release(&out)
            (phase, holdsSlot, due) = (.left, false, .infinity)
        }
    }

    func mayLeaveAtOnce() -> Bool { phase == .idle || phase == .securing && op == nil }

    private mutating func endOfQueue(_ c: Context, _ out: inout Effects) -> Bool {
        switch phase {
        case .stocked:
            out(.withdraw)
            rest()
            leave(c, &out)
        case .moving, .parked, .copying: stop(&out)
        case _ where mayLeaveAtOnce(): leave(c, &out)
        default: return false
        }
        return true
    }

    private mutating func leaseLost(_ c: Context, _ out: inout Effects) -> Bool {
        guard !hasEnded, phase != .left else { return false }
        facts.insert(.isLost)
        _ = endOfQueue(c, &out)
        return true
    }

    /// Ends the attempt or the copy.
    mutating func stop(_ out: inout Effects) {
        if case .copying = phase {
            if facts.insert(.isSuspended).inserted { out(.stop) }
        } else {
            out(.stop)
            phase = .stopping
        }
    }
}
