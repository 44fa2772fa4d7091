// SPDX-License-Identifier: MIT

import TransferModel

// The members of frequent or numerous values. Names and shapes are those of the types' Codable; a test compares the
// two.

extension TransferState: DirectlyCoded {}
extension TransferKind: DirectlyCoded {}
extension PauseOrigin: DirectlyCoded {}
extension TransferID: DirectlyCoded {}
extension TransferEvent.Name: DirectlyCoded {}
extension TransferError.Timer: DirectlyCoded {}
extension TransferError.Variant: DirectlyCoded {}
extension TransactionMetrics.FetchType: DirectlyCoded {}
extension CertificateProblem: DirectlyCoded {}

extension PathWait: IndirectlyCoded {}
extension ConsentQuestion: IndirectlyCoded {}
extension ResumeData: IndirectlyCoded {}
extension TransferError.Refusal: IndirectlyCoded {}
extension TransferProblem: IndirectlyCoded {}
extension FileProblem: IndirectlyCoded {}
extension ContentMismatch: IndirectlyCoded {}
extension ParameterProblem: IndirectlyCoded {}
extension QueueLimits: IndirectlyCoded {}
extension TransferNoteForm: IndirectlyCoded {}

extension Transfer: DirectlyCoded {
    func write(to json: inout JSONWriter) throws { try TransferForm(self, json.words).write(to: &json) }

    static func read(from json: inout JSONReader) throws -> Transfer { Transfer(try TransferForm.read(from: &json)) }

    static var blank: Transfer { Transfer(.blank) }
}

extension TransferForm: DirectRecord {
    static var blank: TransferForm {
        TransferForm(id: TransferID(rawValue: 0), kind: .download, url: "", file: "", state: .queued)
    }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("id", &id)
        try visitor.required("kind", &kind)
        try visitor.required("url", &url)
        try visitor.required("file", &file)
        try visitor.required("state", &state)
        try visitor.optional("pausedBy", &pausedBy)
        try visitor.required("bytes", &bytes)
        try visitor.optional("total", &total)
        try visitor.optional("confirmed", &confirmed)
        try visitor.optional("rate", &rate)
        try visitor.optional("eta", &eta)
        try visitor.optional("connections", &connections)
        try visitor.optional("longestETA", &longestETA)
        try visitor.optional("silentSince", &silentSince)
        try visitor.required("attempt", &attempt)
        try visitor.optional("reason", &reason)
        try visitor.optional("note", &note)
        try visitor.optional("retryAt", &retryAt)
        try visitor.optional("waitingSince", &waitingSince)
        try visitor.optional("unavailableReason", &unavailableReason)
        try visitor.optional("advice", &advice)
        try visitor.optional("status", &status)
        try visitor.optional("question", &question)
        try visitor.optional("error", &error)
        try visitor.optional("metrics", &metrics)
        try visitor.optional("uploadProtocol", &uploadProtocol)
        try visitor.optional("rateLimit", &rateLimit)
        try visitor.optional("priority", &priority)
        try visitor.optional("terms", &terms)
        try visitor.required("addedAt", &addedAt)
        try visitor.optional("endedAt", &endedAt)
        try visitor.optional("duration", &duration)
    }
}

extension TransferTerms: DirectRecord {
    static var blank: TransferTerms { TransferTerms() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.optional("earliestBegin", &earliestBegin)
        var isSet = isDiscretionary ? true : nil
        try visitor.optional("isDiscretionary", &isSet)
        isDiscretionary = isSet ?? false
        try visitor.optional("session", &session)
        try visitor.optional("taskDescription", &taskDescription)
        try visitor.optional("after", &after)
        try visitor.optional("batch", &batch)
    }
}

extension TransferBatch: DirectRecord {
    static var blank: TransferBatch { TransferBatch(id: "", name: "") }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("id", &id)
        try visitor.required("name", &name)
    }
}

extension TransferEvent: DirectRecord {
    static var blank: TransferEvent {
        TransferEvent(time: 0, name: .changed, transfer: .blank)
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

    /// As written. Number and cause are combined once both have been read, in whichever order they come.
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
            try visitor.optional("wait", &fields.wait)
            try visitor.optional("host", &fields.host)
            try visitor.optional("proxy", &fields.proxy)
            try visitor.optional("path", &fields.path)
            try visitor.optional("status", &fields.status)
            try visitor.optional("timer", &fields.timer)
            try visitor.optional("variant", &fields.variant)
            try visitor.optional("transfer", &fields.transfer)
            try visitor.optional("option", &fields.option)
            try visitor.optional("certificate", &fields.certificate)
            try visitor.optional("partialFile", &fields.partialFile)
            try visitor.optional("partialBytes", &fields.partialBytes)
            try visitor.optional("refusal", &fields.refusal)
            try visitor.optional("problem", &fields.problem)
            try visitor.optional("file", &fields.file)
            try visitor.optional("mismatch", &fields.mismatch)
            try visitor.optional("parameter", &fields.parameter)
            try visitor.optional("resumeData", &resumeData)
        }
    }
}

extension HistoryEntry: DirectRecord {
    static var blank: HistoryEntry { HistoryEntry(endedAt: 0, transfer: .blank) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("endedAt", &endedAt)
        try visitor.required("transfer", &transfer)
    }
}

extension LogEntry: DirectRecord {
    static var blank: LogEntry { LogEntry(sequence: 0, time: 0, name: .changed, transfer: .blank) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("sequence", &sequence)
        try visitor.required("time", &time)
        try visitor.required("name", &name)
        try visitor.optional("isNew", &isNew)
        try visitor.required("transfer", &transfer)
    }
}

extension LogPage: DirectRecord {
    static var blank: LogPage { LogPage(began: 0, oldest: 1, latest: 0, entries: []) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("began", &began)
        try visitor.required("oldest", &oldest)
        try visitor.required("latest", &latest)
        try visitor.required("entries", &entries)
    }
}

extension QueueSnapshot: DirectRecord {
    static var blank: QueueSnapshot { QueueSnapshot() }

    mutating func visit(_ visitor: inout some MemberVisitor) throws {
        try visitor.required("transfers", &transfers)
        try visitor.required("limits", &limits)
    }
}

extension ListCall.Reply: DirectRecord {
    static var blank: ListCall.Reply { ListCall.Reply(transfers: []) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws { try visitor.required("transfers", &transfers) }
}

extension HistoryCall.Reply: DirectRecord {
    static var blank: HistoryCall.Reply { HistoryCall.Reply(entries: []) }

    mutating func visit(_ visitor: inout some MemberVisitor) throws { try visitor.required("entries", &entries) }
}
