// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import SessionCore
import TransferControl
import TransferModel

/// What replies and events promised to clients, and what must therefore be true.
final class Ledger: @unchecked Sendable {  // Used on one thread.
    /// One transfer that a user asked for.
    final class Item: @unchecked Sendable {  // Used on one thread.
        enum Kind: Sendable { case download, upload }

        let kind: Kind
        /// Of the server.
        let path: String
        /// Here.
        let file: String
        /// Of an upload.
        let source: [UInt8]
        let isFixed: Bool
        /// `nil`: any, since it was relocated.
        var host: String?
        /// Another address of the server's file.
        let mirror: String?
        /// A field of its requests that only its server may see.
        let secret: String?
        /// Its server has a key that no authority vouches for.
        var isSecure = false
        /// Fails after two attempts in a row.
        var isImpatient = false

        init(
            _ kind: Kind, path: String, file: String, host: String, source: [UInt8] = [], isFixed: Bool = false,
            mirror: String? = nil, secret: String? = nil
        ) {
            (self.kind, self.path, self.file, self.host) = (kind, path, file, host)
            (self.source, self.isFixed, self.mirror, self.secret) = (source, isFixed, mirror, secret)
        }
    }

    /// What the reply to the last command on a transfer promised.
    enum Promise: String { case paused, cancelled, declined }

    let machine: Machine
    let origin: Origin
    let hold: HoldLedger
    let answers: AnswerLedger
    let undo: UndoLedger
    let clear: ClearLedger
    let rates: RateLedger
    let timetables: TimetableLedger
    let fetches: FetchLedger
    private(set) var items: [String: Item] = [:]
    /// Every ID that an `add` returned, until it is removed.
    var added: [TransferID: Item] = [:]
    var removed: Set<TransferID> = []
    /// Removed, as the present process has reported; events from before may come after the reply.
    var gone: Set<TransferID> = []
    /// Their removal was under way when a process ended: the next one shows whether they are gone.
    var undecided: Set<TransferID> = []
    /// By this process, and not added again since.
    var cleared: [TransferID: Item] = [:]
    /// Their removal has failed: that they were gone and are back may be reported after the reply.
    var returning: Set<TransferID> = []
    /// Under way; each may fail, and bring it back.
    var removals: [TransferID: Int] = [:]
    /// Commands of ``inFlight`` that remove. A removal is in ``removals`` until the list after it is known.
    var leaves: [TransferID: Int] = [:]
    private var highestID = 0
    /// Of earlier processes.
    private var highestEarlierID = 0
    /// As the present process reports them.
    private(set) var states: [TransferID: TransferState] = [:]
    /// The times of replies after which nothing was reported yet: what they changed may not be in `states`.
    var unreported: [TransferID: Double] = [:]
    private var completed: [TransferID: [UInt8]] = [:]
    /// With the time of the reply, on the wall clock of events.
    private var promises: [TransferID: (promise: Promise, at: Double)] = [:]
    var inFlight: [TransferID: Int] = [:]
    /// The promises of all commands since there was none in flight for the transfer.
    private var underWay: [TransferID: [Promise?]] = [:]
    /// The most transfers that may run: of the limits before and after, while a change is under way.
    var limits = QueueLimits()
    var limitsInFlight: [QueueLimits] = []
    /// All that were given since none was in flight: any of them may have been the last.
    private var limitsTogether: [QueueLimits] = []
    /// Of commands that failed, with the number of commands at that time.
    var unstoredLimits: [(limits: QueueLimits, ended: Int)] = []
    var areLimitsKnown = true
    private(set) var order: [TransferID]?
    var orderChanges = 0

    init(_ machine: Machine, _ origin: Origin) {
        (self.machine, self.origin, hold) = (machine, origin, HoldLedger(machine))
        (answers, undo, clear) = (AnswerLedger(machine, origin), UndoLedger(machine), ClearLedger(machine))
        (rates, timetables, fetches) = (RateLedger(machine), TimetableLedger(machine), FetchLedger(machine.trace))
    }

