// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import Synchronization
package import TransferModel

extension TransferStore {
    /// The spec of a transfer, including secrets.
    /// - Throws: code `usage`: no such transfer, or its secrets are no longer stored (as after completion), or a newer
    ///   version stored it; code `other` if it is damaged.
    package func description(of id: TransferID) throws(TransferError) -> Spec {
        guard let found = try descriptions(of: [id])[id] else {
            throw TransferError.unknownTransfer(id)
        }
        return try found.get()
    }

    /// The specs of several transfers; for each existing one the spec or the error of reading it.
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
                var error = error
                if error.code == .other {
                    error.message = "transfer \(row.id): \(error.message)"
                    error.fields.transfer = row.id
                }
                specs[row.id] = .failure(error)
            }
        }
        return specs
    }

    /// Changes a transfer's URL, cookies or credential; its bytes so far stay.
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
                try transact(db) { db in
                    try db.execute(
                        sql: "UPDATE transfers SET url = ?, subject = ?, options = ?, secrets = ? WHERE id = ?",
                        arguments: [
                            description.url.string, row.subject, row.options,
                            row.secrets.map { numbers[$0] }, id.rawValue,
                        ])
                    guard let found = try Self.transfers(db, "WHERE id = ?", [id.rawValue]).first else {
                        throw TransferError.unknownTransfer(id)
                    }
                    return found
                }
            }
            if let old { dropUnused([old], db) }
            return changed
        }
    }

    /// Writes sets of secrets to the file, before any row refers to them.
    func keep(_ secrets: [SecretValues], _ db: Database) throws -> [Int64] {
        guard !secrets.isEmpty else { return [] }
        let used = try Int64.fetchOne(db, sql: "SELECT MAX(secrets) FROM transfers WHERE secrets IS NOT NULL") ?? 0
        return try credentials.withLock { try $0.add(secrets, above: used) }
    }

    func forgettingOnFailure<Result>(_ sets: [Int64], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            // If this fails too, the next opening removes them.
            try? credentials.withLock { try $0.remove(Set(sets)) }
            throw error
        }
    }

    /// Removes those of `sets` that no transfer refers to any more, after a commit. If the file cannot be written now,
    /// the next opening removes them.
    func dropUnused(_ sets: Set<Int64>, _ db: Database) {
        guard !sets.isEmpty else { return }
        let unused = sets.filter { set in
            let query = "SELECT EXISTS (SELECT 1 FROM transfers WHERE secrets = ?)"
            return (try? Bool.fetchOne(db.cachedStatement(sql: query), arguments: [set])) == false
        }
        try? credentials.withLock { try $0.remove(unused) }
    }
}
