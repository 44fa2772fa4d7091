// SPDX-License-Identifier: MIT

import GRDB
package import TransferModel

extension TransferStore {
    // MARK: Adding and forgetting

    /// Appends transfers to the queue, in order, all or none.
    /// - Parameter drafts: their records, one for each of `specs`; the store assigns IDs and ranks.
    /// - Returns: the stored records, with rising IDs that no transfer of this store ever had.
    /// - Throws: code `usage` for a transfer that cannot outlive the process; code `cannotWrite`.
    package func add(_ specs: [Spec], as drafts: [Transfer]) throws(TransferError) -> [Transfer] {
        var encoder = SpecEncoder()
        var rows: [SpecEncoder.Encoded] = []
        rows.reserveCapacity(specs.count)
        for spec in specs { rows.append(try encoder.encode(spec)) }
        return try onQueue { db in
            let numbers = try keep(encoder.secrets, db)
            return try forgettingOnFailure(numbers) {
                try transact(db) { try Self.insert(drafts, rows, numbers, $0) }
            }
        }
    }

    private static func insert(
        _ drafts: [Transfer], _ rows: [SpecEncoder.Encoded], _ numbers: [Int64],
        _ db: Database
    ) throws -> [Transfer] {
        let statement = try db.makeStatement(sql: TransferRow.insert)
        // Half of what a number can hold: a rank in a damaged file must not stop the program.
        var rank = min(try Int64.fetchOne(db, sql: "SELECT MAX(rank) FROM transfers") ?? 0, QueueRank.placeLimit)
        var stored: [Transfer] = []
        stored.reserveCapacity(drafts.count)
        for (draft, row) in zip(drafts, rows) {
            rank += QueueRank.spacing
            let placed = Transfer(draft, id: draft.id, place: rank)
            let values = try TransferRow.insertion(of: placed, row, secrets: row.secrets.map { numbers[$0] })
            try statement.execute(arguments: StatementArguments(values))
            stored.append(Transfer(draft, id: TransferID(rawValue: Int(db.lastInsertedRowID)), place: rank))
        }
        return stored
    }

    /// Removes transfers with their attempts and secrets; events that their sessions have not acknowledged stay.
    /// Unknown IDs are skipped.
    package func remove(_ ids: [TransferID]) throws(TransferError) {
        try onQueue { db in
            var freed: Set<Int64> = []
            try transact(db) { db in
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

    /// Sets whether finished transfers are shown in the queue when it is opened again. Unknown IDs are skipped.
    package func setListed(_ ids: [TransferID], _ isListed: Bool) throws(TransferError) {
        guard !ids.isEmpty else { return }
        try change { db in
            let statement = try db.makeStatement(sql: "UPDATE transfers SET is_listed = ? WHERE id = ?")
            for id in ids { try statement.execute(arguments: [isListed, id.rawValue]) }
        }
    }

    // MARK: Reading

    /// All unfinished transfers, in the order of the queue. Those whose files were about to get their names
    /// (``intend(_:isDurable:dropping:)``) are `verifying`, as if each had been recorded alone.
    package func unfinished() throws(TransferError) -> [Transfer] {
        var found = try read { db in
            var found = try Self.transfers(db, "WHERE state NOT IN ('completed', 'failed', 'cancelled')")
            let intentions = try Self.intentions(db)
            guard !intentions.isEmpty else { return found }
            for index in found.indices {
                guard let (group, file) = intentions[found[index].id] else { continue }
                group.apply(file, to: &found[index])
            }
            return found
        }
        // Rows come by ID, mostly in order already: faster than by the index.
        found.sortByPlace()
        return found
    }

    /// `nil` if there is none, or it was cleared.
    package func transfer(_ id: TransferID) throws(TransferError) -> Transfer? {
        try read { try Self.transfers($0, "WHERE id = ? AND \(TransferRow.isVisible)", [id.rawValue]).first }
    }

    static func transfers(
        _ db: Database, _ condition: String, _ arguments: StatementArguments = []
    ) throws -> [Transfer] {
        let cursor = try Row.fetchCursor(db, sql: "\(TransferRow.select) \(condition)", arguments: arguments)
        var found: [Transfer] = []
        while let row = try cursor.next() { found.append(try TransferRow.transfer(row)) }
        return found
    }

    /// The number of attempts stored per transfer, the latest ones.
    package static let maximumAttempts = 100

    /// The stored attempts of a transfer, oldest first.
    package func attempts(of id: TransferID) throws(TransferError) -> [TransferAttempt] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql:
                    "SELECT number, started_at, ended_at, url, first_byte, last_byte, status, error, metrics FROM "
                    + "attempts "
                    + "WHERE transfer = ? ORDER BY number", arguments: [id.rawValue])
            return try rows.map { row in
                TransferAttempt(
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

    /// Gives transfers other places in the queue; see ``QueueRank``.
    package func setPlaces(_ places: [TransferID: Int64]) throws(TransferError) {
        try change { db in
            let statement = try db.makeStatement(sql: "UPDATE transfers SET rank = ? WHERE id = ?")
            for (id, place) in places { try statement.execute(arguments: [place, id.rawValue]) }
        }
    }
}

extension [Transfer] {
    /// Of the same place, the one that was added later is behind. Without a copy where it is in order already.
    package mutating func sortByPlace() {
        func isBefore(_ one: Transfer, _ other: Transfer) -> Bool {
            (one.place, one.id.rawValue) < (other.place, other.id.rawValue)
        }
        if !zip(self, dropFirst()).allSatisfy(isBefore) { sort(by: isBefore) }
    }
}