    private var trace: Trace { machine.trace }

    // MARK: Commands

    /// Under way.
    var undos = 0
    var relocations = 0
    var addsInFlight = 0
    func endedAdding() { addsInFlight -= 1 }

    func beganAdding() {
        addsInFlight += 1
        // The user may want the same once more.
        fetches.touched(nil)
        commands += 1
        orderChanges += 1
    }

    func asked(for item: Item) { items[item.file] = item }

    func added(_ id: TransferID, _ item: Item) {
        let isKnown = added[id].map { $0 === item }
        // Replies may overtake each other.
        if removed.contains(id) || isKnown == false || (isKnown == nil && id.rawValue <= highestEarlierID) {
            trace.violate("ids once", "\(id) was given again")
        }
        highestID = max(highestID, id.rawValue)
        added[id] = item
        order = nil
    }

    /// - Parameter promise: that of the reply.
    func began(_ ids: [TransferID], promising promise: Promise?) {
        commands += 1
        for id in ids {
            fetches.touched(added[id]?.path)
            inFlight[id, default: 0] += 1
            underWay[id, default: []].append(promise)
            promises[id] = nil
        }
        answers.touched(ids, isUnderWay: true)
        mayReturn(ids)
    }

    /// Of those that are under way, or were since this one was given.
    func isOnlyCommand(on id: TransferID) -> Bool { underWay[id]?.count == 1 }

    /// - Parameter promise: `nil` after a failure.
    func ended(_ ids: [TransferID], promising promise: Promise?) {
        for id in ids {
            fetches.touched(added[id]?.path)
            inFlight[id, default: 1] -= 1
            unreported[id] = machine.wallNow
            if promise == nil { underWay[id]?.append(nil) }
            guard inFlight[id] == 0, let together = underWay.removeValue(forKey: id) else { continue }
            // One that asks is paused already: an answer continues it.
            if promise == .paused, answers.isOpen(id) { continue }
            // Of different commands under way at the same time, any may have been the last; an undo concerns all, also
            // those that were added since it was given.
            guard let promise, undos == 0, together.allSatisfy({ $0 == promise }) else { continue }
            if states[id] == .verifying { trace.sometimes("command: while verifying") }
            promises[id] = (promise, machine.wallNow)
        }
        // An answer may be under way still.
        answers.touched(ids.filter { inFlight[$0] == 0 }, isUnderWay: false)
    }

    func beganHold(_ wanted: Bool) {
        commands += 1
        undo.began(wanted ? "hold" : "resume")
        hold.began(wanted)
    }

    /// - Parameter snapshot: taken after the reply.
    func couldNotRemove(_ ids: [TransferID], _ snapshot: QueueSnapshot) {
        let listed = Set(snapshot.transfers.map(\.id))
        for id in ids where !listed.contains(id) && inFlight[id] == 0 && added[id] != nil {
            // The history may have it alone, or a clearing was first.
            guard !clear.everDismissed.contains(id), !undecided.contains(id) else { continue }
            // Another command removes it, whose reply is not taken yet.
            guard removals[id, default: 0] == 0 else { continue }
            trace.violate("what was not removed stays", "\(id) is gone although its removal failed")
        }
    }

    func beganRemoving(_ ids: [TransferID]) { for id in ids { removals[id, default: 0] += 1 } }

    func endedRemoving(_ ids: [TransferID], succeeded: Bool) {
        for id in ids { removals[id, default: 1] -= 1 }
        guard !succeeded else { return }
        gone.subtract(ids)
        returning.formUnion(ids)
    }

    /// - Parameter snapshot: taken after the reply. What a retry had started before is still in the queue, and may not
    ///   have been reported as started yet.
    func wasRemoved(_ ids: [TransferID], _ snapshot: QueueSnapshot) {
        let started = Set(snapshot.transfers.filter { !$0.state.isEnded }.map(\.id))
        for id in ids where (states[id]?.isEnded == true || states[id] == nil) && !started.contains(id) {
            removed.insert(id)
            if let item = added.removeValue(forKey: id) { goneItems.append(item) }
        }
    }

