// SPDX-License-Identifier: MIT

public import TransferModel

/// Each call is one request; errors of the service are thrown here.
extension ControlClient {
    public func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        _ = try await call(PerformCall(command, on: ids))
    }

    public func setLimits(_ limits: QueueLimits) async throws { _ = try await call(SetLimitsCall(limits)) }

    public func setHeld(_ isHeld: Bool) async throws { _ = try await call(SetLimitsCall(isHeld: isHeld)) }

    public func limits() async throws -> QueueLimits { try await call(GetLimitsCall()) }

    public func snapshot() async throws -> QueueSnapshot { try await call(SnapshotCall()) }

    public func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        try await call(ListCall(filter)).transfers
    }

    public func info(_ id: TransferID) async throws -> TransferInfo { try await call(InfoCall(id: id)) }

    @discardableResult
    public func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await call(RelocateCall(id, to: place)).dropped ?? []
    }

    public func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        try await call(HistoryCall(filter: query.filter, before: query.before, limit: query.limit)).entries
    }

    public func clear(_ filter: QueueFilter) async throws -> Int {
        try await call(ClearCall(filter)).cleared
    }

    public func timetable() async throws -> LimitTimetable { try await call(GetTimetableCall()) }

    public func setTimetable(_ timetable: LimitTimetable) async throws {
        _ = try await call(SetTimetableCall(timetable))
    }

    public func undo() async throws -> UndoneCommand { try await call(UndoCall()) }

    public func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        try await call(RatesCall(seconds: seconds, id: id, series: true))
    }

    public func log(_ query: LogQuery) async throws -> LogPage {
        try await call(LogCall(after: query.after, before: query.before, id: query.id, limit: query.limit))
    }

    public func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await call(SessionEventsCall(session: session, limit: limit)).events
    }

    public func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        _ = try await call(AcknowledgeCall(session: session, upTo: sequence))
    }

    package func attend(_ attends: Bool) async throws { _ = try await call(AttendCall(attends: attends)) }

    /// The service itself.
    public func status() async throws -> ServiceStatus { try await call(StatusCall()) }

    /// Asks the service to end. Returns when it has agreed; ``waitUntilClosed()`` returns when it is about to be
    /// gone.
    public func shutDownService() async throws { _ = try await call(ShutDownCall()) }
}
