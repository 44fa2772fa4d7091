// SPDX-License-Identifier: MIT

import TransferModel
import TransferService

/// Two downloads with one final path, and so with one partial file: each executor knows what the other has. Replies
/// arrive at once, as ``LifeWorld`` has those under way.
struct LifePair: Explorable {
    enum Bug: String, CaseIterable { case lockIgnored, deletesOthers, replacesName, lockForgotten }

    enum Move: Hashable {
        case happen(Int, Life.Event)
        case reply(Int, LifeReply)
    }

    private struct Side {
        var life = Life([.syncs, .isUnfit])
        var op: Life.Op?
        var isMoving = false
        /// It has a name that the other does not want.
        var hasOtherName = false
        /// All its bytes are in the partial file.
        var isWhole = false
        var isSpared = false
    }

    private struct Sides {
        private var first = Side()
        private var second = Side()

        subscript(index: Int) -> Side {
            get { index == 0 ? first : second }
            set { if index == 0 { first = newValue } else { second = newValue } }
        }

        func allSatisfy(_ condition: (Side) -> Bool) -> Bool { condition(first) && condition(second) }
    }

    private var sides = Sides()
    /// The sides that have locked the partial file, have written it, and have the name.
    private var lock: Int?
    private var writer: Int?
    private var named: Int?
    private var hasFaults = true

    var key: ExplorationKey {
        var key = ExplorationKey()
        for index in 0...1 {
            let side = sides[index]
            key.add(side.life)
            key.add(side.op.map { $0.rawValue + 1 } ?? 0, 4)
            key.add(side.isMoving)
            key.add(side.hasOtherName)
            key.add(side.isWhole)
            key.add(side.isSpared)
        }
        key.add(lock.map { $0 + 1 } ?? 0, 2)
        key.add(writer.map { $0 + 1 } ?? 0, 2)
        key.add(named.map { $0 + 1 } ?? 0, 2)
        key.add(hasFaults)
        return key
    }

    mutating func calm() { hasFaults = false }
    var isDone: Bool { sides.allSatisfy { $0.life.state == .completed } }

    func calmMove(_ bug: Bug?) -> Move {
        var found: [Move] = []
        moves(bug, &found)
        for case .reply(let index, let reply) in found { return .reply(index, reply) }
        for case .happen(let index, .due) in found { return .happen(index, .due) }
        for case .happen(let index, .slot) in found { return .happen(index, .slot) }
        let index = sides[0].life.state == .completed ? 1 : 0
        return .happen(index, sides[index].life.state == .paused ? .resume : .retry)
    }

    // MARK: What can happen

    func moves(_ bug: Bug?, _ found: inout [Move]) {
        found.removeAll(keepingCapacity: true)
        for index in 0...1 {
            let side = sides[index]
            for reply in replies(of: side, index, bug) { found.append(.reply(index, reply)) }
            if side.life.need == .line { found.append(.happen(index, .slot)) }
            if side.life.due < .infinity { found.append(.happen(index, .due)) }
            guard hasFaults else { continue }
            let commands: [Life.Event] = [
                .pause(.transfer), .resume, .cancel(.keeping), .cancel(.discarding), .retry,
            ]
            for command in commands { found.append(.happen(index, command)) }
        }
    }

    private func replies(of side: Side, _ index: Int, _ bug: Bug?) -> [LifeReply] {
        let isAlone = side.hasOtherName || lock == nil || lock == index || bug == .lockIgnored
        let isFree = side.hasOtherName || named == nil || named == index || bug == .replacesName
        switch side.op {
        // Another name is free in any case; that some are refused is a matter of options.
        case .open: return isFree ? (isAlone ? [.ready] : [.openFailed, .openFailedForNow]) : [.exists, .openFailed]
        case .attempt:
            if !side.isMoving, side.life.phase == .stopping { return [.stopped] }
            return hasFaults ? [.whole, .failed, .failedForNow, .asks] : [.whole]
        case .secure: return hasFaults ? [.durable, .unrecorded] : [.durable]
        case .name where isFree: return hasFaults ? [.named, .refused] : [.named]
        case .name: return [.takesOtherName, .nameSpared, .refused]
        case .commit: return [.committed]
        case .remove: return [.removed]
        case .digest, .copy, .stock, nil: return []
        }
    }

