// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// Users revert commands: their own, or whatever was the last.
extension User {
    func planUndo() {
        guard world.swarm.has(.undo) else { return }
        for _ in 0..<origin.draw(1...6) {
            world.at(world.time()) { [self] in if origin.draw(0...2) == 0 { undo() } else { tryCommand() } }
        }
    }

    /// A command, and after a while its reversal.
    private func tryCommand() {
        // The reply to an undo identifies the command by its time.
        guard let queue = world.queue, ledger.isIdle, ledger.commandedAt < machine.now, !ledger.added.isEmpty
        else { return }
        let life = world.network.life
        let commands = ledger.commands
        Task { [self] in
            guard let before = try? await queue.snapshot(), life == world.network.life, !world.isEnding,
                ledger.isIdle, commands == ledger.commands
            else { return }
            begin(before)
        }
    }

    private func begin(_ before: QueueSnapshot) {
        let ids = ledger.added.keys.sorted().filter { _ in origin.draw(0...1) == 0 }
        let rate: Int? = origin.draw(0...1) == 0 ? nil : origin.draw(1000...100_000)
        switch origin.draw(0...15) {
        case 0, 1: trial(.perform(.pause, ids), before)
        case 2: trial(.perform(.hold, ids), before)
        case 3, 4: trial(.perform(.resume, ids), before)
        case 5, 6: trial(.perform(.cancel(deletingPartial: false), ids), before)
        case 7: trial(.perform(.move([.top, .up, .down, .bottom][origin.draw(0...3)]), ids), before)
        case 8: trial(.perform(.priority(Double(origin.draw(0...4)) / 4), ids), before)
        case 9: trial(.perform(.limit(rate), ids), before)
        case 10: trial(.perform(.schedule(rate == nil ? nil : machine.wallNow + 30), ids), before)
        case 11: trial(.hold(before.limits.isHeld != true), before)
        case 12: trial(.limits(randomLimits()), before)
        case 13: trial(.perform(.dismiss, ids.filter { ledger.states[$0]?.isEnded == true }), before)
        case 14: if world.swarm.has(.timetable), let old = ledger.timetables.known { trial(.timetable(old), before) }
        default: if let id = ids.first { trial(.relocate(id), before) }
        }
    }

    private func trial(_ deed: UndoLedger.Trial.Deed, _ before: QueueSnapshot) {
        var trial = UndoLedger.Trial(
            deed: deed, before: before, began: machine.wallNow, clock: ledger.undo.clock)
        let life = world.network.life
        let delay = Double([0, origin.draw(0...2), origin.draw(0...30)][origin.draw(0...2)])
        // Known once the command is under way.
        let commands = ledger.commands + 1
        trial.commands = commands
        let next: @Sendable () -> Void = { [self, trial] in
            world.at(machine.now + delay) { [self] in if life == world.network.life { undo(trial) } }
        }
        switch deed {
        case .perform(let command, let ids):
            guard !ids.isEmpty else { return }
            let promise: Ledger.Promise? =
                switch command {
                case .pause: .paused
                case .cancel: .cancelled
                default: nil
                }
            performOnce(command, ids, promise, then: next)
        case .hold(let wanted): holdOnce(wanted, then: next)
        case .limits(let limits):
            // The same once more changes nothing: an undo concerns the one before.
            var old = before.limits
            old.isHeld = nil
            let isSame = limits == old
            setLimits(limits, then: isSame ? nil : next)
        case .timetable(let old):
            let new = randomTimetable()
            setTimetable(new, then: new == old ? nil : next)
        case .relocate(let id): relocate(id, then: next)
        }
    }

    /// - Parameter trial: what is to be undone, unless something else was commanded since.
    func undo(_ trial: UndoLedger.Trial? = nil) {
        guard let queue = world.queue, !ledger.isChangingLimits, !ledger.clear.isClearing else { return }
        let life = world.network.life
        let isClean = trial?.commands == ledger.commands && ledger.isIdle
        ledger.mayUnclear()
        let ids = ledger.added.keys.sorted()
        ledger.beganUndo(ids)
        let commands = ledger.commands
        origin.allowAllRequests()
        origin.uploads.mayRepeat.formUnion(paths(ids))
        world.trace.met(.undo)
        world.trace.sometimes("command: undo")
        world.trace.note(machine.now, "command: undo \(isClean ? trial?.word ?? "" : "")")
        if origin.isFaulty, machine.random.once(in: 6) { world.killSoon(after: origin.draw(0...40)) }
        Task { [self] in
            var reply: UndoneCommand?
            var failure: (any Error)?
            do {
                if world.bug == .undoDropped, isClean, let trial {
                    reply = UndoneCommand(command: trial.word, performedAt: trial.began)
                } else {
                    reply = try await world.give(to: queue, mayBreak: false) { try await $0.undo() }
                }
                if world.bug == .undoneTwice { _ = try? await queue.undo() }
            } catch { failure = error }
            let code = (failure as? TransferError)?.code
            let count = ledger.timetables.count
            guard let timetable = try? await queue.timetable(), let snapshot = try? await queue.snapshot(),
                life == world.network.life
            else { return }
            let word = reply?.command ?? "\(code?.rawValue ?? -1)"
            world.trace.note(machine.now, "reply: undo \(word) \(Self.list(reply?.ids ?? []))")
            ledger.endedUndo(
                ids, snapshot, succeeded: failure == nil || code == .usage, undid: reply != nil)
            ledger.timetables.endedUndo(timetable, after: count, succeeded: failure == nil || code == .usage)
            guard !world.isEnding else { return }
            ledger.undo.ended(
                reply, snapshot, timetable, isClean && commands == ledger.commands ? trial : nil, commands: commands)
            await learnOrder(queue, life)
        }
    }
}
