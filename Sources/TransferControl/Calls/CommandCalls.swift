// SPDX-License-Identifier: MIT

package import TransferModel

// Calls that change transfers.

extension QueueClient {
    /// Appends transfers to the queue, in order.
    /// - Returns: one ID per transfer, in the same order.
    /// - Throws: a ``TransferError`` if a spec cannot be accepted; then none was added.
    package func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        try await call(AddParams(transfers: descriptions, terms: terms)).ids ?? []
    }

    /// ``add(_:on:)`` with default terms.
    package func add(_ descriptions: [Spec], paused: Bool) async throws -> [TransferID] {
        try await add(descriptions, on: TransferTerms(paused: paused))
    }

    /// Executes `command` for each of `ids`; IDs to which it does not apply now (pausing a finished transfer) are
    /// skipped.
    /// - Throws: code `usage` if an ID is unknown; then nothing was done.
    package func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        _ = try await call(PerformCall(command, on: ids))
    }

    /// Reverts the latest command that can be reverted: pausing, resuming, cancelling with the partial file kept,
    /// removing from the list, moving, relocating, and changing start, priority or limits. The queue keeps the last 50
    /// commands, for ten minutes. Transfers that have changed otherwise since stay as they are.
    /// - Throws: code `usage` if there is none.
    package func undo() async throws -> UndoneCommand { try await call(UndoCall()) }

    /// Gives a transfer a new URL, new credentials, or a download another file; its bytes stay. A running one starts
    /// its next attempt with them.
    ///
    /// If the new URL has another origin (RFC 6454: scheme, host, port), possible secrets of the old one are dropped
    /// unless `place` replaces them: header fields that are not impersonal, cookies, login, SID, client certificate.
    /// - Returns: the names of what was dropped, without values: `Authorization`, `cookie c`, `login of 'bob'`, `SID`,
    ///   `client certificate`.
    /// - Throws: code `usage` if the ID is unknown, the transfer is completed, or the queue does not support it; code
    ///   `cannotWrite` if the bytes so far cannot get another name. Then nothing has changed.
    @discardableResult
    package func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try await call(RelocateCall(id, to: place)).dropped ?? []
    }

    /// Removes finished transfers that match `filter`, from the queue and the history.
    /// - Returns: the number of removed transfers.
    package func clear(_ filter: QueueFilter) async throws -> Int { try await call(ClearCall(filter)).cleared }
}

extension AddParams: ControlCall {
    package static let method = "add"

    /// `ids` of the last part of a list, `kept` of the others: how many transfers of it the server has.
    package struct Reply: Sendable, Hashable, Codable {
        package var ids: [TransferID]?
        var kept: Int?

        package init(ids: [TransferID]) { self.ids = ids }
        init(kept: Int) { self.kept = kept }
    }

    func carryOut(in session: ServerSession, bytes: Int) async throws -> Reply {
        guard let list else { return try await session.queue.call(self) }
        let offset = offset ?? 0
        if more == true { return Reply(kept: try session.keep(transfers, of: list, offset: offset, bytes: bytes)) }
        let all = try session.complete(list, offset: offset, with: transfers)
        return try await session.queue.call(AddParams(transfers: all, terms: terms))
    }
}

package struct PerformCall: ControlCall {
    package static let method = "perform"
    package var command: QueueCommand
    package var ids: [TransferID]

    init(_ command: QueueCommand, on ids: [TransferID]) { (self.command, self.ids) = (command, ids) }

    private enum Key: CodingKey { case ids }

    /// The command's members stand beside the ids.
    package init(from decoder: any Decoder) throws {
        command = try WireCommand(from: decoder).command
        ids = try decoder.container(keyedBy: Key.self).decode([TransferID].self, forKey: .ids)
    }

    package func encode(to encoder: any Encoder) throws {
        try WireCommand(command).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ids, forKey: .ids)
    }
}

package struct UndoCall: ControlCall, PlainCall {
    package typealias Reply = UndoneCommand
    package static let method = "undo"
    package static var ability: TransferProblem.Ability? { .undo }

    package init() {}

    /// As what it reverts. What follows must not be reverted in its place.
    package var mayTakeLong: Bool { true }
    var keepsOrder: Bool { true }
}

package struct RelocateCall: ControlCall {
    package static let method = "relocate"
    package static var ability: TransferProblem.Ability? { .relocate }
    package var id: TransferID
    package var place: Relocation

    /// Bytes may have to be copied to another file system.
    package var mayTakeLong: Bool { place.file != nil || place.folder != nil }

    /// `dropped`: the names of what is not sent to the new origin; absent if there is none.
    package struct Reply: Sendable, Hashable, Codable {
        var dropped: [String]?
        package init(dropped: [String]) { self.dropped = dropped.isEmpty ? nil : dropped }
    }

    init(_ id: TransferID, to place: Relocation) { (self.id, self.place) = (id, place) }

    /// The members of the new place stand beside the ID.
    package init(from decoder: any Decoder) throws {
        id = try InfoCall(from: decoder).id
        place = try Relocation(from: decoder)
        try place.check()
    }

    package func encode(to encoder: any Encoder) throws {
        try InfoCall(id: id).encode(to: encoder)
        try place.encode(to: encoder)
    }
}

package struct ClearCall: ControlCall, ValueCall {
    package static let method = "clear"
    static var bare: ClearCall? { ClearCall(QueueFilter()) }
    package var value: QueueFilter

    package struct Reply: Sendable, Hashable, Codable {
        var cleared: Int
        package init(cleared: Int) { self.cleared = cleared }
    }

    package init(_ value: QueueFilter) { self.value = value }
}
