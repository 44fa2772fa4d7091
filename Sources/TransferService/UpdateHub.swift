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
    private var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
    private var nextKey = 0
    private var pending: [TransferEvent] = []

    var hasListeners: Bool { !listeners.isEmpty }

    mutating func add(_ listener: AsyncStream<QueueUpdate>.Continuation, first: QueueSnapshot) -> Int {
        flush()
        nextKey += 1
        listeners[nextKey] = listener
        send(.snapshot(first), to: nextKey, listener)
        return nextKey
    }

    /// One that has left may never be removed: a stream that ends before its end is awaited does not report that.
    private mutating func send(
        _ update: QueueUpdate, to key: Int, _ listener: AsyncStream<QueueUpdate>.Continuation
    ) {
        if case .terminated = listener.yield(update) { listeners[key] = nil }
    }

    private mutating func send(_ update: QueueUpdate) {
        for (key, listener) in listeners { send(update, to: key, listener) }
    }

    mutating func remove(_ key: Int) { listeners[key] = nil }

    /// Collects the event; ``flush()`` sends all together.
    mutating func post(_ event: TransferEvent) {
        if hasListeners { pending.append(event) }
    }

    mutating func post(_ update: QueueUpdate) {
        flush()
        send(update)
    }

    mutating func flush() {
        guard !pending.isEmpty else { return }
        send(.events(pending))
        pending.removeAll(keepingCapacity: true)
    }

    mutating func finish() {
        flush()
        for listener in listeners.values { listener.finish() }
        listeners.removeAll()
    }
}
