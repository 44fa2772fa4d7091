// SPDX-License-Identifier: MIT

import GRDB
package import TransferModel

extension TransferStore {
    // MARK: Adding and forgetting

    /// Puts transfers at the end of the queue, in order, all or none.
    /// - Returns: them as they are stored, with ids that no transfer of this store ever had, rising.
    /// - Throws: code `usage` for a transfer that cannot outlive the process; code `cannotWrite`.
    package func add(_ transfers: [NewTransfer]) throws(TransferError) -> [StoredTransfer] {
        var encoder = SpecEncoder()
        var rows: [SpecEncoder.Encoded] = []
        rows.reserveCapacity(transfers.count)
        for transfer in transfers { rows.append(try encoder.encode(transfer.description)) }
        return try onQueue { db in
            let numbers = try keep(encoder.secrets, db)
            return try forgettingOnFailure(numbers) {
                try Self.transact(db) { try Self.insert(transfers, rows, numbers, $0) }
            }
        }
    }

    private static func insert(
        _ transfers: [NewTransfer], _ rows: [SpecEncoder.Encoded], _ numbers: [Int64],
        _ db: Database
    ) throws -> [StoredTransfer] {
        let statement = try db.makeStatement(sql: TransferRow.insert)
        // Half of what a number can hold: a rank in a damaged file must not stop the program.
        var rank = min(try Int64.fetchOne(db, sql: "SELECT MAX(rank) FROM transfers") ?? 0, .max / 2)
        var stored: [StoredTransfer] = []
        stored.reserveCapacity(transfers.count)
        for (transfer, row) in zip(transfers, rows) {
            rank += OrderRank.spacing
            let draft = StoredTransfer(transfer, id: TransferID(rawValue: 0), rank: rank)
            let secrets = row.secrets.map { numbers[$0] }
            let kept: [(any DatabaseValueConvertible)?] = [row.subject, row.options, secrets]
            let values = TransferRow.values(ofFixed: draft) + kept + (try TransferRow.values(ofChanging: draft))
            try statement.execute(arguments: StatementArguments(values))
            stored.append(StoredTransfer(transfer, id: TransferID(rawValue: Int(db.lastInsertedRowID)), rank: rank))
        }
        return stored
    }

    /// Forgets transfers with their tries and secrets; what their sessions have not been told stays. Unknown ids are
    /// skipped.
    package func remove(_ ids: [TransferID]) throws(TransferError) {
        try onQueue { db in
            var freed: Set<Int64> = []
            try Self.transact(db) { db in
                let secrets = try db.makeStatement(
                    sql: "SELECT secrets FROM transfers WHERE id = ? AND secrets IS NOT NULL")
                let delete = try db.makeStatement(sql: "DELETE FROM transfers WHERE id = ?")
                for id in ids {
                    if let set = try Int64.fetchOne(secrets, arguments: [id.rawValue]) { freed.insert(set) }
                    try delete.execute(arguments: [id.rawValue])
                }
            }
            dropUnused(freed, db)
        }
    }

    /// Says whether transfers that have ended are shown in the queue when it is opened again. Unknown ids are skipped.
    package func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError) {
        guard !ids.isEmpty else { return }
        try change { db in
            let statement = try db.makeStatement(sql: "UPDATE transfers SET is_listed = ? WHERE id = ?")
            for id in ids { try statement.execute(arguments: [isListed, id.rawValue]) }
        }
    }

    // MARK: Reading

    /// All that has not ended, in the order of the queue.
    package func unfinished() throws(TransferError) -> [StoredTransfer] {
        let found = try read { db in
            try Self.transfers(db, "WHERE state NOT IN ('completed', 'failed', 'cancelled')")
        }
        // Rows come by id, nearly in order: quicker than a walk along the index.
        return found.sorted { $0.rank < $1.rank }
    }

    /// `nil` where there is none.
    package func transfer(_ id: TransferID) throws(TransferError) -> StoredTransfer? {
        try read { try Self.transfers($0, "WHERE id = ?", [id.rawValue]).first }
    }

    static func transfers(
        _ db: Database, _ condition: String, _ arguments: StatementArguments = []
    ) throws -> [StoredTransfer] {
        let cursor = try Row.fetchCursor(db, sql: "\(TransferRow.select) \(condition)", arguments: arguments)
        var found: [StoredTransfer] = []
        while let row = try cursor.next() { found.append(try TransferRow.transfer(row)) }
        return found
    }

    /// The tries of a transfer that are kept, oldest first.
    package func attempts(of id: TransferID) throws(TransferError) -> [StoredAttempt] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql:
                    "SELECT number, started_at, ended_at, url, first_byte, last_byte, status, error, metrics FROM "
                    + "attempts "
                    + "WHERE transfer = ? ORDER BY number", arguments: [id.rawValue])
            return try rows.map { row in
                StoredAttempt(
                    number: try row.decode(Int.self, atIndex: 0), startedAt: try row.decode(Double.self, atIndex: 1),
                    endedAt: try row.decode(Double?.self, atIndex: 2),
                    url: try row.decode(String.self, atIndex: 3), firstByte: try row.decode(Int64.self, atIndex: 4),
                    lastByte: try row.decode(Int64.self, atIndex: 5), status: try row.decode(Int?.self, atIndex: 6),
                    error: try StoreJSON.value(try row.decode(String?.self, atIndex: 7)),
                    metrics: try StoreJSON.value(try row.decode(String?.self, atIndex: 8)))
            }
        }
    }

    // MARK: Order

    /// Gives transfers other places in the queue; see ``OrderRank``.
    package func setRanks(_ ranks: [TransferID: Int64]) throws(TransferError) {
        try change { db in
            let statement = try db.makeStatement(sql: "UPDATE transfers SET rank = ? WHERE id = ?")
            for (id, rank) in ranks { try statement.execute(arguments: [rank, id.rawValue]) }
        }
    }
}

extension StoredTransfer {
    /// As a store keeps it from the moment it is added.
    package init(_ new: NewTransfer, id: TransferID, rank: Int64) {
        self.init(
            id: id, rank: rank, session: new.session, kind: new.description.kind, url: new.description.url.string,
            addedAt: new.addedAt, file: new.file, state: new.isPaused ? .paused : .queued)
        pausedBy = new.isPaused ? .transfer : nil
        priority = new.priority
        rateLimit = new.description.options.rateLimit
        earliestBeginAt = new.earliestBeginAt
        isDiscretionary = new.isDiscretionary
        taskDescription = new.taskDescription
    }
}
