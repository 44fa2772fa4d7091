// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import Synchronization
import TransferModel

extension TransferStore {
    /// Commits changes, and settings, together. Of a transfer that was removed or cleared meanwhile only the events
    /// are stored.
    ///
    /// A completed transfer loses its secrets: its bytes are never requested again. As the secrets are gone durably, so
    /// must the completion be durable: reverted by a power cut, it would be a transfer that lacks them.
    func commit(
        _ changes: [StoreChange], _ settings: StoreSettings? = nil, isDurable: Bool
    ) throws(TransferError) {
        try onQueue { db in
            var freed: Set<Int64> = []
            let hasSecrets = credentials.withLock { !$0.isEmpty }
            let freesSecrets = hasSecrets && changes.contains { $0.transfer.state == .completed }
            try transact(db, isDurable: isDurable || freesSecrets) { db in
                if let settings { try Self.write(settings, db) }
                for change in changes { try Self.write(change, db, hasSecrets: hasSecrets, &freed) }
            }
            dropUnused(freed, db)
        }
    }

    /// - Parameters:
    ///   - hasSecrets: whether any transfer may have secrets.
    ///   - freed: collects those of completed transfers.
    private static func write(
        _ change: StoreChange, _ db: Database, hasSecrets: Bool, _ freed: inout Set<Int64>
    ) throws {
        let transfer = change.transfer
        let id = transfer.id.rawValue
        switch change.columns {
        case .all:
            let values = try TransferRow.update(of: transfer)
            try db.cachedStatement(sql: TransferRow.update).execute(arguments: StatementArguments(values))
        case .completion:
            try db.cachedStatement(sql: TransferRow.complete).execute(arguments: [
                transfer.file, transfer.httpStatus, TransferRow.startedAt(of: transfer), transfer.endedAt,
                transfer.bytes, transfer.total, transfer.confirmed, id,
            ])
        }
        if db.changesCount > 0 { try write(change.attempts, of: id, db) }
        for payload in change.events {
            try db.cachedStatement(sql: "INSERT INTO events (session, transfer, payload) VALUES (?, ?, ?)")
                .execute(arguments: [transfer.session ?? "", id, DatabaseValue(blob: payload)])
        }
        guard transfer.state == .completed, hasSecrets,
            let set = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT secrets FROM transfers WHERE id = ? AND secrets IS NOT NULL"),
                arguments: [id])
        else { return }
        freed.insert(set)
        try db.cachedStatement(sql: "UPDATE transfers SET secrets = NULL WHERE id = ?").execute(arguments: [id])
    }

    /// One without an end was paused, and the next process continues it: it began when it began first.
    private static let insertAttempt = """
        INSERT INTO attempts (transfer, number, started_at, ended_at, url, first_byte, last_byte, status, error, \
        metrics)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (transfer, number) DO UPDATE SET
            started_at = IIF(ended_at IS NULL, MIN(started_at, excluded.started_at), excluded.started_at),
            first_byte = IIF(ended_at IS NULL, MIN(first_byte, excluded.first_byte), excluded.first_byte),
            ended_at = excluded.ended_at, url = excluded.url, last_byte = excluded.last_byte,
            status = excluded.status, error = excluded.error, metrics = excluded.metrics
        """

    private static func write(_ attempts: [TransferAttempt], of id: Int, _ db: Database) throws {
        guard let newest = attempts.map(\.number).max() else { return }
        let statement = try db.cachedStatement(sql: insertAttempt)
        for attempt in attempts {
            try statement.execute(arguments: [
                id, attempt.number, attempt.startedAt, attempt.endedAt, attempt.url,
                attempt.firstByte, attempt.lastByte, attempt.status, try StoreJSON.text(attempt.error),
                attempt.metrics.map(MetricsText.text),
            ])
        }
        guard newest > Self.maximumAttempts else { return }
        try db.cachedStatement(sql: "DELETE FROM attempts WHERE transfer = ? AND number <= ?")
            .execute(arguments: [id, newest - Self.maximumAttempts])
    }
}

extension DatabaseValue {
    init(blob bytes: [UInt8]) { self = bytes.withUnsafeBytes { Data($0) }.databaseValue }
}
