// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import TransferModel

extension TransferStore {
    /// Commits changes together. Of a transfer that was removed meanwhile only the events are stored.
    ///
    /// A completed transfer loses its secrets: its bytes are never requested again.
    func commit(_ changes: [StoreChange], isDurable: Bool) throws(TransferError) {
        try onQueue { db in
            var freed: Set<Int64> = []
            try Self.transact(db, isDurable: isDurable) { db in
                for change in changes { try Self.write(change, db, &freed) }
            }
            dropUnused(freed, db)
        }
    }

    private static func write(_ change: StoreChange, _ db: Database, _ freed: inout Set<Int64>) throws {
        let transfer = change.transfer
        let id = transfer.id.rawValue
        let values = try TransferRow.update(of: transfer)
        try db.cachedStatement(sql: TransferRow.update).execute(arguments: StatementArguments(values))
        if db.changesCount > 0 { try write(change.attempts, of: id, db) }
        for payload in change.events {
            try db.cachedStatement(sql: "INSERT INTO events (session, transfer, payload) VALUES (?, ?, ?)")
                .execute(arguments: [transfer.session ?? "", id, DatabaseValue(blob: payload)])
        }
        guard transfer.state == .completed,
            let set = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT secrets FROM transfers WHERE id = ? AND secrets IS NOT NULL"),
                arguments: [id])
        else { return }
        freed.insert(set)
        try db.cachedStatement(sql: "UPDATE transfers SET secrets = NULL WHERE id = ?").execute(arguments: [id])
    }

    private static func write(_ attempts: [TransferAttempt], of id: Int, _ db: Database) throws {
        guard let newest = attempts.map(\.number).max() else { return }
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO attempts (transfer, number, started_at, ended_at, url, first_byte, last_byte, \
                status, error, metrics)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for attempt in attempts {
            try statement.execute(arguments: [
                id, attempt.number, attempt.startedAt, attempt.endedAt, attempt.url,
                attempt.firstByte, attempt.lastByte, attempt.status, try StoreJSON.text(attempt.error),
                try StoreJSON.text(attempt.metrics),
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM attempts WHERE transfer = ? AND number <= ?")
            .execute(arguments: [id, newest - Self.maximumAttempts])
    }
}

extension DatabaseValue {
    init(blob bytes: [UInt8]) { self = bytes.withUnsafeBytes { Data($0) }.databaseValue }
}
