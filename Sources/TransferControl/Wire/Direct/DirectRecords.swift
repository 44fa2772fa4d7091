// SPDX-License-Identifier: MIT

import TransferModel

// The members of what travels often or in great number. Names and shapes are those of the types' Codable; a test
// compares the two.

extension TransferState: DirectlyCoded {}
extension TransferKind: DirectlyCoded {}
extension PauseOrigin: DirectlyCoded {}
extension TransferID: DirectlyCoded {}
extension TransferEvent.Name: DirectlyCoded {}
extension TransferError.Timer: DirectlyCoded {}
extension TransferError.Variant: DirectlyCoded {}
extension TransactionMetrics.FetchType: DirectlyCoded {}

extension CertificateProblem: IndirectlyCoded {}
extension ConsentQuestion: IndirectlyCoded {}
extension ResumeData: IndirectlyCoded {}
extension QueueLimits: IndirectlyCoded {}

extension TransferSnapshot: DirectlyCoded {
    static func blank(_ id: TransferID) -> TransferSnapshot {
        TransferSnapshot(id: id, kind: .download, url: "", file: "", state: .queued)
    }

    func write(to json: inout JSONWriter) throws {
        json.beginObject()
        json.key("id")
        json.write(id.rawValue)
        var members = Members(transfer: self)
        try members.visit(&json)
        json.endObject()
    }

    static func read(from json: inout JSONReader) throws -> TransferSnapshot {
        var members = Members(transfer: blank(try id(json)))
        try json.read(into: &members)
        return members.transfer
    }

    /// Looks ahead for the id, which is the first member unless another program wrote them.
    private static func id(_ json: JSONReader) throws -> TransferID {
        var ahead = json
        try ahead.take("{")
        repeat {
            if try ahead.key().elementsEqual("id".utf8) { return try TransferID.read(from: &ahead) }
            _ = try ahead.value()
        } while try ahead.takes(",")
        throw JSONReader.Problem()
    }

    /// All but the id, which never changes.
    private struct Members: DirectRecord {
        var transfer: TransferSnapshot

        static var blank: Members { Members(transfer: .blank(TransferID(rawValue: 0))) }

        mutating func visit(_ visitor: inout some MemberVisitor) throws {
            try visitor.required("kind", &transfer.kind)
            try visitor.required("url", &transfer.url)
            try visitor.required("file", &transfer.file)
            try visitor.required("state", &transfer.state)
            try visitor.optional("pausedBy", &transfer.pausedBy)
            try visitor.required("bytes", &transfer.bytes)
            try visitor.optional("total", &transfer.total)
            try visitor.optional("confirmed", &transfer.confirmed)
            try visitor.optional("rate", &transfer.rate)
            try visitor.optional("eta", &transfer.eta)
            try visitor.required("attempt", &transfer.attempt)
            try visitor.optional("reason", &transfer.reason)
            try visitor.optional("retryAt", &transfer.retryAt)
            try visitor.optional("waitingSince", &transfer.waitingSince)
            try visitor.optional("unavailableReason", &transfer.unavailableReason)
            try visitor.optional("advice", &transfer.advice)
            try visitor.optional("status", &transfer.status)
            try visitor.optional("question", &transfer.question)
            try visitor.optional("error", &transfer.error)
            try visitor.optional("metrics", &transfer.metrics)
            try visitor.optional("rateLimit", &transfer.rateLimit)
            try visitor.optional("priority", &transfer.priority)
            try visitor.optional("terms", &transfer.terms)
            try visitor.required("addedAt", &transfer.addedAt)
            try visitor.optional("endedAt", &transfer.endedAt)
        }
    }
}

extension TransferTerms: DirectRecord {
    static var blank: TransferTerms { TransferTerms() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.optional("earliestBegin", &earliestBegin)
        try visitor.optional("isDiscretionary", &isDiscretionary)
        try visitor.optional("session", &session)
        try visitor.optional("taskDescription", &taskDescription)
    }
}

extension TransferEvent: DirectRecord {
    static var blank: TransferEvent {
        TransferEvent(time: 0, name: .changed, transfer: .blank(TransferID(rawValue: 0)))
    }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("time", &time)
        try visitor.required("name", &name)
        try visitor.required("transfer", &transfer)
    }
}

extension TransferError: DirectlyCoded {
    func write(to json: inout JSONWriter) throws {
        var members = Members(self)
        json.beginObject()
        try members.visit(&json)
        json.endObject()
    }

    static func read(from json: inout JSONReader) throws -> TransferError {
        var members = Members.blank
        try json.read(into: &members)
        return members.error
    }

    /// As written. What the number and the cause mean together is known once both have been read, in whichever order
    /// they come.
    private struct Members: DirectRecord {
        var number: Int
        var cause: String?
        var message: String
        var transport: Int32?
        var errno: Int32?
        var fields: Fields
        var resumeData: ResumeData?

        static var blank: Members { Members(TransferError(.other, "")) }

        init(_ error: TransferError) {
            (number, cause, message) = (error.code.rawValue, error.code.causeName, error.message)
            (transport, errno) = (error.underlying.transport, error.underlying.errno)
            (fields, resumeData) = (error.fields, error.resumeData)
        }

        var error: TransferError {
            var error = TransferError(
                number: number, cause: cause, message: message, transport: transport, errno: errno)
            (error.fields, error.resumeData) = (fields, resumeData)
            return error
        }

        mutating func visit(_ visitor: inout some MemberVisitor) throws {
            try visitor.required("code", &number)
            try visitor.optional("cause", &cause)
            try visitor.required("message", &message)
            try visitor.optional("curlCode", &transport)
            try visitor.optional("systemErrno", &errno)
            try visitor.optional("networkUnavailableReason", &fields.networkUnavailableReason)
            try visitor.optional("networkObstacle", &fields.networkObstacle)
            try visitor.optional("host", &fields.host)
            try visitor.optional("proxy", &fields.proxy)
            try visitor.optional("path", &fields.path)
            try visitor.optional("status", &fields.status)
            try visitor.optional("timer", &fields.timer)
            try visitor.optional("variant", &fields.variant)
            try visitor.optional("transfer", &fields.transfer)
            try visitor.optional("option", &fields.option)
            try visitor.optional("certificate", &fields.certificate)
            try visitor.optional("resumeData", &resumeData)
        }
    }
}

extension HistoryEntry: DirectRecord {
    static var blank: HistoryEntry { HistoryEntry(endedAt: 0, transfer: .blank(TransferID(rawValue: 0))) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("endedAt", &endedAt)
        try visitor.required("transfer", &transfer)
    }
}

extension QueueSnapshot: DirectRecord {
    static var blank: QueueSnapshot { QueueSnapshot() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("transfers", &transfers)
        try visitor.required("limits", &limits)
    }
}

extension ListResult: DirectRecord {
    static var blank: ListResult { ListResult(transfers: []) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws { try visitor.required("transfers", &transfers) }
}

extension HistoryResult: DirectRecord {
    static var blank: HistoryResult { HistoryResult(entries: []) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws { try visitor.required("entries", &entries) }
}
