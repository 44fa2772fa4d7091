// SPDX-License-Identifier: MIT

public import TransferControl
public import TransferModel

/// The queue as a value: who is in it, in which order, in which state, and who may start. Pure.
///
/// Its snapshots are the one record of every transfer's state; whoever carries transfers out changes them through
/// ``update(_:_:)`` and keeps no copy.
public struct TransferQueue: Sendable {
    public private(set) var order: [TransferID] = []
    public var limits: QueueLimits
    private var transfers: [TransferID: TransferSnapshot] = [:]
    private var nextID = 1
    private var occupied = 0
    private var waiting = 0
    /// Nobody before this place in `order` is queued: where the search for the next to start begins.
    private var searchStart = 0

    /// How many may wait for the network before no more are started: enough for several hosts, of which some can be
    /// reached, and few enough for each to try now and then.
    static let maximumWaiting = 64

    public init(limits: QueueLimits = .init()) { self.limits = limits }

    public subscript(id: TransferID) -> TransferSnapshot? { transfers[id] }
    public var isEmpty: Bool { order.isEmpty }
    public var snapshot: QueueSnapshot { QueueSnapshot(transfers: order.compactMap { transfers[$0] }, limits: limits) }

    /// Whether one more may run.
    var hasPlace: Bool { occupied < limits.concurrent }

    /// Whether anything runs now.
    public var isBusy: Bool { occupied > 0 }

    /// Whether nothing will happen any more unless somebody asks for it.
    public var isSettled: Bool { transfers.values.allSatisfy { $0.state.isEnded || $0.state == .paused } }

    /// Adds to the end.
    public mutating func add(_ make: (TransferID) -> TransferSnapshot) -> TransferID {
        let id = TransferID(rawValue: nextID)
        nextID += 1
        let transfer = make(id)
        count(transfer.state, 1)
        transfers[id] = transfer
        order.append(id)
        return id
    }

    /// Adds a transfer that has its id already, to the end.
    public mutating func add(_ transfer: TransferSnapshot) {
        nextID = max(nextID, transfer.id.rawValue + 1)
        count(transfer.state, 1)
        transfers[transfer.id] = transfer
        order.append(transfer.id)
    }

    /// Takes what a store remembers, in its order.
    public mutating func restore(_ transfers: [TransferSnapshot]) {
        order.reserveCapacity(transfers.count)
        for transfer in transfers { add(transfer) }
    }

    /// Those that are queued, in the order in which they start, at most so many.
    public func upcoming(_ count: Int) -> [TransferID] {
        Array(order[min(searchStart, order.count)...].lazy.filter { transfers[$0]?.state == .queued }.prefix(count))
    }

    /// Changes a transfer's record. A change of state that ``TransferModel/TransferState/canBecome(_:)`` forbids is left
    /// out, with all that came with it. What is said of a wait ends with it.
    /// - Returns: the record afterwards; `nil` when nothing was changed.
    @discardableResult
    public mutating func update(_ id: TransferID, _ change: (inout TransferSnapshot) -> Void) -> TransferSnapshot? {
        guard let old = transfers[id] else { return nil }
        var new = old
        change(&new)
        guard old.state == new.state || old.state.canBecome(new.state) else { return nil }
        if new.state != .waiting { (new.waitingSince, new.unavailableReason, new.advice) = (nil, nil, nil) }
        count(old.state, -1)
        count(new.state, 1)
        transfers[id] = new
        if new.state == .queued, old.state != .queued { searchStart = 0 }
        return new
    }

    /// The next transfer that has a place: the first queued one in order while fewer than the limit run.
    ///
    /// A paused or retrying one never holds up those behind it, nor does one that waits, but for very many of them.
    public mutating func nextToStart() -> TransferID? {
        guard hasPlace, waiting < Self.maximumWaiting else { return nil }
        while searchStart < order.count {
            let id = order[searchStart]
            if transfers[id]?.state == .queued { return id }
            searchStart += 1
        }
        return nil
    }

    private mutating func count(_ state: TransferState, _ change: Int) {
        if state.occupiesPlace { occupied += change }
        if state == .waiting { waiting += change }
    }

    /// - Returns: whether the order changed.
    public mutating func move(_ id: TransferID, _ move: QueueMove) -> Bool {
        guard let place = order.firstIndex(of: id) else { return false }
        let target = switch move {
        case .top: 0
        case .up: max(0, place - 1)
        case .down: min(order.count - 1, place + 1)
        case .bottom: order.count - 1
        }
        guard target != place else { return false }
        order.remove(at: place)
        order.insert(id, at: target)
        searchStart = 0
        return true
    }

    /// Forgets transfers that have ended; others stay.
    /// - Returns: those that were forgotten.
    public mutating func remove(_ ids: [TransferID]) -> [TransferID] {
        let gone = Set(ids.filter { transfers[$0]?.state.isEnded == true })
        guard !gone.isEmpty else { return [] }
        order.removeAll(where: gone.contains)
        for id in gone { transfers[id] = nil }
        searchStart = 0
        return ids.filter(gone.contains)
    }
}
