// SPDX-License-Identifier: MIT

import CLinux
import Dispatch
import SessionCore
import TransferControl
import TransferModel
import TransferStore

/// The parts of every queue: a coordinator, the session whose delegate it is, the transport of that session, and the
/// store.
struct QueueCore: Sendable {
    /// Calls that change the store wait here for it, serially.
    let storing = DispatchQueue(label: "fileq.queue.storing")
    let coordinator: Coordinator
    let store: any QueueStore
    let policy: EnginePolicy
    private let transport: any Transport
    private let session: TransferSession
    private let scheduler: any Scheduler
    private let report: @Sendable (TransferError) -> Void
    private let hooks: HookRunner?

    /// Starts the transfers that may start.
    /// - Parameters:
    ///   - policy: that of the kind of queue.
    ///   - transport: becomes the queue's own; ``shutDown()`` shuts it down.
    ///   - store: becomes the queue's own; ``shutDown()`` closes it.
    ///   - recovery: what the store held.
    init(
        policy: EnginePolicy, transport: any Transport, configuration: LocalQueue.Configuration,
        session sessionConfiguration: TransferConfiguration,
        scheduler: any Scheduler, store: any QueueStore, recovery: QueueRecovery = .init(),
        timetable: LimitTimetable? = nil,
        crashes: CrashLedger? = nil
    ) {
        let pathMonitor = sessionConfiguration.pathMonitor
        let coordinator = EngineActor.sync {
            Coordinator(
                configuration: configuration, policy: policy, scheduler: scheduler, pathMonitor: pathMonitor,
                store: store, checkpoints: recovery.checkpoints, crashes: crashes)
        }
        var sessionConfiguration = sessionConfiguration
        // No questions about servers that the system trusts.
        sessionConfiguration.challengesTrustedServers = false
        sessionConfiguration.endsUploadsOnEarlyResponse = true
        // No user watches a redirect's target; a transfer's own options may allow it.
        sessionConfiguration.allowsDowngradeRedirects = false
        if sessionConfiguration.trustStore == nil { sessionConfiguration.trustStore = TrustStore() }
        let session = TransferSession(
            configuration: sessionConfiguration, transport: transport, audience: Audience(known: coordinator),
            delegateQueue: EngineActor.queue, scheduler: scheduler)
        EngineActor.sync {
            coordinator.attach(session, timetable)
            coordinator.restore(recovery)
        }
        (self.coordinator, self.store, self.transport, self.session) = (coordinator, store, transport, session)
        (self.policy, self.scheduler) = (policy, scheduler)
        (report, hooks) = (configuration.report, configuration.hooks)
    }

    func run<Value: Sendable>(_ body: @escaping @EngineActor @Sendable (Coordinator) -> Value) async -> Value {
        await withCheckedContinuation { done in
            let coordinator = coordinator
            EngineActor.async { done.resume(returning: body(coordinator)) }
        }
    }

