// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// Effects of executors on files and the store, and what the end of a process leaves of them.
extension LifeWorld {
    /// An executor has done its part, and replies.
    mutating func perform(_ reply: LifeReply, _ bug: LifeBug?) throws(LifeViolation) {
        if bug == .openLost, op == .open {
            op = nil
            return
        }
        if bug == .carriesLost, reply == .carries {
            exchange = .running
            return
        }
        let hadName = name != .none
        act(reply, bug)
        if hadName, name == .none { throw LifeViolation(invariant: "no named file is removed") }
        box.post(reply)
    }

    private mutating func act(_ reply: LifeReply, _ bug: LifeBug?) {
        switch reply {
        case .durable where bug == .secureRepliesEarly, .committed where bug == .commitRepliesEarly: break
        case .ready:
            if bytes == .none { bytes = .some }
            isLocked = true
        case .isNamed: commitSyncs = true
        case .exists, .spared, .nameSpared: isSpared = true
        case .started: stock = .started
        case .waits: exchange = .waiting
        case .carries: exchange = .running
        case .whole, .accepted: (bytes, exchange) = (.whole, .none)
        case .stopped, .failed, .failedForNow, .otherAddress, .lacksSpace, .asks:
            if bytes == .none { bytes = .some }
            exchange = .none
        case .fetched, .sent: (bytes, isNameless, stock) = (.whole, !kind.contains(.upload), .none)
        case .handedOver, .returned, .unfit, .unfetched, .unfetchedForNow, .stockLacksSpace: stock = .none
        case .durable:
            if syncs { bytes = .synced }
            intend()
        case .lost, .wrong, .wrongHere: bytes = .none
        case .named: giveName(isSynced: syncs && bug != .nameNotSynced)
        case .nameNotDurable: giveName(isSynced: false)
        case .committed:
            if commitSyncs, name == .unsynced { name = .durable }
            commitSyncs = false
            stored = Life.Record(end: .completed, wish: Life.Wish(), attempt: 1, hasIntention: false)
            // One that syncs is found by its intention.
            if !syncs || !durable.hasIntention { durable = stored }
            pending = nil
            keepPromise()
        case .removed:
            bytes = .none
            isLocked = false
            if bug == .removeTakesName { name = .none }
        default: break
        }
    }

    private mutating func intend() {
        var record = Self.forRecovery(life.record)
        record.hasIntention = true
        (stored, durable, pending) = (record, record, nil)
        keepPromise()
    }

    private mutating func giveName(isSynced: Bool) {
        (name, nameHasSyncedBytes) = (isSynced ? .durable : .unsynced, bytes == .synced)
        (bytes, isLocked, isNameless) = (.none, false, false)
    }

    /// The process ends in the middle of it.
    mutating func performHalf() {
        switch op {
        case .secure: if syncs { bytes = .synced }
        case .name: giveName(isSynced: false)
        default: break
        }
    }

    mutating func cutPower(keepsNew: Bool) {
        if !keepsNew { (stored, promise) = (durable, .none) }
        durable = stored
        if bytes == .whole || bytes == .some { bytes = keepsNew ? .some : .none }
        guard name == .unsynced else { return }
        name = keepsNew ? .durable : .none
        if !keepsNew { bytes = nameHasSyncedBytes ? .synced : .some }
    }

    /// The next process.
    mutating func reopen(_ bug: LifeBug?, _ out: inout Life.Effects) throws(LifeViolation) {
        if isNameless { bytes = .none }
        var facts = life.facts.intersection([.syncs, .hasDigest, .isStream, .isAfter, .isBarred])
        if bytes != .none { facts.insert(.hasBytes) }
        if !kind.contains(.stock) { facts.insert(.isUnfit) }
        let wasCopied = if case .copying = life.phase { true } else { false }
        let hasFile = isAnnounced && syncs && makesFile && !isSpared
        let asks = stored.end == nil && stored.wish.isRun && stored.obstacle != .none
        if bug == .intentionForgotten { stored.hasIntention = false }
        if bug == .questionForgotten { stored.obstacle = .none }
        if bug == .copyForgetsEnd, wasCopied { stored.end = nil }
        life = Life(restoring: stored, facts)
        (op, exchange, stock, pending, isEnding, asked) = (nil, .none, .none, nil, false, .none)
        (commitSyncs, isNameless, isSpared, isLocked, stale) = (false, false, false, false, nil)
        box.clear()
        if hasFile, name == .none {
            throw LifeViolation(invariant: "what was reported as completed has its name")
        }
        isAnnounced = false
        if syncs, name != .none, !nameHasSyncedBytes {
            throw LifeViolation(invariant: "a name has all bytes after a power cut")
        }
        if asks, life.state != .paused { throw LifeViolation(invariant: "what asks outlives the process") }
        try checkRestored()
        try make(.happen(.recovered), bug, &out)
    }
}
