// SPDX-License-Identifier: MIT

package import TransferModel

// Calls that read transfers and what happened to them.

extension QueueClient {
    /// The whole queue at this moment.
    package func snapshot() async throws -> QueueSnapshot { try await call(SnapshotCall()) }

    /// The transfers that match `filter`, in the order of the queue.
    package func transfers(matching filter: QueueFilter) async throws -> [Transfer] {
        try await call(ListCall(filter)).transfers
    }

    /// One transfer with its recorded attempts.
    /// - Throws: code `usage` if the ID is neither in the queue nor in the history.
    package func info(_ id: TransferID) async throws -> TransferInfo { try await call(InfoCall(id: id)) }

    /// Finished transfers, latest first.
    /// - Throws: code `usage` if the queue has no history.
    package func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        try await call(HistoryCall(filter: query.filter, before: query.before, limit: query.limit)).entries
    }

    /// The last 10,000 events of transfers since the queue began.
    /// - Throws: code `usage` if the queue keeps no log.
    package func log(_ query: LogQuery) async throws -> LogPage {
        try await call(LogCall(after: query.after, before: query.before, id: query.id, limit: query.limit))
    }

    /// The ends of a background session's transfers that its delegate has not received, oldest first. The same ones
    /// until they are acknowledged.
    /// - Parameter limit: maximum events, 1…``SessionEvent/maximumLimit``.
    /// - Throws: code `usage` if the queue has no such events.
    package func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        try await call(SessionEventsCall(session: session, limit: limit)).events
    }

    /// The delegate has received all events up to and including `sequence`: they are deleted.
    /// - Throws: code `usage` if the queue has no such events.
    package func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        _ = try await call(AcknowledgeCall(session: session, upTo: sequence))
    }
}

package struct ListCall: ControlCall, ValueCall {
    package static let method = "list"
    static var bare: ListCall? { ListCall(QueueFilter()) }
    package var value: QueueFilter

    package struct Reply: Sendable, Hashable, Codable {
        var transfers: [Transfer]
        package init(transfers: [Transfer]) { self.transfers = transfers }
    }

    package init(_ value: QueueFilter) { self.value = value }
}

package struct SnapshotCall: ControlCall, PlainCall {
    package typealias Reply = QueueSnapshot
    package static let method = "snapshot"

    package init() {}
}

package struct InfoCall: ControlCall {
    package typealias Reply = TransferInfo
    package static let method = "info"
    package var id: TransferID
}

package struct HistoryCall: ControlCall {
    package static let method = "history"
    package static var ability: TransferProblem.Ability? { .history }
    static var bare: HistoryCall? { HistoryCall() }
    var filter: QueueFilter?
    var before: HistoryEntry.Place?
    /// Absent: 100.
    var limit: Int?

    package struct Reply: Sendable, Hashable, Codable {
        var entries: [HistoryEntry]
        package init(entries: [HistoryEntry]) { self.entries = entries }
    }

    package var query: HistoryQuery {
        HistoryQuery(filter: filter ?? QueueFilter(), before: before, limit: limit ?? 100)
    }

    func check() throws(TransferError) { try WireCheck.count(query.limit, upTo: HistoryQuery.maximumLimit) }
}

package struct LogCall: ControlCall {
    package typealias Reply = LogPage
    package static let method = "log"
    package static var ability: TransferProblem.Ability? { .log }
    static var bare: LogCall? { LogCall() }
    var after: Int64?
    var before: Int64?
    var id: TransferID?
    /// Absent: 100.
    var limit: Int?

    package var query: LogQuery { LogQuery(after: after, before: before, id: id, limit: limit ?? 100) }

    func check() throws(TransferError) { try WireCheck.count(query.limit, upTo: LogQuery.maximumLimit) }
}

package struct SessionEventsCall: ControlCall {
    package static let method = "session.events"
    package static var ability: TransferProblem.Ability? { .sessionEvents }
    package var session: String
    /// Absent: 100.
    var limit: Int?

    package struct Reply: Sendable, Hashable, Codable {
        var events: [SessionEvent]
        package init(events: [SessionEvent]) { self.events = events }
    }

    package var maximum: Int { limit ?? 100 }

    func check() throws(TransferError) { try WireCheck.count(maximum, upTo: SessionEvent.maximumLimit) }
}

package struct AcknowledgeCall: ControlCall {
    package static let method = "session.acknowledge"
    package static var ability: TransferProblem.Ability? { .sessionEvents }
    package var session: String
    /// The number of the last event that the delegate has received.
    package var upTo: Int64
}
