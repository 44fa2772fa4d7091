// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The listeners of a queue. Used on the queue's own dispatch queue alone.
struct UpdateHub {
    private var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
    private var nextKey = 0
    private var pending: [TransferEvent] = []

    var isHeard: Bool { !listeners.isEmpty }

    mutating func add(_ listener: AsyncStream<QueueUpdate>.Continuation, first: QueueSnapshot) -> Int {
        flush()
        nextKey += 1
        listeners[nextKey] = listener
        listener.yield(.snapshot(first))
        return nextKey
    }

    mutating func remove(_ key: Int) { listeners[key] = nil }

    /// Events are gathered and go out together with ``flush()``.
    mutating func post(_ event: TransferEvent) {
        if isHeard { pending.append(event) }
    }

    mutating func post(_ update: QueueUpdate) {
        flush()
        for listener in listeners.values { listener.yield(update) }
    }

    mutating func flush() {
        guard !pending.isEmpty else { return }
        for listener in listeners.values { listener.yield(.events(pending)) }
        pending.removeAll(keepingCapacity: true)
    }

    mutating func finish() {
        flush()
        for listener in listeners.values { listener.finish() }
        listeners.removeAll()
    }
}
