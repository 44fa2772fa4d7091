// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
public import SessionCore
public import TransferControl
public import TransferModel
public import TransferStore

/// A queue that outlives its process: every transfer is in a store before its id is given away, and what happens to it is written
/// down as it happens.
///
/// After an end of any kind, opening it again finds each transfer in its right state, and what was running goes on by itself.
public final class DurableQueue: QueueClient {
    let core: QueueCore
    /// Calls that change the store wait here for the disk, one after the other.
    let storing = DispatchQueue(label: "fileq.queue.storing")
    let store: TransferStore
    let journal: QueueJournal
    private let scheduler: any Scheduler
    private let report: @Sendable (TransferError) -> Void

    /// Opens the queue and starts what may start.
    /// - Parameters:
    ///   - store: becomes the queue's own; ``shutDown()`` closes it.
    ///   - transport: becomes the queue's own.
    ///   - configuration: its limits hold until others are set; those are kept.
    ///   - bootID: the kernel's, which tells what of unsynced bytes may be trusted.
    ///   - crashes: what earlier processes crashed under; `nil`: that is not asked.
    /// - Throws: where the store cannot be read.
    public init(store: TransferStore, transport: any Transport, configuration: LocalQueue.Configuration = .init(),
                session: TransferConfiguration = .init(), scheduler: any Scheduler = SystemScheduler(),
                bootID: String? = BootID.current, crashes: CrashLedger? = nil) throws(TransferError) {
        var configuration = configuration
        var timetable: LimitTimetable?
        if let settings = try store.settings() {
            configuration.limits = QueueLimits(concurrent: settings.concurrent, perHost: settings.perHost, download: settings.download,
                                               upload: settings.upload)
            timetable = settings.timetable.flatMap { try? LimitTimetable($0) }
        }
        try store.pruneHistory(HistoryLimits(), time: scheduler.wallNow)
        let recovery = try QueueRecovery(store: store, bootID: bootID, time: scheduler.wallNow, condemned: crashes?.condemned ?? [])
        journal = QueueJournal(store: store, scheduler: scheduler, pasts: recovery.pasts, crashes: crashes, report: configuration.report)
        core = QueueCore(transport: transport, configuration: configuration, session: session, scheduler: scheduler, journal: journal)
        (self.store, self.scheduler, report) = (store, scheduler, configuration.report)
        let (coordinator, report) = (core.coordinator, report)
        core.work.sync {
            if let timetable { coordinator.setTimetable(timetable) }
            coordinator.settingsChanged = { limits, timetable in
                let settings = StoreSettings(concurrent: limits.concurrent, perHost: limits.perHost, download: limits.download,
                                             upload: limits.upload, timetable: timetable.entries.isEmpty ? nil : timetable.text)
                coordinator.keeping.async {
                    do throws(TransferError) { try store.keep(settings) } catch { report(error) }
                }
            }
            coordinator.restore(recovery)
        }
    }

    // MARK: Asked for by anybody

    public func add(_ descriptions: [Spec], on terms: QueueTerms) async throws -> [TransferID] {
        let now = scheduler.wallNow
        let new = descriptions.map { description in
            var new = NewTransfer(description, file: Job.file(of: description), addedAt: now, session: terms.session)
            new.isPaused = terms.paused
            (new.earliestBeginAt, new.isDiscretionary) = (terms.earliestBegin, terms.isDiscretionary)
            new.taskDescription = terms.taskDescription
            return new
        }
        return try await onStore { queue throws(TransferError) in
            let stored = try queue.store.add(new)
            queue.core.work.sync { queue.core.coordinator.takeIn(stored, Array(descriptions.prefix(DescriptionShelf.portion))) }
            // What a long list took on its way is not kept for the next one.
            if stored.count >= 10_000 { queue.storing.async { clinux_trim_memory() } }
            return stored.map(\.id)
        }
    }

    public func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if command == .remove {
            _ = try await forget(ids)
            return
        }
        if command == .dismiss { return try await dismiss(ids) }
        try await readmit(ids)
        try await core.run { coordinator in Result { try coordinator.perform(command, on: ids) } }.get()
        if case .cancel = command { await stopped(ids) }
        try await answerFor()
    }

    public func setLimits(_ limits: QueueLimits) async throws {
        try limits.validate()
        await core.run { $0.setLimits(limits) }
        try await answerFor()
    }

    /// The limits with the rates that hold at this hour, by the timetable.
    public func limitsInForce() async -> QueueLimits {
        await core.run { coordinator in
            var limits = coordinator.queue.limits
            if let rates = coordinator.rates { (limits.download, limits.upload) = (rates.download, rates.upload) }
            return limits
        }
    }

    public func timetable() async throws -> LimitTimetable { await core.run { $0.timetable } }

    public func setTimetable(_ timetable: LimitTimetable) async throws {
        try timetable.validate()
        await core.run { $0.setTimetable(timetable) }
        try await answerFor()
    }

    /// What was asked for and answered holds, whatever becomes of the process.
    private func answerFor() async throws {
        let keeping = core.coordinator.keeping
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in keeping.async { done.resume() } }
        try await journal.writer.settle()
    }

    /// Returns when those that are being cancelled have ended: until then they would go on in another process.
    private func stopped(_ ids: [TransferID]) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = core.coordinator
            core.work.async { coordinator.whenStopped(ids) { done.resume() } }
        }
    }

    public func snapshot() async throws -> QueueSnapshot { await core.run { $0.snapshot } }

    public func updates() -> AsyncStream<QueueUpdate> { core.updates() }

    /// Stops cleanly: what runs is ended with everything kept, each transfer goes on when the queue is opened again, and the streams
    /// of updates end. Returns when all of it is in the store, which is closed.
    public func shutDown() async {
        await core.shutDown()
        let (storing, keeping) = (storing, core.coordinator.keeping)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            storing.async { keeping.async { done.resume() } }
        }
        do throws(TransferError) { try await journal.writer.flush() } catch { report(error) }
        store.close()
    }
}
