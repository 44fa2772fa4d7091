// SPDX-License-Identifier: MIT

/// The stored and sent form of a transfer: one flat object, or one row of columns. Only for codecs; the names are those
/// of docs/ControlQueries.md.
package struct TransferForm: Sendable, Hashable, Codable {
    package var id: TransferID
    package var kind: TransferKind
    package var url: String
    package var file: String
    package var state: TransferState
    package var pausedBy: PauseOrigin?
    package var bytes: Int64 = 0
    package var total: Int64?
    package var confirmed: Int64?
    package var rate: Double?
    package var eta: Double?
    package var connections: Int?
    package var longestETA: Double?
    package var silentSince: Double?
    package var attempt = 1
    /// For readers without a catalogue; of a note of an earlier version, all there is.
    package var reason: String?
    @Boxed package var note: TransferNoteForm?
    package var retryAt: Double?
    package var waitingSince: Double?
    package var unavailableReason: String?
    /// As ``reason``; never read.
    package var advice: String?
    /// Last final HTTP status.
    package var status: Int?
    @Boxed package var question: ConsentQuestion?
    @Boxed package var error: TransferError?
    @Boxed package var metrics: TransferMetrics?
    /// Not a column: ``UploadPoint/carrier`` has it.
    package var uploadProtocol: String?
    package var rateLimit: Int?
    package var priority: Double?
    @Boxed package var terms: TransferTerms?
    package var addedAt: Double = 0
    package var endedAt: Double?
    /// Not a column: the time between two of them.
    package var duration: Double?

    package init(id: TransferID, kind: TransferKind, url: String, file: String, state: TransferState) {
        self.id = id
        self.kind = kind
        self.url = url
        self.file = file
        self.state = state
    }

    package init(_ transfer: Transfer, _ words: TransferWords = .plain) {
        self.init(
            id: transfer.id, kind: transfer.kind, url: transfer.url, file: transfer.file, state: transfer.state)
        (bytes, total, confirmed) = (transfer.bytes, transfer.total, transfer.confirmed)
        (status, attempt, rateLimit) = (transfer.httpStatus, transfer.attempt, transfer.rateLimit)
        (priority, addedAt) = (transfer.priority, transfer.addedAt)
        uploadProtocol = transfer.uploadProtocol
        _terms = transfer.$terms
        if let known = transfer.note {
            note = TransferNoteForm(known)
            reason = words.reason(transfer)
        }
        switch transfer.status {
        case .queued, .verifying: break
        case .running(let pace, _):
            (rate, eta, longestETA, connections) = (pace?.rate, pace?.eta, pace?.longestETA, pace?.connections)
            silentSince = pace?.silentSince
        case .waiting(let wait):
            (waitingSince, unavailableReason, advice) = (wait.since, wait.unavailableReason, words.advice(transfer))
        case .retrying(let time, _): (retryAt, error) = (time > 0 ? time : nil, transfer.error)
        case .paused(let pause):
            write(pause)
            advice = words.advice(transfer)
        case .completed(let end): write(end)
        case .failed(let end, let failure, let asked):
            write(end)
            (error, question) = (failure, asked)
        case .cancelled(let end, let failure, let origin):
            write(end)
            (error, pausedBy) = (failure, origin)
        }
    }

    private mutating func write(_ pause: TransferStatus.Pause) {
        switch pause {
        case .by(let origin): pausedBy = origin
        case .question(let asked): question = asked
        case .noSpace(let failure): error = failure
        case .setAside: break
        }
    }

    private mutating func write(_ end: TransferStatus.End) {
        (endedAt, duration) = (end.at, end.duration)
        _metrics = end.$metrics
    }
}

extension Transfer {
    /// Of what does not fit the state nothing stays.
    package init(_ form: TransferForm) {
        self.init(id: form.id, kind: form.kind, url: form.url, file: form.file, status: TransferStatus(form))
        (bytes, total, confirmed) = (form.bytes, form.total, form.confirmed)
        (httpStatus, attempt, rateLimit) = (form.status, form.attempt, form.rateLimit)
        (priority, addedAt) = (form.priority, form.addedAt)
        uploadProtocol = form.uploadProtocol
        $terms = form.$terms
    }
}

extension TransferForm {
    /// Rows have it in the note alone.
    fileprivate var unavailableNetwork: String? {
        guard unavailableReason == nil, case .network(let wait) = note?.note else { return unavailableReason }
        return wait.unavailableReason?.rawValue
    }
}

extension TransferStatus {
    fileprivate init(_ form: TransferForm) {
        let note = form.note?.note ?? form.reason.map(TransferNote.text)
        var end: End { End(form, note) }
        self =
            switch form.state {
            case .queued: .queued(note)
            case .running:
                .running(
                    form.rate.map {
                        Pace(
                            rate: $0, eta: form.eta, longestETA: form.longestETA, connections: form.connections,
                            silentSince: form.silentSince)
                    }, note)
            case .waiting:
                .waiting(NetworkWait(note, since: form.waitingSince, unavailableReason: form.unavailableNetwork))
            case .retrying: .retrying(at: form.retryAt ?? 0, form.error.map(TransferNote.failure) ?? note)
            case .paused: .paused(Pause(form, note))
            case .verifying: .verifying(note)
            case .completed: .completed(end)
            case .failed: .failed(end, form.error ?? .unexplained, form.question)
            case .cancelled: .cancelled(end, form.error, form.pausedBy)
            }
    }
}

extension TransferStatus.Pause {
    fileprivate init(_ form: TransferForm, _ note: TransferNote?) {
        self =
            if let origin = form.pausedBy {
                .by(origin)
            } else if let question = form.question {
                .question(question)
            } else if let error = form.error {
                .noSpace(error)
            } else if case .question(let question)? = note {
                // Rows have it in the note alone.
                .question(question)
            } else {
                .setAside(note)
            }
    }
}

extension TransferStatus.End {
    fileprivate init(_ form: TransferForm, _ note: TransferNote?) {
        self.init(at: form.endedAt, duration: form.duration, note: note)
        $metrics = form.$metrics
    }
}

extension TransferError {
    /// Of a transfer that failed, where the record does not say why.
    package static let unexplained = TransferError(.other, "no reason given")
}

extension Transfer: Codable {
    package init(from decoder: any Decoder) throws { self.init(try TransferForm(from: decoder)) }
    package func encode(to encoder: any Encoder) throws {
        try TransferForm(self, encoder.userInfo[.words] as? TransferWords ?? .plain).encode(to: encoder)
    }
}
