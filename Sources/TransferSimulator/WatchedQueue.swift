// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService

/// The queue behind the control server, which knows whether commands are under way.
final class WatchedQueue: QueueClient, @unchecked Sendable {  // Used on one thread.
    private let queue: DurableQueue
    private let bug: PlantedBug?
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ queue: DurableQueue, _ bug: PlantedBug?) { (self.queue, self.bug) = (queue, bug) }

    /// Returns when no command is under way.
    func awaitCommands() async {
        guard underWay > 0 else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func count<Value>(_ body: () async throws -> Value) async throws -> Value {
        underWay += 1
        defer {
            underWay -= 1
            if underWay == 0 {
                for one in waiting { one.resume() }
                waiting = []
            }
        }
        return try await body()
    }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        try await count {
            if bug == .addedTwice { _ = try await queue.add(descriptions, on: terms) }
            return try await queue.add(descriptions, on: terms)
        }
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        try await count {
            // Of several IDs, the last one is missed.
            let ids = bug == .requestCutShort && ids.count > 1 ? Array(ids.dropLast()) : ids
            try await queue.perform(command, on: ids)
        }
    }

    func setLimits(_ limits: QueueLimits) async throws { try await count { try await queue.setLimits(limits) } }

    func setHeld(_ isHeld: Bool) async throws { try await count { try await queue.setHeld(isHeld) } }

    func setTimetable(_ timetable: LimitTimetable) async throws {
        try await count { try await queue.setTimetable(timetable) }
    }

    @discardableResult
    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await count { try await queue.relocate(id, to: place) }
    }

    func clear(_ filter: QueueFilter) async throws -> Int { try await count { try await queue.clear(filter) } }

    func undo() async throws -> UndoneCommand { try await count { try await queue.undo() } }

    func snapshot() async throws -> QueueSnapshot { try await queue.snapshot() }

    func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        try await queue.transfers(matching: filter)
    }

    func updates() -> AsyncStream<QueueUpdate> { queue.updates() }
    func updates(of session: String) -> AsyncStream<QueueUpdate> { queue.updates(of: session) }
    func info(_ id: TransferID) async throws -> TransferInfo { try await queue.info(id) }
    func history(_ query: HistoryQuery) async throws -> [HistoryEntry] { try await queue.history(query) }
    func timetable() async throws -> LimitTimetable { try await queue.timetable() }
    func limits() async throws -> QueueLimits { try await queue.limits() }

    func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        try await queue.rates(seconds: seconds, of: id)
    }

    func log(_ query: LogQuery) async throws -> LogPage { try await queue.log(query) }

    func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await queue.sessionEvents(of: session, limit: limit)
    }

    func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        try await queue.acknowledgeSessionEvents(of: session, upTo: sequence)
    }
}
