// SPDX-License-Identifier: MIT

package import TransferModel

/// Views of a life for the rest of the engine, which derives its indices from them.
extension Life {
    package var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// The outstanding operation, by phase.
    package var op: Op? {
        switch phase {
        case .idle, .ended, .left: nil
        case .opening: .open
        case .stocked: .stock
        case .moving, .parked, .stopping: .attempt
        case .copying: .copy
        case .checking: .digest
        // An intention that could not be recorded is tried again when it is due.
        case .securing: due < .infinity ? nil : .secure
        case .naming: .name
        case .committing: .commit
        case .removing: .remove
        }
    }

    /// The state that users see.
    package var state: TransferState {
        switch phase {
        case .ended(.completed): .completed
        case .ended(.failed): .failed
        case .ended(.cancelled): .cancelled
        case .checking, .securing, .naming, .committing: .verifying
        case .removing where facts.contains(.isInTail): .verifying
        // It stands afterwards where it stood, unless a command came meanwhile.
        case .copying: wish.pause != nil && facts.contains(.isSuspended) ? .paused : .queued
        case .left, .idle, .opening, .stocked, .moving, .parked, .stopping, .removing:
            switch obstacle {
            case _ where wish.pause != nil: .paused
            case _ where holdsSlot: .running
            case .retry: .retrying
            case .network: .waiting
            case .space, .question: .paused
            case .none: facts.contains(.isBarred) ? .paused : .queued
            }
        }
    }

    /// Paused, but not by request.
    var isSetAside: Bool {
        switch phase {
        case .idle, .opening, .parked, .stopping, .copying(ended: nil):
            guard wish.pause == nil, !holdsSlot else { return false }
            let isHeldBack = obstacle == .none && facts.contains(.isBarred)
            return isHeldBack || obstacle == .space || obstacle == .question
        default: return false
        }
    }

    /// Another attempt waits for a command, or for predecessors.
    var isStopped: Bool { wish.pause != nil || isSetAside }

    /// The scheduler's place for the transfer.
    package enum Need: UInt8, Hashable, Sendable, BitwiseCopyable { case nothing, line, reserved, slot }

    package var need: Need {
        if holdsSlot { return .slot }
        switch phase {
        case .idle, .parked, .opening:
            let isHeldBack = obstacle != .none || facts.contains(.isAfter) || facts.contains(.isLost)
            return wish.isRun && !isHeldBack ? .line : .nothing
        case .stocked: return .reserved
        default: return .nothing
        }
    }

    package var standing: Standing {
        var end: End?
        switch phase {
        case .ended(let how): end = how
        case .copying(let how): end = how
        default: break
        }
        return Standing(
            due: due, attempt: attempt, end: end, wish: wish, obstacle: obstacle == .network ? .none : obstacle)
    }

    /// The stored part of a life, beside the facts that other columns have.
    package struct Record: Hashable, Sendable, BitwiseCopyable {
        package var end: End?
        package var wish: Wish
        /// `space`, `question` or `none`: the others are gone with the process.
        package var obstacle: Obstacle
        package var attempt: UInt16
        package var hasIntention: Bool

        package init(end: End? = nil, wish: Wish, obstacle: Obstacle = .none, attempt: UInt16, hasIntention: Bool) {
            (self.end, self.wish, self.obstacle) = (end, wish, obstacle)
            (self.attempt, self.hasIntention) = (attempt, hasIntention)
        }
    }

    package var record: Record {
        let standing = standing
        let lasts = standing.obstacle == .space || standing.obstacle == .question
        return Record(
            end: standing.end, wish: wish, obstacle: lasts ? obstacle : .none, attempt: attempt,
            hasIntention: facts.contains(.isIntended) || facts.contains(.mayBeNamed))
    }

    /// The life of a transfer of an earlier process, whatever ended that. `recovered` is its first event.
    package init(restoring record: Record, _ facts: Facts) {
        self.init(facts)
        (attempt, wish, obstacle) = (record.attempt, record.wish, record.obstacle)
        if let end = record.end { phase = .ended(end) }
        if record.hasIntention, record.end != .completed { self.facts.insert(.mayBeNamed) }
    }
}
