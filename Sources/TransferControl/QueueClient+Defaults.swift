// SPDX-License-Identifier: MIT

public import TransferModel

/// Implementations for a queue that has only its snapshot; they throw for what only the background service can do.
extension QueueClient {
    /// ``add(_:on:)`` with default terms.
    public func add(_ descriptions: [Spec], paused: Bool) async throws -> [TransferID] {
        try await add(descriptions, on: TransferTerms(paused: paused))
    }

    public func updates(of session: String) -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        let all = updates()
        let listening = Task {
            for await update in all {
                if let own = update.concerning(session: session) { continuation.yield(own) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in listening.cancel() }
        return stream
    }

    public func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        filter.apply(to: try await snapshot().transfers)
    }

    public func info(_ id: TransferID) async throws -> TransferInfo {
        guard let transfer = try await transfers(matching: QueueFilter(ids: [id])).first else {
            throw TransferError.unknownTransfer(id)
        }
        return TransferInfo(transfer: transfer)
    }

    @discardableResult
    public func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        throw refusal(.relocate)
    }

    public func history(_ query: HistoryQuery) async throws -> [HistoryEntry] { throw refusal(.history) }

    public func clear(_ filter: QueueFilter) async throws -> Int {
        let ended = try await transfers(matching: filter).filter(\.state.isEnded).map(\.id)
        if !ended.isEmpty { try await perform(.remove, on: ended) }
        return ended.count
    }

    public func timetable() async throws -> LimitTimetable { throw refusal(.timetable) }

    public func setTimetable(_ timetable: LimitTimetable) async throws { throw refusal(.timetable) }

    public func limits() async throws -> QueueLimits { try await snapshot().limits }

    /// In two steps: for a queue whose limits no other client sets.
    public func setHeld(_ isHeld: Bool) async throws {
        var limits = try await limits()
        limits.isHeld = isHeld
        try await setLimits(limits)
    }

    public func undo() async throws -> UndoneCommand { throw refusal(.undo) }

    public func rates(seconds: Int, of id: TransferID?) async throws -> RateReport { throw refusal(.rates) }

    /// ``rates(seconds:of:)`` of the queue alone.
    public func rates(seconds: Int) async throws -> RateReport { try await rates(seconds: seconds, of: nil) }

    public func log(_ query: LogQuery) async throws -> LogPage { throw refusal(.log) }

    public func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        throw refusal(.sessionEvents)
    }

    public func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        throw refusal(.sessionEvents)
    }

    private func refusal(_ ability: ServiceProblem.Ability) -> TransferError {
        TransferError(.usage, .needed(for: ability))
    }
}
