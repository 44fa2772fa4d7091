// SPDX-License-Identifier: MIT

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
    private let work: DispatchQueue
    /// Calls that change the store wait here for the disk, one after the other.
    private let storing = DispatchQueue(label: "fileq.queue.storing")
    private let coordinator: Coordinator
    private let transport: any Transport
    private let session: TransferSession
    let store: TransferStore
    private let journal: QueueJournal
    private let scheduler: any Scheduler
    private let report: @Sendable (TransferError) -> Void
    private let hooks: HookRunner?

    /// Opens the queue and starts what may start.
    /// - Parameters:
    ///   - store: becomes the queue's own; ``shutDown()`` closes it.
    ///   - transport: becomes the queue's own.
    ///   - configuration: its limits hold until others are set; those are kept.
    ///   - bootID: the kernel's, which tells what of unsynced bytes may be trusted.
    /// - Throws: where the store cannot be read.
    public init(store: TransferStore, transport: any Transport, configuration: LocalQueue.Configuration = .init(),
                session sessionConfiguration: TransferConfiguration = .init(), scheduler: any Scheduler = SystemScheduler(),
                bootID: String? = BootID.current) throws(TransferError) {
        var configuration = configuration
        var timetable: LimitTimetable?
        if let settings = try store.settings() {
            configuration.limits = QueueLimits(concurrent: settings.concurrent, perHost: settings.perHost, download: settings.download,
                                               upload: settings.upload)
            timetable = settings.timetable.flatMap { try? LimitTimetable($0) }
        }
        try store.pruneHistory(HistoryLimits(), time: scheduler.wallNow)
        let recovery = try QueueRecovery(store: store, bootID: bootID, time: scheduler.wallNow)
        let work = DispatchQueue(label: "fileq.queue")
        journal = QueueJournal(store: store, scheduler: scheduler, pasts: recovery.pasts, report: configuration.report)
        coordinator = Coordinator(configuration: configuration, work: work, scheduler: scheduler,
                                  pathMonitor: sessionConfiguration.pathMonitor, journal: journal)
        var sessionConfiguration = sessionConfiguration
        sessionConfiguration.challengesTrustedServers = false
        if sessionConfiguration.trustStore == nil { sessionConfiguration.trustStore = TrustStore() }
        let session = TransferSession(configuration: sessionConfiguration, transport: transport, delegate: coordinator,
                                      delegateQueue: work, scheduler: scheduler)
        (self.work, self.store, self.transport, self.session) = (work, store, transport, session)
        (self.scheduler, report) = (scheduler, configuration.report)
        hooks = configuration.hooks
        let (coordinator, report) = (coordinator, report)
        work.sync {
            coordinator.attach(session)
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

    public func add(_ descriptions: [TransferDescription], on terms: QueueTerms) async throws -> [TransferID] {
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
            queue.work.sync { queue.coordinator.takeIn(stored, Array(descriptions.prefix(DescriptionShelf.portion))) }
            return stored.map(\.id)
        }
    }

    public func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if command == .remove {
            _ = try await forget(ids)
            return
        }
        if case .priority(let priority) = command, !(0...1).contains(priority) {
            throw TransferError(.usage, "a priority is a number from 0 to 1")
        }
        try await readmit(ids)
        try await run { coordinator in Result { try coordinator.perform(command, on: ids) } }.get()
        if case .cancel = command { await stopped(ids) }
        try await answerFor()
    }

    public func setLimits(_ limits: QueueLimits) async throws {
        try limits.validate()
        await run { $0.setLimits(limits) }
        try await answerFor()
    }

    public func timetable() async throws -> LimitTimetable { await run { $0.timetable } }

    public func setTimetable(_ timetable: LimitTimetable) async throws {
        try timetable.validate()
        await run { $0.setTimetable(timetable) }
        try await answerFor()
    }

    /// What was asked for and answered holds, whatever becomes of the process.
    private func answerFor() async throws {
        let keeping = coordinator.keeping
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in keeping.async { done.resume() } }
        try await journal.writer.settle()
    }

    /// Returns when those that are being cancelled have ended: until then they would go on in another process.
    private func stopped(_ ids: [TransferID]) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            work.async { coordinator.whenStopped(ids) { done.resume() } }
        }
    }

    public func snapshot() async throws -> QueueSnapshot { await run { $0.snapshot } }

    public func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream<QueueUpdate>.makeStream()
        let (work, coordinator) = (work, coordinator)
        work.async {
            let key = coordinator.listen(continuation)
            continuation.onTermination = { _ in work.async { coordinator.stopListening(key) } }
        }
        return stream
    }

    /// Stops cleanly: what runs is ended with everything kept, each transfer goes on when the queue is opened again, and the streams
    /// of updates end. Returns when all of it is in the store, which is closed.
    public func shutDown() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            work.async { coordinator.shutDown { done.resume() } }
        }
        await hooks?.shutDown()
        transport.shutDown()
        do throws(TransferError) { try session.flush() } catch { report(error) }
        let (storing, keeping) = (storing, coordinator.keeping)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            storing.async { keeping.async { done.resume() } }
        }
        do throws(TransferError) { try await journal.writer.flush() } catch { report(error) }
        store.close()
    }
}

// MARK: What the store knows

