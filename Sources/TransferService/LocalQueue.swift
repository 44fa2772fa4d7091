// SPDX-License-Identifier: MIT

package import SessionCore
package import TransferControl
package import TransferModel

/// A queue in memory, for one process. Unfinished transfers end with it, cancelled as interrupted; partial files stay,
/// so that a later queue resumes them.
package final class LocalQueue: QueueClient {
    package struct Configuration: Sendable {
        package var limits = QueueLimits()
        /// Whether a full disk pauses a transfer, so that the user can free space, instead of failing it.
        package var pausesOnFullDisk = true
        /// Whether a user can answer questions: then a transfer that needs an answer is paused with its question
        /// (``TransferModel/Transfer/question``) instead of failing.
        package var asksUser = false
        /// Receives errors of writing persistent state.
        package var report: @Sendable (TransferError) -> Void = { _ in }
        /// Runs programs when something happens to a transfer; ends with the queue.
        package var hooks: HookRunner?
        /// Keeps the machine from suspending while transfers move bytes.
        package var inhibitor: SleepInhibitor?
        /// Seconds for which the machine was suspended since its boot.
        package var timeSuspended: @Sendable () -> Double = { 0 }
        /// A folder for what interrupted uploads of a queue without a store need to continue; `nil`: they start again.
        package var uploadRecords: String?
        /// Converts seconds since 1970 to local time.
        package var localTime: @Sendable (Double) -> LocalTime = { LocalTime(of: $0) }
        package var disk = PlacementDisk()
        /// In the format of mountinfo, proc(5).
        package var mountTable = "/proc/self/mountinfo"
        /// 0…1: the fraction of the longest delay before the next attempt.
        package var jitter: @Sendable () -> Double = { .random(in: 0...1) }
        /// Receives what ``DurableQueue/compareLives()`` finds; `nil`: no lives are kept.
        package var comparesLives: (@Sendable (String) -> Void)?

        package init() {}
    }

    private let core: QueueCore

    /// - Parameter transport: owned by the queue; ``shutDown()`` shuts it down.
    package init(
        transport: any Transport, configuration: Configuration = .init(),
        session: TransferConfiguration = .init(), scheduler: any Scheduler = SystemScheduler()
    ) {
        core = QueueCore(
            policy: .local, transport: transport, configuration: configuration, session: session,
            scheduler: scheduler, store: NullStore())
    }

    package func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply { try await core.call(call) }

    package func updates(of session: String?) -> AsyncStream<QueueUpdate> {
        core.updates().concerning(session: session)
    }

    /// Stops cleanly: running transfers stop with everything saved that a later run needs, every transfer that has not
    /// ended is reported as cancelled with code `interrupted`, and the streams of updates end. Returns when that is
    /// done.
    package func shutDown() async { await core.shutDown() }
}
