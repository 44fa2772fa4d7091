// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
import TransferModel

/// Delivers a task's events to its observer: always on the session's delegate queue, in order.
struct TaskObserver: Sendable {
    enum Listener: Sendable {
        /// The session's delegate, looked up when an event is delivered.
        case delegate
        /// One closure for all events.
        case closure(@Sendable (TaskEvent) -> Void)
    }

    let listener: Listener
    let outbox: Outbox

    func deliver(_ events: [TaskEvent], of identifier: Int, session: TransferSession, ending: TaskEnding? = nil) {
        outbox.post(
            Delivery(events: events, identifier: identifier, listener: listener, session: session, ending: ending))
    }
}

/// Work on the delegate queue around a task's last events.
struct TaskEnding: Sendable {
    var receiver: (@Sendable (ResumeData?) -> Void)?
    var resumeData: ResumeData?
    /// A file to remove unless the observer took it, or resume data refers to it.
    var temporary: PartialFile?
    /// Called last, before the session releases the task.
    var afterwards: (@Sendable () -> Void)?
}

/// Something to be done on the delegate queue.
protocol DelegateJob: Sendable {
    func carryOut()
}

/// The events of a task in delivery. Retains the session until they are delivered.
struct Delivery: DelegateJob {
    var events: [TaskEvent]
    var identifier: Int
    var listener: TaskObserver.Listener
    var session: TransferSession
    var ending: TaskEnding?

    func carryOut() {
        if let ending { ending.receiver?(ending.resumeData) }
        // The program may end within the last call: files are in order before.
        for event in events {
            deliver(event)
            if case .finishedDownload = event { discardTemporary() }
        }
        guard let ending else { return }
        discardTemporary()
        ending.afterwards?()
        session.taskEnded(identifier)
    }

    private func deliver(_ event: TaskEvent) {
        guard case .closure(let closure) = listener else {
            return session.notifyDelegate([event], of: identifier)
        }
        // Events concurrent with the end are not delivered after it.
        guard session.guarded.withLock({ $0.tasks[identifier] != nil }) else { return }
        session.notifyTaskDelegate(event, of: identifier)
        if case .completed = event { session.saveWhatIsDue() }
        closure(event)
    }

    private func discardTemporary() {
        if let temporary = ending?.temporary, ending?.resumeData == nil { TemporaryFile.discard(temporary) }
    }
}

/// A question to a delegate. Not asked after the task's end was delivered.
struct Inquiry: DelegateJob {
    var identifier: Int
    var session: TransferSession
    var ask: @Sendable (TransferTask) -> Void

    func carryOut() {
        if let task = session.guarded.withLock({ $0.tasks[identifier] }) { ask(task) }
    }
}

/// Work items in posting order, from any thread. Only the first one wakes the delegate queue; items posted until it is
/// idle run in the same batch.
final class Outbox: Sendable {
    private struct Guarded {
        var jobs: [any DelegateJob] = []
        var isDraining = false
    }

    let queue: DispatchQueue
    private let guarded = Mutex(Guarded())

    init(queue: DispatchQueue) { self.queue = queue }

    func post(_ job: any DelegateJob) {
        let mustWake = guarded.withLock { guarded in
            guarded.jobs.append(job)
            defer { guarded.isDraining = true }
            return !guarded.isDraining
        }
        if mustWake { queue.async { self.drain() } }
    }

    /// One batch per turn, so that other users of the queue get turns.
    private func drain() {
        let batch = guarded.withLock { guarded in
            defer { guarded.jobs.removeAll(keepingCapacity: true) }
            guarded.isDraining = !guarded.jobs.isEmpty
            return guarded.jobs
        }
        if batch.isEmpty { return }
        for job in batch { job.carryOut() }
        queue.async { self.drain() }
    }
}
