// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What replies promised of the hold of the whole queue: while it is held nothing moves but what was resumed since, and
/// of any process that ends in between, all is held or nothing.
final class HoldLedger: @unchecked Sendable {  // Used on one thread.
    private let machine: Machine
    /// `nil`: commands are under way, or the next process shows it.
    private(set) var isHeld: Bool? = false
    /// Whether the next process must find it so.
    private var isStored = true
    /// Of the reply, on the wall clock of events.
    private var since = 0.0
    private var inFlight = 0
    /// Commands so far.
    private(set) var count = 0
    /// Those of earlier processes.
    private var earlierCount = 0
    /// The commands since there was none in flight; `nil` for each that failed.
    private var together: [Bool?] = []
    /// An undo was among them, which may have been of any effect.
    private var hasUndone = false
    private var resumesInFlight: [TransferID: Int] = [:]
    /// Resumed since the hold began: they may run.
    private var resumed: Set<TransferID> = []
    private var everResumed: Set<TransferID> = []
    /// Paused one by one as with the queue, which marks them so.
    private var heldAlone: Set<TransferID> = []

    init(_ machine: Machine) { self.machine = machine }

    private var trace: Trace { machine.trace }

    // MARK: Commands

    func began(_ wanted: Bool) {
        if inFlight == 0 { (together, hasUndone) = ([], false) }
        if wanted, isHeld == false { resumed = Set(resumesInFlight.keys) }
        inFlight += 1
        count += 1
        together.append(wanted)
        isHeld = nil
    }

    func ended(_ wanted: Bool, succeeded: Bool) {
        inFlight -= 1
        if !succeeded { together.append(nil) }
        guard inFlight == 0 else { return }
        isStored = !together.contains(nil)
        since = machine.wallNow
        // Of different ones at the same time, either may have been the last.
        if !hasUndone, together.allSatisfy({ $0 == wanted }) { isHeld = wanted }
    }

    var isIdle: Bool { inFlight == 0 && resumesInFlight.isEmpty }

    func beganUndo(_ ids: [TransferID]) {
        if inFlight == 0 { together = [] }
        hasUndone = true
        inFlight += 1
        count += 1
        isHeld = nil
        resumed.formUnion(ids)
        everResumed.formUnion(ids)
        heldAlone.formUnion(ids)
    }

    /// - Parameters:
    ///   - snapshot: taken after the reply.
    ///   - undid: `false`: there was nothing to undo, and nothing is stored.
    func endedUndo(_ snapshot: QueueSnapshot, succeeded: Bool, undid: Bool) {
        inFlight -= 1
        if !succeeded { together.append(nil) }
        guard inFlight == 0 else { return }
        if undid || !together.isEmpty { isStored = !together.contains(nil) }
        (since, isHeld) = (machine.wallNow, snapshot.limits.isHeld == true)
    }

    /// - Parameters:
    ///   - snapshot: taken after the reply.
    ///   - count: commands before it.
    func know(_ snapshot: QueueSnapshot, after count: Int) {
        guard inFlight == 0, count == self.count else { return }
        if isHeld == nil { isHeld = snapshot.limits.isHeld == true }
        check(snapshot, "after the reply")
    }

    func began(_ command: QueueCommand, _ ids: [TransferID]) {
        if command == .hold { heldAlone.formUnion(ids) }
        guard command == .resume else { return }
        for id in ids { resumesInFlight[id, default: 0] += 1 }
        resumed.formUnion(ids)
        everResumed.formUnion(ids)
    }

    func ended(_ command: QueueCommand, _ ids: [TransferID]) {
        guard command == .resume else { return }
        for id in ids {
            let count = (resumesInFlight[id] ?? 1) - 1
            resumesInFlight[id] = count > 0 ? count : nil
        }
    }

    func clockWasSet() { since = machine.wallNow }

    func forget(_ ids: [TransferID]) {
        (resumed, everResumed, heldAlone) = (
            resumed.subtracting(ids), everResumed.subtracting(ids), heldAlone.subtracting(ids)
        )
    }

    // MARK: Events

    /// Whether the hold promises it of a transfer, now.
    private func concerns(_ id: TransferID) -> Bool { isHeld == true && !resumed.contains(id) }

    private static func isKept(_ state: TransferState) -> Bool {
        state == .paused || state.isEnded || state == .verifying
    }

    /// - Parameters:
    ///   - old: `nil`: it was not known.
    ///   - time: on the wall clock.
    func observe(_ id: TransferID, _ state: TransferState, from old: TransferState?, at time: Double) {
        guard concerns(id), time > since, !Self.isKept(state) else { return }
        // One that was being added when the hold came is announced as it was stored, and does not start.
        if old == nil, state == .queued { return }
        trace.violate("held stays so", "\(id) is \(state.rawValue) in a queue that is held")
    }

    /// Bytes of a paused transfer moved: what was under way may arrive, not long after.
    func moved(_ id: TransferID, _ path: String) {
        guard concerns(id), machine.wallNow - since - 1 - 6 * machine.slowness.seconds > 0 else { return }
        trace.violate("nothing held moves", "\(path) moved long after the reply to the hold")
    }

    // MARK: The queue at one moment

    private func check(_ snapshot: QueueSnapshot, _ moment: String) {
        guard let isHeld else { return }
        if (snapshot.limits.isHeld == true) != isHeld {
            trace.violate("what a reply promised", "the queue is \(isHeld ? "not " : "")held \(moment)")
        }
        for transfer in snapshot.transfers {
            let (id, state) = (transfer.id, transfer.state)
            if concerns(id), !Self.isKept(state) {
                trace.violate("all held or none", "\(id) is \(state.rawValue) in a queue that is held, \(moment)")
            }
            if !isHeld, state == .paused, transfer.pausedBy == .queue, !heldAlone.contains(id) {
                trace.violate("all held or none", "\(id) is held in a queue that is not, \(moment)")
            }
        }
    }

    func restarted(after end: Ledger.End) {
        let isReverted = inFlight > 0 || !isStored || end == .powerCut
        if inFlight > 0 { trace.sometimes("hold: process ended") }
        (inFlight, together, resumesInFlight, earlierCount) = (0, [], [:], count)
        // A command may be reverted, and with it what was resumed before is again.
        if isReverted { (isHeld, resumed) = (nil, everResumed) }
    }

    /// The queue right after it was opened again.
    /// - Parameter isUntouched: no command was given meanwhile.
    func check(_ snapshot: QueueSnapshot, isUntouched: Bool) {
        guard inFlight == 0 else { return }
        // A command since may have had its reply before this snapshot, which is older.
        if isHeld == nil, count == earlierCount {
            (isHeld, isStored, since) = (snapshot.limits.isHeld == true, true, machine.wallNow)
        }
        if isUntouched { check(snapshot, "after a restart") }
    }
}
