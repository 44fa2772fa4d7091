// SPDX-License-Identifier: MIT

import TransferModel

// What clients ask of the queue.

extension AddParams: ControlCall {
    static let method = "add"

    /// `ids` of the last part of a list, `kept` of the others: how many transfers of it the server has.
    struct Reply: Sendable, Hashable, Codable {
        var ids: [TransferID]?
        var kept: Int?
    }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        guard let list else { return Reply(ids: try await session.queue.add(transfers, on: terms)) }
        let offset = offset ?? 0
        if more == true { return Reply(kept: try session.keep(transfers, of: list, offset: offset, bytes: bytes)) }
        let all = try session.complete(list, offset: offset, with: transfers)
        return Reply(ids: try await session.queue.add(all, on: terms))
    }
}

struct ListCall: ValueCall {
    static let method = "list"
    static var bare: ListCall? { ListCall(QueueFilter()) }
    var value: QueueFilter

    init(_ value: QueueFilter) { self.value = value }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> ListResult {
        ListResult(transfers: try await session.queue.transfers(matching: value))
    }
}

struct ListResult: Sendable, Hashable, Codable { var transfers: [Transfer] }

struct SnapshotCall: PlainCall {
    static let method = "snapshot"

    func carryOut(in session: ServerSession, bytes: Int) async throws -> QueueSnapshot {
        try await session.queue.snapshot()
    }
}

struct InfoCall: ControlCall {
    static let method = "info"
    var id: TransferID

    func carryOut(in session: ServerSession, bytes: Int) async throws -> TransferInfo {
        try await session.queue.info(id)
    }
}

struct PerformCall: ControlCall {
    static let method = "perform"
    var command: WireCommand
    var ids: [TransferID]

    init(_ command: QueueCommand, on ids: [TransferID]) {
        self.command = WireCommand(command)
        self.ids = ids
    }

    private enum Key: CodingKey { case ids }

    /// The command's members stand beside the ids.
    init(from decoder: any Decoder) throws {
        command = try WireCommand(from: decoder)
        ids = try decoder.container(keyedBy: Key.self).decode([TransferID].self, forKey: .ids)
    }

    func encode(to encoder: any Encoder) throws {
        try command.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ids, forKey: .ids)
    }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Done {
        try await session.queue.perform(command.command, on: ids)
        return Done()
    }
}

/// Reverts the latest command.
struct UndoCall: PlainCall {
    static let method = "undo"

    /// As what it reverts. What follows must not be reverted in its place.
    var mayTakeLong: Bool { true }
    var keepsOrder: Bool { true }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> UndoneCommand {
        try await session.queue.undo()
    }
}

struct RelocateCall: ControlCall {
    static let method = "relocate"
    var id: TransferID
    var place: Relocation

    /// Bytes may have to be copied to another file system.
    var mayTakeLong: Bool { place.file != nil || place.folder != nil }

    /// `dropped`: the names of what is not sent to the new origin; absent if there is none.
    struct Reply: Sendable, Hashable, Codable { var dropped: [String]? }

    init(_ id: TransferID, to place: Relocation) {
        self.id = id
        self.place = place
    }

    /// The members of the new place stand beside the ID.
    init(from decoder: any Decoder) throws {
        id = try InfoCall(from: decoder).id
        place = try Relocation(from: decoder)
        try place.check()
    }

    func encode(to encoder: any Encoder) throws {
        try InfoCall(id: id).encode(to: encoder)
        try place.encode(to: encoder)
    }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        let dropped = try await session.queue.relocate(id, to: place)
        return Reply(dropped: dropped.isEmpty ? nil : dropped)
    }
}

struct HistoryCall: ControlCall {
    static let method = "history"
    static var bare: HistoryCall? { HistoryCall() }
    var filter: QueueFilter?
    var before: HistoryEntry.Place?
    /// Absent: 100.
    var limit: Int?

    func carryOut(in session: ServerSession, bytes: Int) async throws -> HistoryResult {
        let query = HistoryQuery(filter: filter ?? QueueFilter(), before: before, limit: limit ?? 100)
        guard (1...HistoryQuery.maximumLimit).contains(query.limit) else {
            throw TransferError(ParameterProblem("limit", .range, from: 1, to: HistoryQuery.maximumLimit))
        }
        return HistoryResult(entries: try await session.queue.history(query))
    }
}

struct HistoryResult: Sendable, Hashable, Codable { var entries: [HistoryEntry] }

/// Asks for events of transfers since the service began.
struct LogCall: ControlCall {
    static let method = "log"
    static var bare: LogCall? { LogCall() }
    var after: Int64?
    var before: Int64?
    var id: TransferID?
    /// Absent: 100.
    var limit: Int?

    func carryOut(in session: ServerSession, bytes: Int) async throws -> LogPage {
        let query = LogQuery(after: after, before: before, id: id, limit: limit ?? 100)
        guard (1...LogQuery.maximumLimit).contains(query.limit) else {
            throw TransferError(ParameterProblem("limit", .range, from: 1, to: LogQuery.maximumLimit))
        }
        return try await session.queue.log(query)
    }
}

struct ClearCall: ValueCall {
    static let method = "clear"
    static var bare: ClearCall? { ClearCall(QueueFilter()) }
    var value: QueueFilter

    struct Reply: Sendable, Hashable, Codable { var cleared: Int }

    init(_ value: QueueFilter) { self.value = value }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        Reply(cleared: try await session.queue.clear(value))
    }
}

struct SessionEventsCall: ControlCall {
    static let method = "session.events"
    var session: String
    /// Absent: 100.
    var limit: Int?

    struct Reply: Sendable, Hashable, Codable { var events: [SessionEvent] }

    func carryOut(in server: ServerSession, bytes: Int) async throws -> Reply {
        let limit = limit ?? 100
        guard (1...SessionEvent.maximumLimit).contains(limit) else {
            throw TransferError(ParameterProblem("limit", .range, from: 1, to: SessionEvent.maximumLimit))
        }
        return Reply(events: try await server.queue.sessionEvents(of: session, limit: limit))
    }
}

struct AcknowledgeCall: ControlCall {
    static let method = "session.acknowledge"
    var session: String
    /// The number of the last event that the delegate has received.
    var upTo: Int64

    func carryOut(in server: ServerSession, bytes: Int) async throws -> Done {
        try await server.queue.acknowledgeSessionEvents(of: session, upTo: upTo)
        return Done()
    }
}
