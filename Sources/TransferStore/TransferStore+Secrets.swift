// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import Synchronization
package import TransferModel

extension TransferStore {
    /// What was asked for, secrets included.
    /// - Throws: code `usage`: no such transfer, or its secrets are no longer kept (those of a completed one never
    ///   are), or a newer version stored it; code `other` where it is damaged.
    package func description(of id: TransferID) throws(TransferError) -> Spec {
        guard let found = try descriptions(of: [id])[id] else {
            throw TransferError(.usage, "no transfer has the id \(id)")
        }
        return try found.get()
    }

    /// What was asked for, of several at once; each that is there, or why it cannot be given.
    package func descriptions(
        of ids: [TransferID]
    ) throws(TransferError)
        -> [TransferID: Result<Spec, TransferError>]
    {
        let found = try read { db in
            let statement = try db.cachedStatement(sql: "SELECT subject, options, secrets FROM transfers WHERE id = ?")
            return try ids.compactMap { id in
                try Row.fetchOne(statement, arguments: [id.rawValue]).map { row in
                    let set = try row.decode(Int64?.self, atIndex: 2)
                    return (
                        id: id, subject: try row.decode(String.self, atIndex: 0),
                        options: try row.decode(String.self, atIndex: 1),
                        secrets: set.flatMap { set in credentials.withLock { $0[set] } } ?? SecretValues()
                    )
                }
            }
        }
        var decoder = SpecDecoder()
        var specs: [TransferID: Result<Spec, TransferError>] = [:]
        for row in found {
            do throws(TransferError) {
                specs[row.id] = .success(
                    try decoder.decode(subject: row.subject, options: row.options, secrets: row.secrets))
            } catch {
                specs[row.id] = .failure(
                    error.code == .other ? TransferError(.other, "transfer \(row.id): \(error.message)") : error)
            }
        }
        return specs
    }

    /// Gives a transfer another address, other cookies or another credential; what has moved so far stays.
    /// - Returns: the transfer afterwards.
    /// - Throws: code `usage`: no such transfer, or one that cannot outlive the process; code `cannotWrite`.
    package func replaceDescription(
        of id: TransferID, with description: Spec
    ) throws(TransferError)
        -> Transfer
    {
        var encoder = SpecEncoder()
        let row = try encoder.encode(description)
        return try onQueue { db in
            let old = try Int64.fetchOne(
                db, sql: "SELECT secrets FROM transfers WHERE id = ? AND secrets IS NOT NULL",
                arguments: [id.rawValue])
            let numbers = try keep(encoder.secrets, db)
            let changed = try forgettingOnFailure(numbers) {
                try Self.transact(db) { db in
                    try db.execute(
                        sql: "UPDATE transfers SET url = ?, subject = ?, options = ?, secrets = ? WHERE id = ?",
                        arguments: [
                            description.url.string, row.subject, row.options,
                            row.secrets.map { numbers[$0] }, id.rawValue,
                        ])
                    guard let found = try Self.transfers(db, "WHERE id = ?", [id.rawValue]).first else {
                        throw TransferError(.usage, "no transfer has the id \(id)")
                    }
                    return found
                }
            }
            if let old { dropUnused([old], db) }
            return changed
        }
    }

    /// Puts sets of secrets into the file, before any row names them.
    func keep(_ secrets: [SecretValues], _ db: Database) throws -> [Int64] {
        guard !secrets.isEmpty else { return [] }
        let used = try Int64.fetchOne(db, sql: "SELECT MAX(secrets) FROM transfers WHERE secrets IS NOT NULL") ?? 0
        return try credentials.withLock { try $0.add(secrets, above: used) }
    }

    func forgettingOnFailure<Result>(_ sets: [Int64], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            // Where this fails too, the next opening removes them.
            try? credentials.withLock { try $0.remove(Set(sets)) }
            throw error
        }
    }

    /// Removes those of `sets` that no transfer names any more. What it follows is committed; where the file cannot be
    /// written now, the next opening removes them.
    func dropUnused(_ sets: Set<Int64>, _ db: Database) {
        guard !sets.isEmpty else { return }
        let unused = sets.filter { set in
            let query = "SELECT EXISTS (SELECT 1 FROM transfers WHERE secrets = ?)"
            return (try? Bool.fetchOne(db.cachedStatement(sql: query), arguments: [set])) == false
        }
        try? credentials.withLock { try $0.remove(unused) }
    }
}
