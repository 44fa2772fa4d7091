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

    // MARK: Asked for by anybody

    package func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        try await core.add(descriptions, on: terms)
    }

    package func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        try await core.perform(command, on: ids)
    }

    package func setLimits(_ limits: QueueLimits) async throws { try await core.setLimits(limits) }

    package func setHeld(_ isHeld: Bool) async throws { try await core.setHeld(isHeld) }

    /// The limits with the current rates of the timetable.
    package func limitsInForce() async -> QueueLimits {
        await core.run { coordinator in
            var limits = coordinator.queue.limits
            if let rates = coordinator.rates { (limits.download, limits.upload) = (rates.download, rates.upload) }
            return limits
        }
    }

    package func limits() async throws -> QueueLimits { await core.run { $0.queue.limits } }

    package func undo() async throws -> UndoneCommand { try await core.undo() }

    package func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        await core.run { $0.rateReport(seconds: seconds, of: id) }
    }

    package func log(_ query: LogQuery) async throws -> LogPage { try await core.log(query) }

    package func timetable() async throws -> LimitTimetable { await core.run { $0.timetable } }

    package func setTimetable(_ timetable: LimitTimetable) async throws { try await core.setTimetable(timetable) }

    package func snapshot() async throws -> QueueSnapshot { await core.run { $0.snapshot } }

    package func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        await core.run { $0.queue.transfers(matching: filter) }
    }

    package func updates() -> AsyncStream<QueueUpdate> { core.updates() }

    package func info(_ id: TransferID) async throws -> TransferInfo { try await core.info(id) }

    package func history(_ query: HistoryQuery) async throws -> [HistoryEntry] { try await core.history(query) }

    package func clear(_ filter: QueueFilter) async throws -> Int { try await core.clear(filter) }

    @discardableResult
    package func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await core.relocate(id, to: place)
    }

    package func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await core.sessionEvents(of: session, limit: limit)
    }

    package func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        try await core.acknowledgeSessionEvents(of: session, upTo: sequence)
    }

    /// Stops cleanly: running transfers stop with everything saved and resume when the queue is opened again, and the
    /// streams of updates end. Returns when everything is in the store, which is closed.
    package func shutDown() async { await core.shutDown() }
}
