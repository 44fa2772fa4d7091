// SPDX-License-Identifier: MIT

import GRDB
import TransferModel

/// A transfer as a row of `transfers`, in both directions. Each column is named once.
enum TransferRow {
    static let select = "SELECT \((fixed + changing).joined(separator: ", ")) FROM transfers"
    static let update =
        "UPDATE transfers SET \(changing.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ? AND \(isVisible)"
    /// ``StoreChange/Columns/completion``
    static let complete = """
        UPDATE transfers SET file = ?, state = 'completed', reason = NULL, note = NULL, status = ?, error = NULL, \
        started_at = ?, ended_at = ?, retry_at = NULL, bytes = ?, total = ?, confirmed = ?, resume = NULL, \
        paused_by = NULL, postponed = NULL WHERE id = ? AND \(isVisible)
        """
    /// Not of what was cleared, which a time before 1970 marks.
    static let isVisible = "COALESCE(ended_at, 0) >= 0"
    static let insert: String = {
        let columns = fixed.dropFirst() + ["subject", "options", "secrets"] + changing
        return "INSERT INTO transfers (\(columns.joined(separator: ", "))) "
            + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }()

    private static let fixed = names { try visitFixed(&$0, &$1) }
    private static let changing = names { try visitChanging(&$0, &$1) }

    /// The arguments of ``update``.
    static func update(of transfer: Transfer) throws -> [(any DatabaseValueConvertible)?] {
        var (content, values) = (Content(transfer), ColumnValues())
        try visitChanging(&content, &values)
        return values.values + [transfer.id.rawValue]
    }

    /// The arguments of ``insert``.
    static func insertion(
        of transfer: Transfer, _ spec: SpecEncoder.Encoded, secrets: Int64?
    ) throws -> [(any DatabaseValueConvertible)?] {
        var (content, values) = (Content(transfer), ColumnValues())
        try visitFixed(&content, &values)
        values.values.removeFirst()
        values.values += [spec.subject, spec.options, secrets] as [(any DatabaseValueConvertible)?]
        try visitChanging(&content, &values)
        return values.values
    }

    /// - Throws: if a column holds a value that this program cannot have written.
    static func transfer(_ row: Row) throws -> Transfer {
        var (content, reader) = (Content.blank, ColumnReader(row: row))
        try visitFixed(&content, &reader)
        try visitChanging(&content, &reader)
        return content.transfer
    }

    /// Of one that has ended, by its duration; ``Checkpoint/startedAt`` of the others.
    static func startedAt(of transfer: Transfer) -> Double? {
        transfer.endedAt.flatMap { end in transfer.duration.map { end - $0 } }
    }

    private struct Content {
        var form: TransferForm
        var checkpoint: Checkpoint
        var place: Int64

        static var blank: Content {
            Content(Transfer(id: TransferID(rawValue: 0), kind: .download, url: "", file: ""))
        }

        init(_ transfer: Transfer) {
            form = TransferForm(transfer)
            (checkpoint, place) = (transfer.checkpoint ?? Checkpoint(), transfer.place)
            checkpoint.startedAt = startedAt(of: transfer) ?? checkpoint.startedAt
        }

        var transfer: Transfer {
            var form = form
            if form.state.isEnded, let start = checkpoint.startedAt, let end = form.endedAt {
                form.duration = max(0, end - start)
            }
            var transfer = Transfer(form)
            transfer.place = place
            transfer.uploadProtocol = checkpoint.upload?.point?.carrier.description
            if checkpoint != Checkpoint() { transfer.checkpoint = checkpoint }
            return transfer
        }
    }

    /// Columns that the progress of a transfer never changes.
    private static func visitFixed(_ row: inout Content, _ visitor: inout some ColumnVisitor) throws {
        var session = row.form.terms?.session ?? ""
        var id = row.form.id.rawValue
        var batch = row.form.terms?.batch.map { "\($0.id) \($0.name)" }
        try visitor.column("id", &id)
        try visitor.column("rank", &row.place)
        try visitor.column("session", &session)
        try visitor.word("kind", &row.form.kind)
        try visitor.column("url", &row.form.url)
        try visitor.column("added_at", &row.form.addedAt)
        try visitor.column("batch", &batch)
        guard visitor.isReading else { return }
        row.form.id = TransferID(rawValue: id)
        row.form.set(\.session, session.isEmpty ? nil : session)
        row.form.set(\.batch, batch.flatMap(TransferBatch.init(column:)))
    }

    private static func visitChanging(_ row: inout Content, _ visitor: inout some ColumnVisitor) throws {
        var priority = row.form.priority ?? 0.5
        var earliestBegin = row.form.terms?.earliestBegin
        var isDiscretionary = row.form.terms?.isDiscretionary ?? false
        var taskDescription = row.form.terms?.taskDescription
        var after = row.form.terms?.after
        try visitor.column("file", &row.form.file)
        try visitor.column("priority", &priority)
        try visitor.word("state", &row.form.state)
        try visitor.column("reason", &row.form.reason)
        try visitor.lenientJSON("note", &row.form.note)
        try visitor.column("status", &row.form.status)
        try visitor.json("error", &row.form.error)
        try visitor.column("attempt", &row.form.attempt)
        try visitor.column("failures", &row.checkpoint.failures)
        try visitor.column("started_at", &row.checkpoint.startedAt)
        try visitor.column("ended_at", &row.form.endedAt)
        try visitor.column("retry_at", &row.form.retryAt)
        try visitor.column("bytes", &row.form.bytes)
        try visitor.column("total", &row.form.total)
        try visitor.column("confirmed", &row.form.confirmed)
        try visitor.lenientJSON("resume", &row.checkpoint.download)
        try visitor.lenientJSON("upload", &row.checkpoint.upload)
        try visitor.column("rate_limit", &row.form.rateLimit)
        try visitor.column("earliest_begin_at", &earliestBegin)
        try visitor.column("is_discretionary", &isDiscretionary)
        try visitor.column("task_description", &taskDescription)
        try visitor.word("paused_by", &row.form.pausedBy)
        try visitor.word("postponed", &row.checkpoint.postponed)
        try visitor.json("predecessors", &after)
        guard visitor.isReading else { return }
        row.form.priority = priority == 0.5 ? nil : priority
        row.form.set(\.earliestBegin, earliestBegin)
        row.form.set(\.isDiscretionary, isDiscretionary)
        row.form.set(\.taskDescription, taskDescription)
        row.form.set(\.after, after)
    }

    private static func names(_ visit: (inout Content, inout ColumnNames) throws -> Void) -> [String] {
        var (content, names) = (Content.blank, ColumnNames())
        // Names are only collected.
        try? visit(&content, &names)
        return names.names
    }
}

extension TransferBatch {
    fileprivate init?(column: String) {
        guard let blank = column.firstIndex(of: " ") else { return nil }
        self.init(id: String(column[..<blank]), name: String(column[column.index(after: blank)...]))
    }
}

extension TransferForm {
    fileprivate mutating func set<Value: Equatable>(_ member: WritableKeyPath<TransferTerms, Value>, _ value: Value) {
        var changed = terms ?? TransferTerms()
        guard changed[keyPath: member] != value else { return }
        changed[keyPath: member] = value
        terms = changed
    }
}