    /// - Returns: its number, for ``endedLimits(_:number:succeeded:)``.
    func beganLimits(_ limits: QueueLimits) -> Int {
        (allowed, allowedPerHost) = (.max, .max)
        commands += 1
        undo.began("limits.set")
        rates.began()
        if limitsInFlight.isEmpty { limitsTogether = [] }
        limitsInFlight.append(limits)
        limitsTogether.append(limits)
        areLimitsKnown = false
        return commands
    }

    func endedLimits(_ limits: QueueLimits, number: Int, succeeded: Bool) {
        if let index = limitsInFlight.firstIndex(of: limits) { limitsInFlight.remove(at: index) }
        limitsEndedAt = machine.now
        rates.ended()
        // They are in force although they could not be stored.
        guard succeeded else { return unstoredLimits.append((limits, commands)) }
        self.limits = limits
        unstoredLimits.removeAll { $0.ended < number }
        if limitsInFlight.isEmpty {
            unstoredLimits += limitsTogether.filter { $0 != limits }.map { (limits: $0, ended: commands) }
        }
        areLimitsKnown = limitsInFlight.isEmpty && unstoredLimits.isEmpty
        trace.sometimes("limits: changed")
    }

    func knowsOrder(_ ids: [TransferID], changes: Int) {
        if changes == orderChanges, reorderings == 0, !isOrderLost { order = ids }
    }

    /// Until the reply the order may be that before or that after the change.
    func beganReordering() {
        orderChanges += 1
        reorderings += 1
        order = nil
    }

    func endedReordering() { reorderings -= 1 }
    var reorderings = 0

    /// A command failed whose effect may not be stored.
    func losesOrder() { (order, isOrderLost) = (nil, true) }
    private var isOrderLost = false

    // MARK: Events

    func take(_ update: QueueUpdate) {
        switch update {
        case .snapshot(let snapshot): for transfer in snapshot.transfers { observe(transfer, at: nil) }
        case .events(let events): for event in events { observe(event.transfer, at: event.time) }
        case .removed(let ids):
            for id in ids {
                clear.left(id, states[id])
                states[id] = nil
            }
            // A command under way, given before, may still return it from the history.
            if relocations == 0 {
                gone.formUnion(ids.filter { inFlight[$0, default: 0] <= leaves[$0, default: 0] })
            }
        case .order, .limits: break
        }
    }

    private func observe(_ transfer: Transfer, at time: Double?) {
        let (id, state) = (transfer.id, transfer.state)
        let old = states[id]
        if old != state {
            trace.note(
                machine.now, "\(id) \(state.rawValue) \(transfer.bytes)/\(transfer.total ?? -1)\(reason(transfer))")
            if let old, old.canBecome(state) { trace.became(state, from: old) }
        }
        if gone.contains(id), !returning.contains(id), removals[id, default: 0] == 0, time != nil {
            trace.violate("removed stays removed", "\(id) is \(state.rawValue)")
        }
        if let old, old != state, !Self.canReach(state, from: old) {
            trace.violate("table of states", "\(id): \(old.rawValue) to \(state.rawValue)")
        }
        states[id] = state
        rates.observe(transfer)
        if let time, let replied = unreported[id], time >= replied { unreported[id] = nil }
        if state == .verifying, old != .verifying, let item = added[id] { placing(item.path) }
        if let said = transfer.error?.message, said.contains(Secrets.mark) {
            trace.violate("secrets stay secret", "the error of \(id) has one")
        }
        if state == .completed, completed[id] == nil { complete(id, transfer) }
        if state == .cancelled, let item = added[id] { fetches.cancelled(item.file, from: old) }
        // It was paused already: it asked before.
        if state == .paused, transfer.question != nil, let at = promises[id]?.at, time ?? at <= at {
            promises[id] = nil
        }
        answers.observe(transfer, at: time)
        if let (promise, at) = promises[id], let time, time > at, machine.now > clockSetAt + 60 {
            check(promise, id, state)
        }
        if let time, machine.now > clockSetAt + 60 { hold.observe(id, state, from: old, at: time) }
    }

