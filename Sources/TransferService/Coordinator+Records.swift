// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Changes of transfers' records, and who observes them.
extension Coordinator {
    /// Which program a change runs.
    enum Program {
        /// The one that belongs to its cause, if any.
        case ofCause
        case of(HookEvent)
        case none
    }

    /// The only place that changes a transfer's record, and has its observers know: the journal, then listeners, then
    /// hooks, which run once the store has it. None of them waits here.
    ///
    /// Not for changes of the order: those are the queue's own.
    /// - Parameters:
    ///   - cause: what happened; `nil`: nothing that is told by itself, the next cause carries it.
    /// - Returns: false where nothing was changed, and nobody knows of it: the transfer is unknown, its state cannot
    ///   become that one (``TransferModel/TransferState/canBecome(_:)``), or the queue has ended.
    @discardableResult
    func update(
        _ id: TransferID, _ cause: TransferEvent.Name? = nil, program: Program = .ofCause,
        _ change: (inout Transfer) -> Void = { _ in }
    ) -> Bool {
        guard !hasEnded, let transfer = queue.update(id, change) else { return false }
        guard let cause else { return true }
        let event: HookEvent? =
            switch program {
            case .ofCause: HookEvent(cause)
            case .of(let event): event
            case .none: nil
            }
        let committed = isShuttingDown ? nil : event.flatMap { hooks?.post($0, transfer, awaitsCommit: true) }
        // What the store is given last of a completed transfer is that it is.
        if committing[id] == nil { journal.note(transfer, cause, runs[id], then: committed) } else { committed?(nil) }
        clearSuspect(id)
        announce(cause, transfer)
        return true
    }

    func tell(_ change: TransferQueue.Reordering) {
        for id in change.reprioritized { update(id, .changed) }
        if change.isOrderChanged { hub.post(.order(queue.order)) }
    }

    /// Events that come close together go out together.
    func announce(_ name: TransferEvent.Name, _ id: TransferID) {
        guard hub.isHeard, let transfer = queue[id] else { return }
        announce(name, transfer)
    }

    func announce(_ name: TransferEvent.Name, _ transfer: Transfer) {
        guard hub.isHeard else { return }
        hub.post(TransferEvent(time: scheduler.wallNow, name: name, transfer: transfer))
        guard let pause = flushing.pauseBeforeFlush(at: scheduler.now, isIdle: !queue.isBusy) else { return }
        let flush: @EngineActor @Sendable () -> Void = { [self] in
            flushing.flushed(at: scheduler.now)
            hub.flush()
        }
        if pause > 0 { EngineActor.async(after: pause, flush) } else { EngineActor.async(flush) }
    }

    // MARK: Listeners

    func listen(_ listener: AsyncStream<QueueUpdate>.Continuation) -> Int {
        if isShuttingDown { listener.finish() }
        return hub.add(listener, first: queue.snapshot)
    }

    func stopListening(_ key: Int) { hub.remove(key) }
}