    /// Every transfer is stored before its ID is returned.
    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        var terms = terms
        if let after = terms.after { terms.after = try await knownPredecessors(after) }
        if terms.after?.isEmpty == true { terms.after = nil }
        let now = scheduler.wallNow
        let mounts = policy.measuresAddedUploads ? coordinator.mounts : nil
        // The terms of a long list are in memory once.
        var shared: Boxed<TransferTerms>?
        let drafts = descriptions.map { [terms] spec in
            var draft = Transfer(spec, file: Run.file(of: spec), terms: terms, addedAt: now)
            if let shared { draft.$terms = shared } else { shared = draft.$terms }
            if let mounts, case .upload(let upload) = spec.operation {
                draft.total = UploadSourceStatus.knownSize(of: upload.source, mounts)
            }
            return draft
        }
        while true {
            if let ids = try await add(descriptions, as: drafts) { return ids }
            let hold = await run { $0.holds }
            try await awaitCommit()
            await run { $0.stored(hold: hold) }
        }
    }

    /// - Returns: `nil` if the store does not have the latest hold of the queue yet, which has to be waited for.
    private func add(_ descriptions: [Spec], as drafts: [Transfer]) async throws -> [TransferID]? {
        let added = try await onStore { core throws(TransferError) -> (ids: [TransferID], isMisplaced: Bool)? in
            guard let isHeld = EngineActor.sync({ core.coordinator.beginAddition() }) else { return nil }
            defer { EngineActor.sync { core.coordinator.endAddition() } }
            let stored = try core.store.add(descriptions, as: isHeld ? drafts.map(\.held) : drafts)
            var isMisplaced = false
            // In chunks: other calls do not wait for a long list.
            for start in stride(from: 0, to: stored.count, by: 1000) {
                let piece = start..<min(start + 1000, stored.count)
                let (transfers, specs) = (Array(stored[piece]), descriptions[piece])
                if EngineActor.sync({ core.coordinator.appendStored(transfers, specs, from: start) }) {
                    isMisplaced = true
                }
            }
            // Returns the memory that a long list needed to the system.
            if stored.count >= 10_000 { core.storing.async { clinux_trim_memory() } }
            return (stored.map(\.id), isMisplaced)
        }
        // They are added whether or not their places can be stored now; those are written again later.
        if added?.isMisplaced == true { try? await awaitCommit() }
        return added?.ids
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if command == .remove {
            _ = try await forget(ids)
            return
        }
        if command == .dismiss { return try await dismiss(ids) }
        try await requeueFromHistory(ids)
        var command = command
        if case .after(let predecessors) = command { command = .after(try await knownPredecessors(predecessors)) }
        var accepted: [ConsentQuestion.Trust] = []
        if case .trust(let persistence, let question) = command {
            accepted = try await acceptKeys(of: ids, to: question, persistence)
        }
        try await run { [accepted, command] coordinator in
            Result {
                try coordinator.perform(command, on: ids)
                if !accepted.isEmpty { coordinator.answer(accepted) }
            }
        }.get()
        if case .cancel = command { await stopped(ids) }
        try await awaitCommit()
    }

    /// Accepts the keys that transfers ask about, permanently in place of those accepted before. Another process may be
    /// changing their file, and for long: the engine does not wait for it.
    private func acceptKeys(
        of ids: [TransferID], to question: ConsentQuestion?, _ persistence: ConsentPersistence
    ) async throws -> [ConsentQuestion.Trust] {
        let (asked, keys, store) = try await run { coordinator in
            Result { () throws(TransferError) in
                let asked = ids.compactMap { coordinator.askedTrust(of: $0, question) }
                var keys: [TrustedKey] = []
                for trust in asked { if let key = try coordinator.key(of: trust) { keys.append(key) } }
                return (asked, keys, coordinator.trustStore)
            }
        }.get()
        guard let store, !keys.isEmpty else { return [] }
        try await withCheckedContinuation { done in
            coordinator.background.async {
                done.resume(
                    returning: Result { () throws(TransferError) in
                        for key in keys {
                            switch persistence {
                            case .once: try store.accept(key, persistence: .forSession)
                            case .always: try store.replace(with: key)
                            }
                        }
                    })
            }
        }.get()
        return asked
    }

    func setLimits(_ limits: QueueLimits) async throws {
        try limits.validate()
        await run { $0.setLimits(limits) }
        try await awaitCommit()
        if limits.isHeld != nil { try await awaitFinishedHold() }
    }

    func setHeld(_ isHeld: Bool) async throws {
        await run { $0.hold(isHeld) }
        try await awaitCommit()
        try await awaitFinishedHold()
    }

    /// After the commit of a hold, returns when the store no longer says that it is unfinished: the next process would
    /// apply it once more, also to a transfer that was resumed meanwhile.
    func awaitFinishedHold() async throws {
        await run { _ in }
        try await awaitCommit()
    }

    func setTimetable(_ timetable: LimitTimetable) async throws {
        try timetable.validate()
        await run { $0.setTimetable(timetable) }
        try await awaitCommit()
    }

    func updates() -> AsyncStream<QueueUpdate> {
        let coordinator = coordinator
        return UpdateFeed(limit: UpdateHub.limit).stream { feed in
            EngineActor.async { coordinator.listen(feed) }
        } leave: { feed in
            EngineActor.async { coordinator.hub.remove(feed) }
        }
    }

    /// Returns when nothing runs any more, and the state of the session and the store is on disk.
    func shutDown() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            EngineActor.async { coordinator.shutDown { done.resume() } }
        }
        // Programs of the last ends run after these are committed.
        await flush { _ in }
        await hooks?.shutDown()
        transport.shutDown()
        do throws(TransferError) { try session.flush() } catch { report(error) }
        let (storing, keeping, unstored, store, report) = (
            storing, coordinator.keeping, coordinator.unstored, store, report
        )
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            storing.async {
                keeping.async {
                    do throws(TransferError) { try unstored.write(to: store) } catch { report(error) }
                    done.resume()
                }
            }
        }
        await flush(report)
        store.close()
    }

    // MARK: Waiting for the store

    /// Returns when the effect of a command is committed, so that it survives the process.
    func awaitCommit() async throws {
        let (keeping, unstored, store) = (coordinator.keeping, coordinator.unstored, store)
        try await withCheckedContinuation { done in
            keeping.async {
                done.resume(returning: Result { () throws(TransferError) in try unstored.write(to: store) })
            }
        }.get()
        let error = await withCheckedContinuation { done in store.commit { done.resume(returning: $0) } }
        if let error { throw error }
    }

    /// Returns when the cancelled transfers have ended: until then another process would resume them.
    func stopped(_ ids: [TransferID]) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            EngineActor.async { coordinator.whenStopped(ids) { done.resume() } }
        }
    }

    func flush(_ failed: (TransferError) -> Void) async {
        let store = store
        if let error = await withCheckedContinuation({ done in store.flush { done.resume(returning: $0) } }) {
            failed(error)
        }
    }

    func onStore<Value: Sendable>(
        _ body: @escaping @Sendable (QueueCore) throws(TransferError) -> Value
    ) async throws -> Value {
        try await withCheckedContinuation { done in
            storing.async { [self] in done.resume(returning: Result { () throws(TransferError) in try body(self) }) }
        }.get()
    }
}
