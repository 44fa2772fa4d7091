// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// The way of a task's events to whoever listens: always through the session's delegate queue, in order.
struct TaskObserver: Sendable {
    enum Listener: Sendable {
        /// The session's delegate, looked up with the task when an event is delivered.
        case delegate
        /// One closure for all events.
        case closure(@Sendable (TaskEvent) -> Void)
    }

    let listener: Listener
    let outbox: Outbox

    func deliver(_ events: [TaskEvent], of identifier: Int, session: TransferSession, ending: TaskEnding? = nil) {
        outbox.post(Delivery(events: events, identifier: identifier, listener: listener, session: session, ending: ending))
    }
}

/// What remains to be done on the delegate queue around a task's last events.
struct TaskEnding: Sendable {
    var receiver: (@Sendable (ResumeData?) -> Void)?
    var resumeData: ResumeData?
    /// A file to remove unless its listener took it, or resume data refers to it.
    var temporary: PartialFile?
}

/// Events of one task on their way. Keeps the session alive until they have been told.
struct Delivery: Sendable {
    var events: [TaskEvent]
    var identifier: Int
    var listener: TaskObserver.Listener
    var session: TransferSession
    var ending: TaskEnding?

    /// On the delegate queue.
    func carryOut() {
        if let ending { ending.receiver?(ending.resumeData) }
        switch listener {
        case .closure(let closure): events.forEach(closure)
        case .delegate: session.tellDelegate(events, of: identifier)
        }
        guard let ending else { return }
        if let temporary = ending.temporary, ending.resumeData == nil { TemporaryFile.discard(temporary) }
        session.taskEnded(identifier)
    }
}

/// Deliveries in the order in which they were posted, from any thread. The delegate queue is woken for the first alone;
/// what is posted until it has worked all off goes along without waking anybody.
final class Outbox: Sendable {
    private struct Guarded {
        var deliveries: [Delivery] = []
        var isDraining = false
    }

    let queue: DispatchQueue
    private let guarded = Mutex(Guarded())

    init(queue: DispatchQueue) { self.queue = queue }

    func post(_ delivery: Delivery) {
        let mustWake = guarded.withLock { guarded in
            guarded.deliveries.append(delivery)
            defer { guarded.isDraining = true }
            return !guarded.isDraining
        }
        if mustWake { queue.async { self.drain() } }
    }

    /// One batch a turn, so that whoever else uses the queue has turns too.
    private func drain() {
        let batch = guarded.withLock { guarded in
            defer { guarded.deliveries.removeAll(keepingCapacity: true) }
            guarded.isDraining = !guarded.deliveries.isEmpty
            return guarded.deliveries
        }
        if batch.isEmpty { return }
        for delivery in batch { delivery.carryOut() }
        queue.async { self.drain() }
    }
}
