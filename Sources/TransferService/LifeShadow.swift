// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// The ``Life`` of each transfer of an engine that decides without it: what happens to a transfer happens to its life,
/// too. A difference between the two is a mistake of one of them; docs/dev/Life.md lists what is accepted, and why.
@EngineActor final class LifeShadow {
    private unowned let engine: Coordinator
    private let report: @Sendable (String) -> Void
    private var lives: [TransferID: Life] = [:]
    private var logs: [TransferID: [(time: Double, event: Life.Event, isRefused: Bool, life: Life)]] = [:]
    private var out = Life.Effects()

    init(_ engine: Coordinator, _ report: @escaping @Sendable (String) -> Void) {
        (self.engine, self.report) = (engine, report)
    }

    /// A transfer is in the queue, new or from the store.
    func added(_ transfer: Transfer) {
        let standing = Life.Standing(transfer.status, transfer.attempt, due: .infinity)
        let record = Life.Record(
            end: standing.end, wish: standing.wish, obstacle: standing.obstacle, attempt: standing.attempt,
            hasIntention: transfer.state == .verifying)
        var facts: Life.Facts = .syncs
        if transfer.after != nil { facts.insert(.isAfter) }
        if transfer.isHeldByPredecessor { facts.insert(.isBarred) }
        lives[transfer.id] = Life(restoring: record, facts)
        if transfer.state == .verifying { note(.recovered, transfer.id) }
    }

    func removed(_ ids: [TransferID]) { for id in ids { (lives[id], logs[id]) = (nil, nil) } }

    func op(_ id: TransferID) -> Life.Op? { lives[id]?.op }

    func note(_ event: Life.Event, _ id: TransferID) {
        guard let life = lives[id] else { return }
        var context = Life.Context()
        context.now = event == .due ? max(engine.scheduler.now, life.due) : engine.scheduler.now
        (context.isEnding, context.isHeld) = (engine.isEnding, engine.isHeld)
        context.hasSlot = engine.queue.hasSlot(for: id)
        (context.awaitsCommits, context.interruptsAtEnd) = (engine.policy.awaitsCommits, engine.policy.interruptsAtEnd)
        var new = life
        let isRefused = !new.handle(event, token: life.serial, context, &out)
        out.clear()
        lives[id] = new
        logs[id, default: []].append((engine.scheduler.now, event, isRefused, new))
        if logs[id]?.count == 32 { logs[id]?.removeFirst(16) }
    }

    /// The end of what is under way, whatever that is: the machine's operations are finer than the engine's.
    enum Outcome { case proceeds, failed(Life.Next), stopped, completed }

    func note(_ outcome: Outcome, _ id: TransferID) {
        let event: Life.Event? =
            switch (op(id), outcome) {
            case (.open, .proceeds): .opened(.ready)
            case (.digest, .proceeds), (.digest, .stopped): .digested(nil)
            case (.name, .proceeds): .named(.takesOtherName)
            case (.open, .failed(let next)): .opened(.failed(next))
            case (.stock, .failed(let next)): .unfetched(next)
            case (.attempt, .failed(let next)): .attemptEnded(.failed(next))
            case (.digest, .failed(let next)): .digested(next)
            case (.secure, .failed): .secured(.lost)
            case (.name, .failed): .named(.refused)
            case (.commit, .failed): .committed(isDurable: false)
            case (nil, .failed): .declined
            case (.open, .stopped): .opened(.failed(.again(after: 0)))
            case (.stock, .stopped): .returned(isPlain: true)
            case (.attempt, .stopped): .attemptEnded(.stopped)
            case (.copy, .stopped): .copied(isMoved: false)
            case (.secure, .stopped): .secured(.durable)
            case (.remove, .stopped): .removed
            case (.open, .completed): .opened(engine.memories[id]?.rename == nil ? .exists : .isNamed)
            case (.attempt, .completed): .attemptEnded(engine.queue[id]?.kind == .upload ? .accepted : .spared)
            case (.name, .completed): .named(.named)
            default: nil
            }
        if let event { note(event, id) }
    }

    func ended(_ id: TransferID, _ end: TransferState) {
        note(end == .completed ? .completed : end == .cancelled ? .stopped : .failed(.end), id)
        // The engine does not wait until files are deleted.
        if op(id) == .remove { note(.removed, id) }
    }

