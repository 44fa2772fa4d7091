// SPDX-License-Identifier: MIT

public import TransferModel

/// Each call is one request; errors of the service are thrown here.
extension ControlClient {
    public func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        _ = try await call(.perform(PerformParams(command: WireCommand(command), ids: ids)), as: Done.self)
    }

    public func setLimits(_ limits: QueueLimits) async throws { _ = try await call(.setLimits(limits), as: Done.self) }

    public func limits() async throws -> QueueLimits { try await call(.getLimits, as: QueueLimits.self) }

    public func snapshot() async throws -> QueueSnapshot { try await call(.snapshot, as: QueueSnapshot.self) }

    public func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        try await call(.list(filter), as: ListResult.self).transfers
    }

    public func info(_ id: TransferID) async throws -> TransferInfo { try await call(.info(id), as: TransferInfo.self) }

    @discardableResult
    public func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await call(.relocate(RelocateParams(id: id, place: place)), as: RelocateResult.self).dropped ?? []
    }

    public func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        try await call(.history(query), as: HistoryResult.self).entries
    }

    public func clear(_ filter: QueueFilter) async throws -> Int {
        try await call(.clear(filter), as: ClearResult.self).cleared
    }

    public func timetable() async throws -> LimitTimetable { try await call(.getTimetable, as: LimitTimetable.self) }

    public func setTimetable(_ timetable: LimitTimetable) async throws {
        _ = try await call(.setTimetable(timetable), as: Done.self)
    }

    public func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await call(
            .sessionEvents(SessionEventsParams(session: session, limit: limit)), as: SessionEventsResult.self
        ).events
    }

    public func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        _ = try await call(
            .acknowledgeSessionEvents(AcknowledgeParams(session: session, upTo: sequence)), as: Done.self)
    }

    /// The service itself.
    public func status() async throws -> ServiceStatus { try await call(.status, as: ServiceStatus.self) }

    /// Requests a stop of the service. Returns when it has accepted; ``waitUntilClosed()`` returns when it is about to
    /// exit.
    public func shutDownService() async throws { _ = try await call(.shutDown, as: Done.self) }
}
