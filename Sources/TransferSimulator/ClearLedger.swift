// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What has left the list: dismissed transfers, which the history keeps, and those that were cleared from both.
final class ClearLedger: @unchecked Sendable {  // Used on one thread.
    struct Clear {
        var filter: QueueFilter
        /// Ended, and matching, when it was given.
        var matching: Set<TransferID>
        /// Of all users so far, it included.
        var commands: Int
        fileprivate var number: Int
    }

    private let machine: Machine
    private var clears: [Clear] = []
    private var count = 0
    /// Removals and dismissals of single transfers under way.
    private var single: [TransferID: Int] = [:]
    /// Of these, those that another command has returned since.
    private var returned: Set<TransferID> = []
    /// Not in the list, as a reply said.
    private(set) var dismissed: Set<TransferID> = []
    /// Removals or dismissals of them were given to this process.
    private var everSingle: Set<TransferID> = []
    /// May be in the history alone.
    private(set) var everDismissed: Set<TransferID> = []

    init(_ machine: Machine) { self.machine = machine }

    private var trace: Trace { machine.trace }

    var isClearing: Bool { !clears.isEmpty }

    // MARK: Commands

    func began(_ command: QueueCommand, _ ids: [TransferID]) {
        // Any command returns what only the history has.
        dismissed.subtract(ids)
        guard command == .dismiss || command == .remove else { return }
        if command == .dismiss { everDismissed.formUnion(ids) }
        for id in ids { single[id, default: 0] += 1 }
        everSingle.formUnion(ids)
    }

    /// - Parameter snapshot: taken after the reply.
    func ended(_ command: QueueCommand, _ ids: [TransferID], _ snapshot: QueueSnapshot, succeeded: Bool) {
        for id in ids { single[id, default: 1] -= 1 }
        let over = Set(ids.filter { single[$0] == 0 })
        defer { returned.subtract(over) }
        guard command == .dismiss, succeeded else { return }
        let listed = Set(snapshot.transfers.map(\.id))
        dismissed.formUnion(over.subtracting(listed).subtracting(returned))
    }

    func touched(_ ids: [TransferID]) {
        dismissed.subtract(ids)
        returned.formUnion(ids.filter { single[$0, default: 0] > 0 })
    }

    /// An undo may return them, to the history at least.
    func mayReturn(_ ids: some Sequence<TransferID>) { everDismissed.formUnion(ids) }

    func began(_ filter: QueueFilter, matching: Set<TransferID>, commands: Int) -> Clear {
        count += 1
        let clear = Clear(filter: filter, matching: matching, commands: commands, number: count)
        clears.append(clear)
        return clear
    }

    /// - Parameters:
    ///   - left: what queue and history have after the reply.
    ///   - commands: of all users by then.
    func ended(_ clear: Clear, _ left: Set<TransferID>, commands: Int, succeeded: Bool) {
        clears.removeAll { $0.number == clear.number }
        guard succeeded, commands == clear.commands else { return }
        trace.sometimes("cleared")
        for id in clear.matching.sorted() where left.contains(id) {
            trace.violate("cleared is gone", "\(id) is still there")
        }
    }

    // MARK: Events

    /// - Parameter state: the last that was reported of it.
    func left(_ id: TransferID, _ state: TransferState?) {
        guard let state else { return }
        guard state.isEnded else {
            return trace.violate("only what has ended leaves", "\(id) was \(state.rawValue)")
        }
        // That it was removed or dismissed may be reported after the reply.
        guard !everSingle.contains(id), !everDismissed.contains(id), !clears.isEmpty else { return }
        if !clears.contains(where: { Self.takes($0.filter, id, state) }) {
            trace.violate("only what matches is cleared", "\(id) was \(state.rawValue)")
        }
    }

    static func takes(_ filter: QueueFilter, _ id: TransferID, _ state: TransferState) -> Bool {
        filter.ids?.contains(id) != false && filter.states?.contains(state) != false
    }

    // MARK: The history

    /// - Parameters:
    ///   - entries: all pages, in their order.
    ///   - ended: what had ended before they were asked for, if nothing was commanded since.
    func check(_ entries: [HistoryEntry], ended: Set<TransferID>?, removed: Set<TransferID>) {
        trace.sometimes("history: read")
        var seen: Set<TransferID> = []
        for entry in entries {
            let transfer = entry.transfer
            if !transfer.state.isEnded {
                trace.violate("the history has what ended", "\(transfer.id) is \(transfer.state.rawValue)")
            }
            if removed.contains(transfer.id) {
                trace.violate("removed stays removed", "the history has \(transfer.id)")
            }
            if !seen.insert(transfer.id).inserted, ended != nil {
                trace.violate("the history has what ended", "\(transfer.id) is on two pages")
            }
        }
        for (entry, next) in zip(entries, entries.dropFirst())
        where (entry.endedAt, entry.transfer.id) <= (next.endedAt, next.transfer.id) && ended != nil {
            trace.violate("the history has what ended", "\(entry.transfer.id) is before \(next.transfer.id)")
        }
        for id in (ended ?? []).sorted() where !seen.contains(id) {
            trace.violate("the history has what ended", "it lacks \(id)")
        }
    }

    // MARK: The next process

    func restarted(after end: Ledger.End) {
        (clears, single, everSingle, returned) = ([], [:], [], [])
        if end == .powerCut { dismissed = [] }
    }

    /// - Parameter isUntouched: no command was given meanwhile.
    func check(_ snapshot: QueueSnapshot, isUntouched: Bool) {
        guard isUntouched, !dismissed.isEmpty else { return }
        trace.sometimes("dismissed: process ended")
        for transfer in snapshot.transfers where dismissed.contains(transfer.id) {
            trace.violate("dismissed stays away", "\(transfer.id) is in the list")
        }
    }
}
