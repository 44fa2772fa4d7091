// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// Limits in bytes a second: what replies promised, against what the transport has while bytes move.
final class RateLedger: @unchecked Sendable {  // Used on one thread.
    private let machine: Machine
    /// Of single transfers, as events report them.
    private var rates: [TransferID: Int?] = [:]
    /// As replies have promised them: those of one command that nothing else was beside.
    private var promised: [TransferID: Int?] = [:]
    /// Since when all that was commanded is in force, but for jobs under way.
    private var changedAt = -Double.infinity
    private var inFlight = 0
    private var undos = 0
    private var underWay: [TransferID: Int] = [:]
    /// Had another command under way beside the one that is, or an undo: either may have been the last.
    private var mixed: Set<TransferID> = []

    init(_ machine: Machine) { self.machine = machine }

    private var trace: Trace { machine.trace }

    // MARK: Commands

    private func changed() { changedAt = machine.now }

    /// A command that may change limits; of those for all no transfers.
    func began(_ ids: [TransferID] = []) {
        changed()
        inFlight += 1
        for id in ids {
            promised[id] = nil
            if underWay[id, default: 0] > 0 || undos > 0 { mixed.insert(id) }
            underWay[id, default: 0] += 1
        }
    }

    /// - Parameter rate: of these transfers, from now on; outer `nil`: the reply promises nothing of them.
    func ended(_ ids: [TransferID] = [], rate: Int?? = .none) {
        changed()
        inFlight -= 1
        for id in ids {
            underWay[id, default: 1] -= 1
            guard underWay[id] == 0, mixed.remove(id) == nil, let rate else { continue }
            promised[id] = .some(rate)
        }
    }

    /// Whatever was limited before may be again.
    func beganUndo() {
        (promised, undos) = ([:], undos + 1)
        mixed.formUnion(underWay.filter { $0.value > 0 }.keys)
        began()
    }

    func endedUndo() {
        undos -= 1
        ended()
    }

    func restarted(after end: Ledger.End) {
        (rates, underWay, mixed, inFlight, undos) = ([:], [:], [], 0, 0)
        if end == .powerCut { promised = [:] }
        changed()
    }

    // MARK: Events

    func observe(_ transfer: Transfer) {
        let known = rates[transfer.id]
        guard known != .some(transfer.rateLimit) else { return }
        rates[transfer.id] = .some(transfer.rateLimit)
        changed()
    }

    /// The queue right after it was opened again.
    func check(_ snapshot: QueueSnapshot) {
        for transfer in snapshot.transfers {
            guard underWay[transfer.id, default: 0] == 0, let rate = promised[transfer.id], rate != transfer.rateLimit
            else { continue }
            trace.violate(
                "what a reply promised", "\(transfer.id) has the limit \(text(transfer.rateLimit)), not \(text(rate))")
        }
    }

    private func text(_ rate: Int?) -> String { rate.map(String.init) ?? "none" }

    /// Jobs that are late bring a limit to the transport, or a connection to its share.
    private var isSettled: Bool { inFlight == 0 && machine.now - changedAt > slack }
    var slack: Double { 2 + 6 * machine.slowness.seconds }

    /// Bytes of a transfer move.
    /// - Parameter exchanges: of all its connections: their limits, and when they began.
    func moved(_ id: TransferID, _ exchanges: [(rate: Int?, began: Double)]) {
        guard isSettled, case .some(.some(let limit)) = rates[id],
            exchanges.allSatisfy({ machine.now - $0.began > slack })
        else { return }
        trace.sometimes("rate: of a transfer")
        let together = exchanges.reduce(0.0) { $0 + ($1.rate.map(Double.init) ?? .infinity) }
        if together > Double(max(limit, exchanges.count)) {
            trace.violate("limits", "\(id) may have \(limit) bytes a second, and its connections have \(together)")
        }
    }

    /// Bytes of any transfer move, while the limits of all are known.
    func moved(_ limits: QueueLimits, transport rates: (download: Int?, upload: Int?)) {
        guard isSettled else { return }
        if limits.download != nil || limits.upload != nil { trace.sometimes("rate: of all") }
        if rates != (limits.download, limits.upload) {
            trace.violate(
                "limits",
                "all may have \(text(limits.download)) and \(text(limits.upload)) bytes a second, and the transport "
                    + "has \(text(rates.download)) and \(text(rates.upload))")
        }
    }
}
