// SPDX-License-Identifier: MIT

import FoundationEssentials
import GRDB
import Synchronization
public import TransferModel

extension TransferStore {
    /// What was asked for, secrets included.
    /// - Throws: code `usage`: no such transfer, or its secrets are no longer kept (those of a completed one never are), or
    ///   a newer version stored it; code `other` where it is damaged.
    public func description(of id: TransferID) throws(TransferError) -> TransferDescription {
        guard let found = try descriptions(of: [id])[id] else { throw TransferError(.usage, "no transfer has the id \(id)") }
        return try found.get()
    }

    /// What was asked for, of several at once; each that is there, or why it cannot be given.
    public func descriptions(of ids: [TransferID]) throws(TransferError)
        -> [TransferID: Result<TransferDescription, TransferError>] {
        let found = try read { db in
            let statement = try db.cachedStatement(sql: "SELECT subject, options, secrets FROM transfers WHERE id = ?")
            return try ids.compactMap { id in
                try Row.fetchOne(statement, arguments: [id.rawValue]).map { row in
                    let set = try row.decode(Int64?.self, atIndex: 2)
                    return (id: id, subject: try row.decode(String.self, atIndex: 0), options: try row.decode(String.self, atIndex: 1),
                            secrets: set.flatMap { set in credentials.withLock { $0[set] } } ?? SecretValues())
                }
            }
        }
        // Neighbours mostly share their options.
        var last: (text: String, options: StoredDescription.Options)?
        var descriptions: [TransferID: Result<TransferDescription, TransferError>] = [:]
        for row in found {
            if last?.text != row.options { last = (try? StoreJSON.value(row.options)).map { (row.options, $0) } }
            guard let subject: StoredDescription.Subject = try? StoreJSON.value(row.subject), let options = last?.options else {
                descriptions[row.id] = .failure(TransferError(.other, "transfer \(row.id): what is stored of it cannot be read; "
                    + "remove it and add it anew"))
                continue
            }
            let stored = StoredDescription(subject: subject, options: options)
            descriptions[row.id] = Result { () throws(TransferError) in try stored.restored(with: row.secrets) }
        }
        return descriptions
    }

    /// Gives a transfer another address, other cookies or another credential; what has moved so far stays.
    /// - Returns: the transfer afterwards.
    /// - Throws: code `usage`: no such transfer, or one that cannot outlive the process; code `cannotWrite`.
    public func replaceDescription(of id: TransferID, with description: TransferDescription) throws(TransferError)
        -> StoredTransfer {
        var encoder = DescriptionEncoder()
        let row = try encoder.encode(description)
        return try onQueue { db in
            let old = try Int64.fetchOne(db, sql: "SELECT secrets FROM transfers WHERE id = ? AND secrets IS NOT NULL",
                                         arguments: [id.rawValue])
            let numbers = try keep(encoder.secrets, db)
            let changed = try forgettingOnFailure(numbers) {
                try Self.transact(db) { db in
                    try db.execute(sql: "UPDATE transfers SET url = ?, subject = ?, options = ?, secrets = ? WHERE id = ?",
                                   arguments: [description.url.string, row.subject, row.options,
                                               row.secrets.map { numbers[$0] }, id.rawValue])
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

/// Descriptions as columns. Long lists share options and secrets, so what came last is remembered.
struct DescriptionEncoder {
    struct Encoded {
        var subject: String
        var options: String
        /// Which of ``DescriptionEncoder/secrets``; `nil` where there are none.
        var secrets: Int?
    }

    private let encoder = StoreJSON.encoder()
    private(set) var secrets: [SecretValues] = []
    private var places: [SecretValues: Int] = [:]
    private var last: (options: TransferOptions, text: String, secrets: SecretValues)?

    mutating func encode(_ description: TransferDescription) throws(TransferError) -> Encoded {
        var values = SecretValues()
        let subject = try StoredDescription.Subject(description, secrets: &values)
        let options = try encode(description.options)
        values.merge(options.secrets)
        return Encoded(subject: try text(subject), options: options.text, secrets: place(of: values))
    }

    private mutating func encode(_ options: TransferOptions) throws(TransferError) -> (text: String, secrets: SecretValues) {
        if let last, last.options == options { return (last.text, last.secrets) }
        var values = SecretValues()
        let text = try text(StoredDescription.Options(options, secrets: &values))
        last = (options, text, values)
        return (text, values)
    }

    private mutating func place(of values: SecretValues) -> Int? {
        if values.isEmpty { return nil }
        if let place = places[values] { return place }
        secrets.append(values)
        places[values] = secrets.count - 1
        return secrets.count - 1
    }

    /// What JSON cannot hold is a timeout that is no number.
    private func text(_ value: some Encodable) throws(TransferError) -> String {
        guard let bytes = try? encoder.encode(value) else {
            throw TransferError(.usage, "the transfer holds a number that is not finite, so it cannot be stored")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
