// SPDX-License-Identifier: MIT

import Dispatch
public import SessionCore
public import TransferControl
public import TransferModel

/// A queue that lives in this process: ``TransferControl/QueueClient`` over a session and a coordinator.
public final class LocalQueue: QueueClient {
    public struct Configuration: Sendable {
        public var limits = QueueLimits()
        /// Whether a full disk pauses a transfer, for somebody to make room, instead of failing it.
        public var pausesOnFullDisk = true
        /// Whether somebody is there to answer what servers ask: then a transfer that needs an answer is paused with its question
        /// (``TransferModel/TransferSnapshot/question``) instead of failing.
        public var asksPeople = false
        /// Hears what went wrong while something that is to be remembered was written.
        public var report: @Sendable (TransferError) -> Void = { _ in }
        /// Runs programs when something happens to a transfer; ends with the queue.
        public var hooks: HookRunner?
        /// The wall clock of a moment, given in seconds since 1970.
        var localTime: @Sendable (Double) -> LocalTime = { LocalTime(of: $0) }
        /// 0…1: what share of the longest pause is made before another try.
        var jitter: @Sendable () -> Double = { .random(in: 0...1) }

        public init() {}
    }

    private let work: DispatchQueue
    private let coordinator: Coordinator
    private let transport: any Transport
    private let session: TransferSession
    private let report: @Sendable (TransferError) -> Void
    private let hooks: HookRunner?

    /// - Parameter transport: becomes the queue's own; ``shutDown()`` shuts it down.
    public init(transport: any Transport, configuration: Configuration = .init(),
                session sessionConfiguration: TransferConfiguration = .init(), scheduler: any Scheduler = SystemScheduler()) {
        let work = DispatchQueue(label: "fileq.queue")
        self.work = work
        self.transport = transport
        coordinator = Coordinator(configuration: configuration, work: work, scheduler: scheduler,
                                  pathMonitor: sessionConfiguration.pathMonitor)
        var sessionConfiguration = sessionConfiguration
        // Nobody is asked about servers that the system trusts.
        sessionConfiguration.challengesTrustedServers = false
        if sessionConfiguration.trustStore == nil { sessionConfiguration.trustStore = TrustStore() }
        let session = TransferSession(configuration: sessionConfiguration, transport: transport, delegate: coordinator,
                                      delegateQueue: work, scheduler: scheduler)
        self.session = session
        report = configuration.report
        hooks = configuration.hooks
        let coordinator = coordinator
        work.sync { coordinator.attach(session) }
    }

    public func add(_ descriptions: [TransferDescription], on terms: QueueTerms) async throws -> [TransferID] {
        await run { $0.add(descriptions, on: terms) }
    }

    public func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if case .priority(let priority) = command, !(0...1).contains(priority) {
            throw TransferError(.usage, "a priority is a number from 0 to 1")
        }
        try await run { coordinator in Result { try coordinator.perform(command, on: ids) } }.get()
    }

    public func setLimits(_ limits: QueueLimits) async throws {
        try limits.validate()
        await run { $0.setLimits(limits) }
    }

    public func timetable() async throws -> LimitTimetable { await run { $0.timetable } }

    public func setTimetable(_ timetable: LimitTimetable) async throws {
        try timetable.validate()
        await run { $0.setTimetable(timetable) }
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

    /// Stops cleanly: what runs is ended with everything kept that a later run needs, every transfer that has not ended is
    /// told as cancelled with code `interrupted`, and the streams of updates end. Returns when that is done.
    public func shutDown() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            work.async { coordinator.shutDown { done.resume() } }
        }
        await hooks?.shutDown()
        transport.shutDown()
        do throws(TransferError) { try session.flush() } catch { report(error) }
    }

    private func run<Value: Sendable>(_ body: @escaping @Sendable (Coordinator) -> Value) async -> Value {
        await withCheckedContinuation { done in
            let coordinator = coordinator
            work.async { done.resume(returning: body(coordinator)) }
        }
    }
}