extension DurableQueue {
    public func info(_ id: TransferID) async throws -> TransferInfo {
        let (known, running) = await run { ($0.queue[id], $0.journal?.past(of: id)?.attempt) }
        await settle()
        return try await onStore { queue throws(TransferError) in
            var found = known
            if found == nil, let stored = try queue.store.transfer(id) { found = TransferSnapshot(stored) }
            guard let transfer = found else { throw TransferError(.usage, "no transfer has the id \(id)") }
            var attempts = try queue.store.attempts(of: id)
            if var running, attempts.last?.number != running.number {
                running.lastByte = transfer.bytes
                attempts.append(running)
            }
            return TransferInfo(transfer: transfer, attempts: attempts.map(TransferAttempt.init))
        }
    }

    public func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        await settle()
        return try await onStore { queue throws(TransferError) in
            var found: [HistoryEntry] = []
            var place = query.before
            let limit = min(max(1, query.limit), HistoryQuery.maximumLimit)
            while found.count < limit {
                let page = try queue.store.history(before: place.map { ($0.endedAt, $0.id) }, limit: 1000)
                guard let last = page.last else { break }
                let transfers = page.map(TransferSnapshot.init)
                found += query.filter.apply(to: transfers).map { HistoryEntry(endedAt: $0.endedAt ?? 0, transfer: $0) }
                place = HistoryEntry.Place(endedAt: last.endedAt ?? 0, id: last.id)
            }
            return Array(found.prefix(limit))
        }
    }

    public func clear(_ filter: QueueFilter) async throws -> Int {
        await settle()
        var count = 0
        while true {
            let ids = try await history(HistoryQuery(filter: filter, limit: HistoryQuery.maximumLimit)).map(\.transfer.id)
            guard !ids.isEmpty else { return count }
            let forgotten = try await forget(ids)
            guard forgotten > 0 else { return count }
            count += forgotten
        }
    }

    public func relocate(_ id: TransferID, to place: Relocation) async throws {
        try await readmit([id])
        await settle()
        try await onStore { queue throws(TransferError) in
            guard let stored = try queue.store.transfer(id) else { throw TransferError(.usage, "no transfer has the id \(id)") }
            guard stored.state != .completed else {
                throw TransferError(.usage, "transfer \(id) is completed: there is nothing left to fetch from another address")
            }
            let description = try queue.store.description(of: id).relocated(to: place)
            _ = try queue.store.replaceDescription(of: id, with: description)
            queue.work.sync { queue.coordinator.relocated(id, description) }
        }
    }

    // MARK: Inside

    private func forget(_ ids: [TransferID]) async throws -> Int {
        try await onStore { queue throws(TransferError) in
            let (ended, unknown) = queue.work.sync {
                (ids.filter { queue.coordinator.queue[$0]?.state.isEnded == true }, ids.filter { queue.coordinator.queue[$0] == nil })
            }
            for id in unknown {
                guard try queue.store.transfer(id) != nil else { throw TransferError(.usage, "no transfer has the id \(id)") }
            }
            // One that somebody has started again a moment ago stays.
            let gone = queue.work.sync { queue.coordinator.forget(ended) }
            try queue.store.remove(gone + unknown)
            return gone.count + unknown.count
        }
    }

    /// Takes transfers back into the queue that ended long ago and are in the history alone.
    private func readmit(_ ids: [TransferID]) async throws {
        let missing = await run { coordinator in ids.filter { coordinator.queue[$0] == nil } }
        guard !missing.isEmpty else { return }
        await settle()
        try await onStore { queue throws(TransferError) in
            var found: [StoredTransfer] = []
            for id in missing {
                guard let stored = try queue.store.transfer(id) else { throw TransferError(.usage, "no transfer has the id \(id)") }
                if stored.state.isEnded { found.append(stored) }
            }
            queue.work.sync { queue.coordinator.takeIn(found, []) }
        }
    }

    /// Returns when the store knows all that has happened so far.
    func settle() async {
        // What was told a moment ago is recorded on `work`.
        await run { _ in }
        // Where the disk takes nothing, the writer has reported it, and what the store has is all there is.
        try? await journal.writer.flush()
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable (Coordinator) -> Value) async -> Value {
        await withCheckedContinuation { done in
            let coordinator = coordinator
            work.async { done.resume(returning: body(coordinator)) }
        }
    }

    func onStore<Value: Sendable>(_ body: @escaping @Sendable (DurableQueue) throws(TransferError) -> Value) async throws -> Value {
        try await withCheckedContinuation { done in
            storing.async { [self] in done.resume(returning: Result { () throws(TransferError) in try body(self) }) }
        }.get()
    }
}

extension TransferAttempt {
    init(_ stored: StoredAttempt) {
        self.init(number: stored.number, startedAt: stored.startedAt, url: stored.url, firstByte: stored.firstByte)
        (endedAt, lastByte, status) = (stored.endedAt, stored.lastByte, stored.status)
        (error, metrics) = (stored.error, stored.metrics)
    }
}

extension TransferDescription {
    /// With what `place` replaces.
    func relocated(to place: Relocation) throws(TransferError) -> TransferDescription {
        var description = self
        if let url = place.url { description.url = url }
        if let cookies = place.cookies { description.options.cookies = cookies }
        if let credential = place.credential { description.options.credential = credential }
        if let sid = place.sid {
            guard case .upload(var upload) = operation, case .fileQ(var form) = upload.form else {
                throw TransferError(.usage, "only FileQ uploads have a SID")
            }
            form.sid = sid
            upload.form = .fileQ(form)
            description.operation = .upload(upload)
        }
        return description
    }
}