    private func reason(_ transfer: Transfer) -> String {
        guard let error = transfer.error, transfer.state == .failed || transfer.state == .retrying else { return "" }
        return " (\(error.code.name))"
    }

    private func check(_ promise: Promise, _ id: TransferID, _ state: TransferState) {
        let isKept: Bool =
            switch promise {
            case .paused: state == .paused || state.isEnded || state == .verifying
            case .cancelled: state.isEnded || state == .verifying
            case .declined: state.isEnded
            }
        if !isKept { trace.violate("\(promise.rawValue) stays so", "\(id) is \(state.rawValue)") }
    }

    /// Directly, or by a state that was not reported.
    private static func canReach(_ state: TransferState, from old: TransferState) -> Bool {
        old.canBecome(state)
            || TransferState.allCases.contains { old.canBecome($0) && $0.canBecome(state) && old != .completed }
    }

    /// At one moment. Those that ran when a limit was lowered continue.
    func checkLimits(_ transfers: [Transfer]) {
        guard undos == 0 else { return }
        // A small file that the transport had begun before it had the new limit is reported later.
        guard machine.now > limitsEndedAt + 1 + 6 * machine.slowness.seconds else { return }
        let running = transfers.filter { $0.state == .running }
        let inForce = inForce
        let limit = inForce.map(\.concurrent).max() ?? 1
        let most = max(limit, allowed)
        if running.count > most { trace.violate("limits", "\(running.count) run, \(most) may") }
        allowed = max(limit, min(allowed, running.count))
        if running.count > 1 { trace.sometimes("several run") }
        let limitPerHost = inForce.map { $0.perHost ?? .max }.max() ?? .max
        let perHost = max(limitPerHost, allowedPerHost)
        guard running.count > perHost else {
            allowedPerHost = max(limitPerHost, min(allowedPerHost, running.count))
            return
        }
        let byHost = Dictionary(grouping: running) { added[$0.id]?.host ?? "" }.mapValues(\.count)
        let peak = byHost.filter { !$0.key.isEmpty }.values.max() ?? 0
        if peak > perHost { trace.violate("limits", "\(peak) of one host run, \(perHost) may") }
        allowedPerHost = max(limitPerHost, min(allowedPerHost, peak))
    }

    private var inForce: [QueueLimits] { [limits] + limitsInFlight + unstoredLimits.map(\.limits) }
    private var limitsEndedAt = -Double.infinity
    var allowed = Int.max
    var allowedPerHost = Int.max

    /// Bytes of a path moved: not long after its pause, though what was under way may arrive.
    func moved(_ path: String) {
        for (id, promise) in promises where promise.promise != .declined && added[id]?.path == path {
            let late = machine.wallNow - promise.at - 1 - 6 * machine.slowness.seconds
            let word = promise.promise.rawValue
            guard late > 0, states[id]?.rawValue == word else { continue }
            trace.violate("a \(word) one does not move", "\(path) moved long after the reply")
        }
        if !answers.open.isEmpty { for (id, item) in added where item.path == path { answers.moved(id, path) } }
        guard hold.isHeld == true else { return }
        for (id, item) in added where item.path == path && states[id] == .paused { hold.moved(id, path) }
    }

    func sending(_ exchange: Exchange) {
        guard exchange.method == .put else { return }
        let id = added.first { $0.value.path == exchange.url.path }?.key
        fetches.check(exchange, isCommanded: isUndoing || id.map { inFlight[$0, default: 0] > 0 } ?? true)
    }

