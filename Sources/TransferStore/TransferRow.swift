// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import TransferModel

/// A row of `transfers` as a value, and back. The lists of columns and of values stand in the same order.
enum TransferRow {
    /// Never changed by the progress of a transfer.
    private static let fixed = ["id", "rank", "session", "kind", "url", "added_at"]
    private static let changing = [
        "file", "priority", "state", "reason", "status", "error", "attempt", "failures", "started_at", "ended_at",
        "retry_at",
        "bytes", "total", "confirmed", "resume", "upload", "rate_limit", "earliest_begin_at", "is_discretionary",
        "task_description", "paused_by",
    ]
    private static let stored = ["subject", "options", "secrets"]

    static let select = "SELECT \((fixed + changing).joined(separator: ", ")) FROM transfers"
    static let update = "UPDATE transfers SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
    static let insert: String = {
        let columns = fixed.dropFirst() + stored + changing
        return "INSERT INTO transfers (\(columns.joined(separator: ", "))) "
            + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }()

    static func values(ofChanging transfer: StoredTransfer) throws -> [(any DatabaseValueConvertible)?] {
        [
            transfer.file, transfer.priority, transfer.state.rawValue, transfer.reason, transfer.status,
            try StoreJSON.text(transfer.error), transfer.attempt, transfer.failures, transfer.startedAt,
            transfer.endedAt,
            transfer.retryAt, transfer.bytes, transfer.total, transfer.confirmed, try StoreJSON.text(transfer.resume),
            try StoreJSON.text(transfer.upload), transfer.rateLimit, transfer.earliestBeginAt, transfer.isDiscretionary,
            transfer.taskDescription, transfer.pausedBy?.rawValue,
        ]
    }

    static func values(ofFixed transfer: StoredTransfer) -> [(any DatabaseValueConvertible)?] {
        [transfer.rank, transfer.session, transfer.kind.rawValue, transfer.url, transfer.addedAt]
    }

    /// - Throws: where a column holds what this program cannot have written.
    static func transfer(_ row: Row) throws -> StoredTransfer {
        guard let kind = TransferKind(rawValue: try row.decode(String.self, atIndex: 3)),
            let state = TransferState(rawValue: try row.decode(String.self, atIndex: 8))
        else { throw Unreadable() }
        var transfer = StoredTransfer(
            id: TransferID(rawValue: try row.decode(Int.self, atIndex: 0)),
            rank: try row.decode(Int64.self, atIndex: 1),
            session: try row.decode(String.self, atIndex: 2), kind: kind, url: try row.decode(String.self, atIndex: 4),
            addedAt: try row.decode(Double.self, atIndex: 5), file: try row.decode(String.self, atIndex: 6),
            state: state)
        transfer.priority = try row.decode(Double.self, atIndex: 7)
        transfer.reason = try row.decode(String?.self, atIndex: 9)
        transfer.status = try row.decode(Int?.self, atIndex: 10)
        transfer.error = try StoreJSON.value(try row.decode(String?.self, atIndex: 11))
        transfer.attempt = try row.decode(Int.self, atIndex: 12)
        transfer.failures = try row.decode(Int.self, atIndex: 13)
        transfer.startedAt = try row.decode(Double?.self, atIndex: 14)
        transfer.endedAt = try row.decode(Double?.self, atIndex: 15)
        transfer.retryAt = try row.decode(Double?.self, atIndex: 16)
        transfer.bytes = try row.decode(Int64.self, atIndex: 17)
        transfer.total = try row.decode(Int64?.self, atIndex: 18)
        transfer.confirmed = try row.decode(Int64?.self, atIndex: 19)
        transfer.resume = StoreJSON.lenientValue(try row.decode(String?.self, atIndex: 20))
        transfer.upload = StoreJSON.lenientValue(try row.decode(String?.self, atIndex: 21))
        transfer.rateLimit = try row.decode(Int?.self, atIndex: 22)
        transfer.earliestBeginAt = try row.decode(Double?.self, atIndex: 23)
        transfer.isDiscretionary = try row.decode(Bool.self, atIndex: 24)
        transfer.taskDescription = try row.decode(String?.self, atIndex: 25)
        transfer.pausedBy = try row.decode(String?.self, atIndex: 26).flatMap(PauseOrigin.init)
        return transfer
    }

    struct Unreadable: Error {}
}

/// Values in columns of text.
enum StoreJSON {
    static func text<Value: Encodable>(_ value: Value?) throws -> String? {
        guard let value else { return nil }
        return String(decoding: try encoder().encode(value), as: UTF8.self)
    }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    static func value<Value: Decodable>(_ text: String?) throws -> Value? {
        guard let text else { return nil }
        return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    /// For what a transfer can do without: going on from the bytes that are kept.
    static func lenientValue<Value: Decodable>(_ text: String?) -> Value? { try? value(text) }
}
