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
        /// A folder for what interrupted uploads of a queue without a store need to continue; `nil`: they start again.
        package var uploadRecords: String?
        /// Converts seconds since 1970 to local time.
        package var localTime: @Sendable (Double) -> LocalTime = { LocalTime(of: $0) }
        package var disk = PlacementDisk()
        /// In the format of mountinfo, proc(5).
        package var mountTable = "/proc/self/mountinfo"
        /// 0…1: the fraction of the longest delay before the next attempt.
        package var jitter: @Sendable () -> Double = { .random(in: 0...1) }

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

    package func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        try await core.add(descriptions, on: terms)
    }

    package func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        try await core.perform(command, on: ids)
    }

    package func setLimits(_ limits: QueueLimits) async throws { try await core.setLimits(limits) }

    package func setHeld(_ isHeld: Bool) async throws { try await core.setHeld(isHeld) }

    package func limits() async throws -> QueueLimits { await core.run { $0.queue.limits } }

    package func undo() async throws -> UndoneCommand { try await core.undo() }

    package func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        await core.run { $0.rateReport(seconds: seconds, of: id) }
    }

    package func timetable() async throws -> LimitTimetable { await core.run { $0.timetable } }

    package func setTimetable(_ timetable: LimitTimetable) async throws { try await core.setTimetable(timetable) }

    package func snapshot() async throws -> QueueSnapshot { await core.run { $0.snapshot } }

    package func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        await core.run { $0.queue.transfers(matching: filter) }
    }

    /// Without attempts, which only a store has.
    package func info(_ id: TransferID) async throws -> TransferInfo {
        let (known, ranges, heads, expires) = await core.run {
            ($0.queue[id], $0.ranges(of: id), $0.heads(of: id), $0.uploadExpiry(of: id))
        }
        guard let known else { throw TransferError.unknownTransfer(id) }
        return TransferInfo(transfer: known, ranges: ranges, heads: heads, uploadExpires: expires)
    }

    package func updates() -> AsyncStream<QueueUpdate> { core.updates() }

    /// Stops cleanly: running transfers stop with everything saved that a later run needs, every transfer that has not
    /// ended is reported as cancelled with code `interrupted`, and the streams of updates end. Returns when that is
    /// done.
    package func shutDown() async { await core.shutDown() }
}
