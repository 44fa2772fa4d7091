// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// The service's data of a session at one moment.
struct Findings {
    /// The oldest unacknowledged ones.
    var events: [SessionEvent]
    /// There may be more events.
    var isPage = false
    /// All transfers of the session, queried after `events`.
    var transfers: [Transfer]

    var overtaken: Set<Int64> { SessionLedger.overtaken(events, transfers) }

    /// The unfinished tasks with unique identifiers, and the first free identifier.
    func tasks() -> ([BackgroundTask], nextIdentifier: Int) {
        let known = transfers + events.map(\.transfer)
        var next = (known.compactMap { TaskDescription($0.taskDescription)?.task }.max() ?? 0) + 1
        var taken: Set<Int> = []
        let tasks = transfers.filter { !$0.state.isEnded }.sorted { $0.id < $1.id }.compactMap {
            transfer -> BackgroundTask? in
            guard var task = BackgroundTask(transfer, identifier: next) else { return nil }
            if !taken.insert(task.identifier).inserted {
                task.identifier = next
                taken.insert(next)
            }
            next = max(next, task.identifier + 1)
            return task
        }
        return (tasks, next)
    }
}

extension Findings {
    init(_ client: any QueueClient, session: String) async throws(TransferError) {
        do {
            events = try await client.sessionEvents(of: session, limit: SessionEvent.maximumLimit)
            isPage = events.count == SessionEvent.maximumLimit
            transfers = try await client.transfers(matching: QueueFilter(session: session))
        } catch {
            throw TransferError(serviceFailure: error)
        }
    }
}

extension TransferError {
    /// The error of a call to the service.
    init(serviceFailure error: any Error) {
        self =
            error as? TransferError
            ?? (error is CancellationError ? .cancelled : TransferError(.other, .backgroundServiceFailed))
    }
}
