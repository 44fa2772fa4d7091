// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import TransferControl
import TransferModel

/// What every queue is made of: a coordinator on a dispatch queue of its own, the session that it is the delegate of, and what moves
/// that session's bytes.
struct QueueCore: Sendable {
    let work: DispatchQueue
    let coordinator: Coordinator
    private let transport: any Transport
    private let session: TransferSession
    private let report: @Sendable (TransferError) -> Void
    private let hooks: HookRunner?

    /// - Parameter transport: becomes the queue's own; ``shutDown()`` shuts it down.
    init(transport: any Transport, configuration: LocalQueue.Configuration, session sessionConfiguration: TransferConfiguration,
         scheduler: any Scheduler, journal: QueueJournal? = nil) {
        let work = DispatchQueue(label: "fileq.queue")
        let coordinator = Coordinator(configuration: configuration, work: work, scheduler: scheduler,
                                      pathMonitor: sessionConfiguration.pathMonitor, journal: journal)
        var sessionConfiguration = sessionConfiguration
        // Nobody is asked about servers that the system trusts.
        sessionConfiguration.challengesTrustedServers = false
        sessionConfiguration.endsUploadsAnsweredEarly = true
        // Nobody watches where a redirect leads; a transfer's own options may allow it.
        sessionConfiguration.allowsDowngradeRedirects = false
        if sessionConfiguration.trustStore == nil { sessionConfiguration.trustStore = TrustStore() }
        let session = TransferSession(configuration: sessionConfiguration, transport: transport, delegate: coordinator,
                                      delegateQueue: work, scheduler: scheduler)
        work.sync { coordinator.attach(session) }
        (self.work, self.coordinator, self.transport, self.session) = (work, coordinator, transport, session)
        (report, hooks) = (configuration.report, configuration.hooks)
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable (Coordinator) -> Value) async -> Value {
        await withCheckedContinuation { done in
            let coordinator = coordinator
            work.async { done.resume(returning: body(coordinator)) }
        }
    }

    func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream<QueueUpdate>.makeStream()
        let (work, coordinator) = (work, coordinator)
        work.async {
            let key = coordinator.listen(continuation)
            continuation.onTermination = { _ in work.async { coordinator.stopListening(key) } }
        }
        return stream
    }

    /// Returns when nothing runs any more, and what the session keeps is on the disk.
    func shutDown() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let coordinator = coordinator
            work.async { coordinator.shutDown { done.resume() } }
        }
        await hooks?.shutDown()
        transport.shutDown()
        do throws(TransferError) { try session.flush() } catch { report(error) }
    }
}