    // MARK: What happens

    mutating func make(_ move: Move, _ bug: Bug?, _ out: inout Life.Effects) throws(LifeViolation) {
        var context = Life.Context()
        context.hasSlot = true
        out.clear()
        let index: Int
        switch move {
        case .happen(let side, let event):
            index = side
            if event == .due { context.now = sides[index].life.due }
            guard sides[index].life.handle(event, context, &out) else { return }
        case .reply(let side, let reply):
            index = side
            try act(reply, index, bug)
            (sides[index].op, sides[index].isMoving) = (nil, false)
            sides[index].life.handle(reply.event, token: sides[index].life.serial, context, &out)
        }
        for effect in out.list { try carryOut(effect, index, bug) }
        try check(index)
    }

    private mutating func act(_ reply: LifeReply, _ index: Int, _ bug: Bug?) throws(LifeViolation) {
        let isShared = !sides[index].hasOtherName
        switch reply {
        case .openFailed where hasFaults == false: sides[index].hasOtherName = true
        case .ready where isShared:
            if writer != index { sides[index].isWhole = false }
            if let writer, writer != index { sides[writer].isWhole = false }
            (lock, writer) = (index, index)
        case .exists, .nameSpared: sides[index].isSpared = true
        case .whole: sides[index].isWhole = true
        case .takesOtherName: sides[index].hasOtherName = true
        case .named:
            guard sides[index].isWhole else { throw LifeViolation(invariant: "what is named is whole") }
            guard isShared else { break }
            if named != nil { throw LifeViolation(invariant: "no named file is replaced") }
            (named, writer) = (index, nil)
            if lock == index { lock = nil }
        case .removed where isShared:
            // Unless it is in use, or has the bytes of the other.
            if writer != index || lock != nil && lock != index, bug != .deletesOthers { break }
            if writer != index, writer != nil { throw LifeViolation(invariant: "no bytes of another are deleted") }
            writer = nil
            sides[index].isWhole = false
            if lock == index { lock = nil }
        default: break
        }
    }

    private mutating func carryOut(_ effect: Life.Effect, _ index: Int, _ bug: Bug?) throws(LifeViolation) {
        switch effect {
        case .begin(let op, _):
            if sides[index].op != nil { throw LifeViolation(invariant: "one operation at a time") }
            if op == .attempt, !sides[index].hasOtherName, lock != index {
                throw LifeViolation(invariant: "what is written is locked")
            }
            if op == .open { sides[index].isSpared = false }
            (sides[index].op, sides[index].isMoving) = (op, op == .attempt)
        case .resume: sides[index].isMoving = true
        case .suspend, .stop: sides[index].isMoving = false
        case .release: if lock == index, bug != .lockForgotten { lock = nil }
        case .withdraw: break
        }
    }

    private func check(_ index: Int) throws(LifeViolation) {
        let side = sides[index]
        if side.op != side.life.op { throw LifeViolation(invariant: "what is awaited is under way") }
        if lock == index, !side.life.facts.contains(.hasFiles) {
            throw LifeViolation(invariant: "what is locked is known")
        }
        if side.life.state == .completed, named != index, !side.hasOtherName, !side.isSpared {
            throw LifeViolation(invariant: "what is completed has its name")
        }
        if sides.allSatisfy({ $0.isMoving && !$0.hasOtherName }) {
            throw LifeViolation(invariant: "one writes a file at a time")
        }
    }

    func checkState(_ out: inout Life.Effects) throws(LifeViolation) {}
}