    /// Bytes of a path moved.
    func moved(_ path: String, below transport: SimulatedTransport) {
        if areLimitsKnown, let inForce = timetables.inForce(limits, slack: rates.slack) {
            rates.moved(inForce, transport: transport.rates)
        }
        guard let id = added.first(where: { $0.value.path == path })?.key else { return }
        rates.moved(id, transport.limits(of: path))
    }

    // MARK: Files

    private func complete(_ id: TransferID, _ transfer: Transfer) {
        guard let item = items[transfer.file] else { return }
        trace.sometimes(item.kind == .download ? "completed download" : "completed upload")
        switch item.kind {
        case .download:
            let bytes = checkFile(item) ?? []
            completed[id] = bytes
            if transfer.bytes != Int64(bytes.count) {
                trace.violate("completed has all its bytes", "\(id) has \(transfer.bytes) of \(bytes.count)")
            }
        case .upload:
            completed[id] = []
            if !origin.uploads.holds(item.source, at: item.path) {
                trace.violate("done means stored", "\(item.path) is not stored as it was sent")
            }
        }
    }

    /// A final name has the whole bytes of one version.
    @discardableResult
    private func checkFile(_ item: Item) -> [UInt8]? {
        guard let bytes = Files.read(item.file) else {
            trace.violate("final name", "\(item.path) is completed and has no file")
            return nil
        }
        if !origin.isVersion(bytes, of: item.path) {
            trace.violate("whole bytes of one version", "\(item.path): \(bytes.count) bytes are none of its versions")
        }
        return bytes
    }

    /// Right after a rename, or after a file without a name got one.
    func named(_ path: String, wasNameless: Bool) {
        guard let item = items[path], item.kind == .download else { return }
        if wasNameless {
            trace.sometimes("named at once")
            fetches.linked(path)
        }
        checkFile(item)
        placing(item.path)
    }

    /// The file of this path of the server is being verified, or was renamed.
    var placing: (String) -> Void = { _ in }

    func wasRemoved(_ item: Item) -> Bool { goneItems.contains { $0 === item } }
    var goneItems: [Item] = []

    /// Times of events before and after cannot be compared.
    func clockWasSet() {
        promises = promises.mapValues { ($0.promise, machine.wallNow) }
        hold.clockWasSet()
        answers.clockWasSet()
        undo.clockWasSet()
        timetables.clockWasSet()
        clockSetAt = machine.now
    }
    private var clockSetAt = -Double.infinity

    /// After a course.
    func end() { (items, added, completed, goneItems) = ([:], [:], [:], []) }

    /// Transfers that have left the queue, and their files, of a run that would fill the memory with them.
    func forget(_ ids: [TransferID]) {
        for id in ids {
            if let item = added.removeValue(forKey: id) { items[item.file] = nil }
            (states[id], completed[id], promises[id], inFlight[id], underWay[id]) = (nil, nil, nil, nil, nil)
        }
        hold.forget(ids)
        answers.forget(ids)
        // No event of those before can come any more.
        if gone.count > 20_000 { gone = gone.filter { $0.rawValue > highestID - 10_000 } }
    }

    // MARK: The next process

    enum End: String { case clean, kill, powerCut }

    func restarted(after end: End) {
        hold.restarted(after: end)
        answers.restarted(after: end)
        undo.restarted(after: end)
        rates.restarted(after: end)
        timetables.restarted(after: end)
        fetches.restarted()
        // A clearing takes what had ended when it was carried out, and what was added since it was given.
        if clear.isClearing { undecided.formUnion(added.keys) }
        clear.restarted(after: end)
        undecided.formUnion(removals.filter { $0.value > 0 }.keys)
        (states, gone, removals, returning, unreported, cleared) = ([:], [], [:], [], [:], [:])
        leaves = [:]
        highestEarlierID = highestID
        (inFlight, underWay) = ([:], [:])
        addsInFlight = 0
        (isOrderLost, reorderings) = (false, 0)
        if undos > 0 { areLimitsKnown = false }
        (undos, relocations) = (0, 0)
        if !limitsInFlight.isEmpty || !unstoredLimits.isEmpty { areLimitsKnown = false }
        (limitsInFlight, unstoredLimits) = ([], [])
        (allowed, allowedPerHost) = (.max, .max)
        if end == .powerCut {
            // Only what was flushed survives it. The end of an upload may be reverted: it is sent again, to the same
            // end.
            // One whose `add` had no reply is not known here.
            completed = completed.filter { added[$0.key]?.kind == .download }
            promises = [:]
            order = nil
            areLimitsKnown = false
        }
    }

