// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// When collected events are sent: the first immediately, those that follow closely together a moment later, and
/// immediately once nothing runs any more. Pure.
struct FlushPace {
    private static let interval = 0.02
    private var last = -Double.infinity
    private var planned: Double?

    /// - Returns: seconds until a flush to schedule; `nil` if one is scheduled early enough.
    mutating func pauseBeforeFlush(at now: Double, isIdle: Bool) -> Double? {
        let time = isIdle ? now : max(now, last + Self.interval)
        if let planned, planned <= time { return nil }
        planned = time
        return time - now
    }

    mutating func flushed(at now: Double) {
        last = now
        planned = nil
    }
}

/// The listeners of a queue.
struct UpdateHub {
    /// Unread events, and IDs of other updates, over which a listener gets a snapshot instead.
    static let limit = 1 << 16
    private var listeners: [UpdateFeed] = []
    private var pending: [TransferEvent] = []
    private var hasFinished = false

    var hasListeners: Bool { !listeners.isEmpty }

    mutating func add(_ listener: UpdateFeed, first: QueueSnapshot) {
        flush()
        _ = listener.push(.snapshot(first), cost: 0)
        if hasFinished { listener.finish() } else { listeners.append(listener) }
    }

    mutating func remove(_ listener: UpdateFeed) { listeners.removeAll { $0 === listener } }

    /// Collects the event; ``flush()`` sends all together.
    mutating func post(_ event: TransferEvent) {
        if hasListeners { pending.append(event) }
    }

    mutating func post(_ update: QueueUpdate) {
        flush()
        let cost =
            switch update {
            case .order(let ids), .removed(let ids): max(1, ids.count)
            default: 1
            }
        send(update, cost: cost)
    }

    mutating func flush() {
        guard !pending.isEmpty else { return }
        send(.events(pending), cost: pending.count)
        pending.removeAll(keepingCapacity: true)
    }

    mutating func finish() {
        flush()
        for listener in listeners { listener.finish() }
        listeners.removeAll()
        hasFinished = true
    }

    /// One that has fallen behind returns with ``add(_:first:)``.
    private mutating func send(_ update: QueueUpdate, cost: Int) {
        listeners.removeAll { $0.push(update, cost: cost) }
    }
}
