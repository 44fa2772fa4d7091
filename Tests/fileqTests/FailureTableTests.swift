// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TransferModel
@testable import fileq

/// Every failure with the combinations of values that change its sentence, as version 0.1 worded, stored and sent it:
/// `Tests/Goldens/failures.jsonl`. Queues and clients of that version exist, so that a line may come, and none change.
@Suite struct FailureTableTests {
    static let rows: [FailureRow] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Goldens/failures.jsonl").standardized
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? FailureRow(parsing: String($0)) }
    }()

    @Test func keepsSentencesHintsAndForms() throws {
        #expect(Self.rows.count > 2300)
        for row in Self.rows {
            let line = try row.remade().line()
            #expect(line == row.source)
        }
    }

    @Test func everyKindHasARow() {
        let problems = Self.rows.compactMap { $0.local ?? $0.error.fields.problem }
        let kinds = TransferProblem.Kind.allCases.map(\.rawValue) + TransferProblem.LocalKind.allCases.map(\.rawValue)
        #expect(Set(problems.map(\.name)) == Set(kinds))
        #expect(Set(Self.rows.compactMap(\.error.fields.file?.kind)) == Set(FileProblem.Kind.allCases))
        #expect(Set(Self.rows.compactMap(\.error.fields.parameter?.kind)) == Set(ParameterProblem.Kind.allCases))
        #expect(Set(Self.rows.compactMap(\.error.fields.mismatch?.kind)) == Set(ContentMismatch.Kind.allCases))
        #expect(Set(Self.rows.map(\.error.code.cause)) == Set(TransferError.Code.Cause.allCases))
        let special = Sentences.english.keys.filter { key in
            ["proxyFailed.", "outcomeUnknown.", "noStoredResponse.", "serviceNeeded."].contains { key.hasPrefix($0) }
        }
        #expect(special.isSubset(of: problems.map { $0.keys[0] }))
    }
}

/// What is stored and sent, what stays in the program, and the sentence of the program where it says more.
struct FailureRow: Codable {
    var error: TransferError
    var local: TransferProblem?
    var text: String?
    var source = ""

    private enum CodingKeys: String, CodingKey { case error, local, text }

    init(parsing line: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
        source = line
    }

    /// The same, made of the values alone.
    func remade() -> FailureRow {
        var row = self
        let (code, fields) = (error.code, error.fields)
        if let local {
            let isValue = !["service", "session", "background"].contains { local.name.hasPrefix($0) }
            row.error = TransferError(
                local: local, code: isValue ? nil : code, systemErrno: error.systemErrno, path: fields.path,
                variant: isValue ? nil : fields.variant)
        } else if let problem = fields.problem {
            if let text = problem.message(of: error) {
                row.error.underlying.text = text + (fields.refusal?.amendments ?? "")
            }
        } else if let file = fields.file {
            row.error = TransferError(
                code, file: file, path: fields.path, systemErrno: error.systemErrno, variant: fields.variant)
        } else if let parameter = fields.parameter {
            row.error = TransferError(parameter)
        } else if let mismatch = fields.mismatch {
            row.error = TransferError(mismatch, path: fields.path, host: fields.host)
        } else if let refusal = fields.refusal, let status = fields.status {
            row.error = TransferError(code, refusal, host: fields.host ?? "", status: status)
            row.error.fields.timer = fields.timer
        }
        row.local = row.error.fields.local
        let text = MessageCatalog.text(row.error)
        row.text = text == row.error.message ? nil : text
        return row
    }

    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