    /// Takes note of transfers that were stored before the reply to `add` was lost.
    func adopt(_ snapshot: QueueSnapshot) {
        for transfer in snapshot.transfers where added[transfer.id] == nil && !removed.contains(transfer.id) {
            guard let item = items[transfer.file] else { continue }
            added[transfer.id] = item
            highestID = max(highestID, transfer.id.rawValue)
            trace.sometimes("add without a reply")
        }
    }

    /// What must be true of the queue when it is opened.
    struct Expectation {
        fileprivate var added: [TransferID]
        fileprivate var commands: Int
    }

    var expectation: Expectation { Expectation(added: added.keys.sorted(), commands: commands) }
    var commands = 0 { didSet { commandedAt = machine.now } }
    private(set) var commandedAt = -Double.infinity

    /// The queue right after it was opened again.
    /// - Parameter history: what it has; `nil`: not known, or not needed.
    func check(
        _ snapshot: QueueSnapshot, _ timetable: LimitTimetable, _ history: Set<TransferID>?, _ expected: Expectation
    ) {
        adopt(snapshot)
        let found = Dictionary(uniqueKeysWithValues: snapshot.transfers.map { ($0.id, $0) })
        decide(Set(found.keys).union(history ?? []))
        clear.check(snapshot, isUntouched: expected.commands == commands)
        for id in expected.added where found[id] == nil && !removed.contains(id) {
            // The history may have it alone.
            if clear.everDismissed.contains(id), history?.contains(id) ?? true { continue }
            trace.violate("added stays", "\(id) is gone after a restart")
        }
        let isUntouched = expected.commands == commands
        if isUntouched {
            for id in removed.sorted() where found[id] != nil {
                trace.violate("removed stays removed", "\(id) is back")
            }
        }
        for (id, bytes) in completed.sorted(by: { $0.key < $1.key }) where added[id] != nil {
            // The record of a download may be reverted: it is completed once more as soon as its name is synced.
            if isUntouched, let transfer = found[id], ![.completed, .verifying].contains(transfer.state) {
                trace.violate(
                    "completed stays completed",
                    "\(id) is \(transfer.state.rawValue)\(reason(transfer)) after a restart")
            }
            guard let item = added[id], item.kind == .download else { continue }
            if Files.read(item.file) != bytes { trace.violate("completed stays completed", "\(item.path) has changed") }
        }
        hold.check(snapshot, isUntouched: isUntouched)
        timetables.check(timetable, isUntouched: isUntouched)
        undo.check(snapshot, timetable, commands: commands, isUntouched: isUntouched)
        if isUntouched { rates.check(snapshot) }
        var stored = snapshot.limits
        stored.isHeld = nil
        if !areLimitsKnown, limitsInFlight.isEmpty, unstoredLimits.isEmpty { (limits, areLimitsKnown) = (stored, true) }
        // A command that was given meanwhile may be in the snapshot or not.
        guard isUntouched else { return }
        for (id, promise) in promises.sorted(by: { $0.key < $1.key }) {
            if let transfer = found[id] { check(promise.promise, id, transfer.state) }
        }
        if let order {
            let known = Set(order)
            let now = snapshot.transfers.map(\.id).filter(known.contains)
            let before = order.filter { found[$0] != nil }
            if now != before { trace.violate("order kept", "\(before) became \(now)") }
        }
        if areLimitsKnown, stored != limits {
            trace.violate("what a reply promised", "limits are \(stored) instead of \(limits)")
        }
    }
}
