// SPDX-License-Identifier: MIT

package import SessionCore
package import TransferControl
package import TransferModel
package import TransferStore

/// A queue that outlives its process. It stores every transfer before it returns the ID, and records every change
/// before it reports it.
///
/// However a process ends, the next one finds each transfer in its right state and resumes those that were running.
package final class DurableQueue: QueueClient {
    let core: QueueCore

    /// Opens the queue and starts the transfers that may start.
    /// - Parameters:
    ///   - store: owned by the queue; ``shutDown()`` closes it.
    ///   - transport: owned by the queue.
    ///   - configuration: its limits apply until others are set; those are stored.
    ///   - bootID: the kernel's; after another boot unsynced bytes are not trusted.
    ///   - crashes: the transfers during which earlier processes crashed; `nil`: not checked.
    /// - Throws: if the store cannot be read.
    package init(
        store: TransferStore, transport: any Transport, configuration: LocalQueue.Configuration = .init(),
        session: TransferConfiguration = .init(), scheduler: any Scheduler = SystemScheduler(),
        bootID: String? = BootID.current, crashes: CrashLedger? = nil
    ) throws(TransferError) {
        var configuration = configuration
        // The store has what they need.
        configuration.uploadRecords = nil
        var timetable: LimitTimetable?
        var isHoldUnfinished = false
        var copies: [Int: StoreCopy] = [:]
        if let settings = try store.settings() {
            configuration.limits = QueueLimits(
                concurrent: settings.concurrent, perHost: settings.perHost, download: settings.download,
                upload: settings.upload, isHeld: settings.isHeld)
            timetable = settings.timetable.flatMap { try? LimitTimetable($0) }
            isHoldUnfinished = settings.isHoldUnfinished == true
            copies = settings.copies ?? [:]
        }
        try store.pruneHistory(HistoryLimits(), time: scheduler.wallNow)
        var recovery = try QueueRecovery(
            store: store, bootID: bootID, time: scheduler.wallNow, condemned: crashes?.condemned ?? [])
        recovery.isHoldUnfinished = isHoldUnfinished
        recovery.endCopies(copies, store)
        core = QueueCore(
            policy: .durable, transport: transport, configuration: configuration, session: session,
            scheduler: scheduler,
            store: SQLiteStore(store, scheduler: scheduler, report: configuration.report), recovery: recovery,
            timetable: timetable, crashes: crashes)
        // A removed copy is not asked for again: another download may have files there by then.
        if !copies.isEmpty { EngineActor.sync { [core] in core.coordinator.storeSettings() } }
    }

    package func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply { try await core.call(call) }

    package func updates(of session: String?) -> AsyncStream<QueueUpdate> {
        core.updates().concerning(session: session)
    }

    /// The limits with the current rates of the timetable.
    package func limitsInForce() async -> QueueLimits {
        await core.run { coordinator in
            var limits = coordinator.queue.limits
            if let rates = coordinator.rates { (limits.download, limits.upload) = (rates.download, rates.upload) }
            return limits
        }
    }

    /// Compares the engine with the lives of its transfers (docs/dev/Life.md), between two of its turns.
    package func compareLives() { EngineActor.sync { [core] in core.coordinator.shadow?.compare() } }

    /// Stops cleanly: running transfers stop with everything saved and resume when the queue is opened again, and the
    /// streams of updates end. Returns when everything is in the store, which is closed.
    package func shutDown() async { await core.shutDown() }
}