    func whole(_ run: DownloadRun) {
        guard op(run.id) == .attempt else { return }
        let digest = run.download.checksum ?? (run.sources.isMixed ? run.announced : nil)
        let isCompared = digest != nil || run.download.pieces != nil
        if isCompared { lives[run.id]?.facts.insert(.hasDigest) } else { lives[run.id]?.facts.remove(.hasDigest) }
        note(.attemptEnded(.whole), run.id)
    }

    /// The intention to name it is recorded, or cannot be.
    func secured(_ id: TransferID, _ result: Life.Secured) {
        if op(id) == nil { note(.due, id) }
        note(.secured(result), id)
    }

    /// The engine does not count an attempt that was cancelled before it began.
    func stocked(_ id: TransferID) {
        lives[id]?.attempt = UInt16(clamping: engine.queue[id]?.attempt ?? 1)
        note(.stock, id)
    }

    /// Between two tasks of an attempt, and while files are opened, the engine continues with the new address.
    func relocated(_ id: TransferID, _ place: Life.Place) {
        if op(id) != .open, op(id) != .attempt || engine.runs[id]?.task != nil { note(.relocate(place), id) }
    }

    func restored(_ old: UndoLog.OldStanding) {
        var pause = Double.infinity
        if case .retrying(let time, _) = old.status { pause = time - engine.scheduler.wallNow }
        if pause < .infinity, op(old.id) == .attempt { note(.stopped, old.id) }
        note(.restore(Life.Standing(old.status, old.attempt, due: engine.scheduler.now + pause)), old.id)
        if pause <= 0 { note(.due, old.id) }
    }

    func compare() {
        guard !engine.hasEnded else { return }
        for id in Array(lives.keys) { endIfDropped(id) }
        for (id, life) in lives { compare(id, life) }
        for id in engine.queue.entries.allKeys where lives[id] == nil { report("\(id) has no life") }
    }

    /// A pause drops what an attempt does between two of its tasks; the next attempt begins again.
    private func endIfDropped(_ id: TransferID) {
        let run = engine.runs[id]
        guard lives[id]?.holdsSlot == false, op(id) == .open || op(id) == .attempt else { return }
        guard run?.task == nil, run?.isOnFiles != true, run?.stopping == nil else { return }
        note(.stopped, id)
        note(.due, id)
    }

    private func compare(_ id: TransferID, _ life: Life) {
        guard let known = engine.queue.entries[id] else { return report("\(id) lives, and is not in the queue") }
        // The next process decides. And until a task that is being ended has ended, the engine obeys further commands,
        // and gives it a slot; it has no wish.
        if life.phase == .left || life.phase == .stopping { return }
        let there = (state: known.transfer.state, slot: known.occupiesSlot, line: known.mayStart)
        var here = (state: life.state, slot: life.holdsSlot, line: life.need == .line)
        if [.checking, .securing, .naming].contains(life.phase) { here.slot = here.slot || there.slot }
        guard there != here else { return }
        let steps = (logs[id] ?? []).suffix(12).map { step in
            let (event, life) = (step.isRefused ? "\(step.event), refused" : "\(step.event)", step.life)
            return "\n    \(step.time)  \(event): \(life.phase) \(life.state) \(life.wish)"
        }
        report("\(id) is \(there), its life \(here)\(steps.joined())")
    }
}

extension Life.Standing {
    fileprivate init(_ status: TransferStatus, _ attempt: Int, due: Double) {
        self.init(due: due, attempt: UInt16(clamping: attempt), end: nil, wish: Life.Wish(), obstacle: .none)
        switch status {
        case .paused(.by(let origin)): wish.pause = Life.Origin(origin)
        case .paused(.question): obstacle = .question
        case .paused(.setAside(.predecessor)), .queued, .running, .waiting, .verifying: break
        case .paused(.noSpace), .paused(.setAside): obstacle = .space
        case .retrying: obstacle = .retry
        case .completed: end = .completed
        case .failed: end = .failed
        case .cancelled(_, _, let origin): (end, wish.pause) = (.cancelled, origin.map(Life.Origin.init))
        }
    }
}

extension Life.Origin { init(_ origin: PauseOrigin) { self = origin == .queue ? .queue : .transfer } }
