// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// Changes of records, and their observers.
extension Coordinator {
    /// Which program a change runs.
    enum Program {
        /// The program for its cause, if any.
        case ofCause
        case of(HookEvent)
        case none
    }

    /// The only place that changes a transfer's record. It notifies the observers: the journal, then log and
    /// listeners, then hooks, which run after the store has committed. None of them blocks here.
    ///
    /// Not for changes of the order: the queue makes those itself.
    /// - Parameters:
    ///   - cause: what happened; `nil`: not an event of its own, the next cause carries the change.
    ///   - isRecorded: false for what the next process need not know; a hook is run for a recorded change alone.
    ///   - isAnnounced: false for what another change follows at once: no client sees it, and no hook is run.
    /// - Returns: false if nothing was changed and nothing is reported: the transfer is unknown, its state cannot
    /// become that one (``TransferModel/TransferState/canBecome(_:)``), or the queue has ended.
    @discardableResult
    func update(
        _ id: TransferID, _ cause: TransferEvent.Name? = nil, program: Program = .ofCause, isRecorded: Bool = true,
        isAnnounced: Bool = true, _ change: (inout Transfer) -> Void = { _ in }
    ) -> Bool {
        guard !hasEnded, let transfer = queue.update(id, change) else { return false }
        if !moves.isEmpty, moves[id] != nil { followMove(id, transfer.state) }
        guard let cause else { return true }
        if cause != .progress, samplers.contains(id) {
            samplers.setRunning(transfer.state == .running, id, at: scheduler.now)
        }
        let event: HookEvent? =
            switch isAnnounced ? program : .none {
            case .ofCause: HookEvent(cause)
            case .of(let event): event
            case .none: nil
            }
        let committed = isShuttingDown ? nil : event.flatMap { hooks?.post($0, transfer, awaitsCommit: true) }
        if !isRecorded, committed == nil {
            journal.crashes?.note(transfer, at: scheduler.now)
        } else if committing[id] == nil {
            // The last write for a completed transfer is its completion.
            journal.note(recorded(transfer), cause, runs[id], then: committed)
        } else {
            if cause == .changed { completionChanged(id, transfer) }
            committed?(nil)
        }
        clearSuspect(id)
        if isAnnounced { announce(cause, transfer) }
        if cause != .progress {
            changed(transfer)
            configuration.inhibitor?.setBusy(queue.isBusy)
        }
        return true
    }

    func report(_ change: TransferQueue.Reordering) {
        for id in change.reprioritized { update(id, .changed) }
        if change.isOrderChanged { hub.post(.order(queue.order)) }
    }

    /// Events close together are sent together.
    func announce(_ name: TransferEvent.Name, _ id: TransferID) {
        guard log != nil || hub.hasListeners, let transfer = queue[id] else { return }
        announce(name, transfer)
    }

    /// - Parameter isNew: whether the transfer was added.
    func announce(_ name: TransferEvent.Name, _ transfer: Transfer, isNew: Bool = false) {
        guard log != nil || hub.hasListeners else { return }
        let now = scheduler.wallNow
        log?.note(name, transfer, isNew: isNew, at: now)
        guard hub.hasListeners else { return }
        hub.post(TransferEvent(time: now, name: name, transfer: transfer))
        guard let pause = flushing.pauseBeforeFlush(at: scheduler.now, isIdle: !queue.isBusy) else { return }
        let flush: @EngineActor @Sendable () -> Void = { [self] in
            flushing.flushed(at: scheduler.now)
            hub.flush()
        }
        if pause > 0 { EngineActor.async(after: pause, flush) } else { EngineActor.async(flush) }
    }

    // MARK: Listeners

    func listen(_ listener: UpdateFeed) { hub.add(listener, first: queue.snapshot) }
}
