// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What follows the end of an upload's attempt.
///
/// An upload is complete if the server had every byte before it sent a 2xx, and for a FileQ upload if that response
/// names where the file is stored and has the `Repr-Digest` of what was sent.
extension UploadRun {
    /// Whether the server has the bytes. With any other response a transfer that is being ended ends.
    func isAccepted(_ task: UploadTask) -> Bool {
        task.response.map { HTTPStatusError.make($0, from: description.url) == nil } ?? false
    }

    func ended(_ task: UploadTask, _ error: TransferError?) {
        if resumption.exchange != nil { return exchangeEnded(task, error) }
        let (head, authority, sent) = (task.response, task.currentURL.authority, task.progress.sent)
        let size = task.progress.expectedToSend
        if let head, head.status.kind == .successful {
            // The next response would come as early.
            if task.hasEarlyResponse || (error == nil && size.map { sent < $0 } ?? false) {
                return engine.failed(self, .answeredEarly(authority, status: head.status.code))
            }
            if error == nil,
                let failure = UploadReceipt.failure(of: head, for: upload, authority: authority, sent: task.digest)
            {
                return engine.failed(self, failure)
            }
            if error == nil, let failure = replacement(head, at: authority) { return engine.failed(self, failure) }
        }
        var refusal = head.flatMap { HTTPStatusError.make($0, from: task.currentURL, body: answer) }
        // A stream is sent in chunks, which such servers do not take.
        if case .stream = upload.source, let status = head?.status.code, [411, 501].contains(status) {
            refusal?.fields.variant = .lengthRequired
        }
        if var error {
            // Its verdict is late, or was lost.
            let isWhole = size.map { $0 > 0 && sent >= $0 } ?? false
            if isWhole { error.amendRefusal("; the server has taken the whole file") { $0.hasWholeBody = true } }
            return engine.handleFailure(
                self, error, retryAfter: engine.retryAfter(head), isRepeatable: canRepeat(task),
                isAfterWholeBody: isWhole)
        }
        if let refusal, let head {
            let isWhole = size.map { sent >= $0 } ?? true && !task.hasEarlyResponse
            return refused(refusal, head, afterWholeBody: isWhole, isRepeatable: canRepeat(task))
        }
        if let checksum = upload.checksum, task.digest != checksum.bytes {
            return engine.failed(self, sentOtherBytes(than: checksum))
        }
        engine.update(id) {
            $0.bytes = sent
            $0.total = size ?? sent
            $0.confirmed = sent
            $0.location = head?.headerFields[.location].map { FinalResponse.place($0, from: task.currentURL) }
        }
        if sent == 0 || !asksForLength() { engine.end(id, .completed, nil) }
    }

    func sentOtherBytes(than checksum: Checksum) -> TransferError {
        TransferError(ContentMismatch(.sent, expected: checksum), path: file)
    }

    /// The server responded with a status other than success.
    func refused(_ refusal: TransferError, _ head: HTTPResponse, afterWholeBody: Bool, isRepeatable: Bool) {
        var refusal = explained(refusal)
        let status = head.status.code
        // Another connection still has this upload, as its UUID shows.
        if case .fileQ = upload.form, status == 409, isRepeatable, let pause = engine.retryAfter(head) {
            return engine.retry(self, refusal, retryAfter: pause)
        }
        if FolderCreation.mayLackFolder(status, description) {
            if createsFolders(
                FolderCreation.Refusal(
                    error: refusal, status: status, retryAfter: engine.retryAfter(head),
                    isAfterWholeBody: afterWholeBody))
            {
                return
            }
            FolderCreation.hint(at: &refusal)
        }
        engine.handleFailure(
            self, refusal, retryAfter: engine.retryAfter(head), isRepeatable: isRepeatable,
            isAfterWholeBody: afterWholeBody)
    }

    /// Explains a 412 if the upload has a condition: the file exists, or has another version.
    func explained(_ refusal: TransferError) -> TransferError {
        let conditions = Set(description.options.conditions.map(\.name))
        guard refusal.fields.status == 412, !conditions.isDisjoint(with: [.ifMatch, .ifNoneMatch]) else {
            return refusal
        }
        var refusal = refusal
        // Its response may have been lost.
        let isLater = (engine.queue[id]?.attempt ?? 1) > 1
        let isNew = conditions.contains(.ifNoneMatch)
        refusal.fields.host = refusal.fields.host ?? description.url.authority
        refusal.fields.variant = isNew ? .existsOnServer : .changedOnServer
        refusal.fields.refusal = nil
        refusal.fields.problem = TransferProblem(isNew ? .existsOnServer : .changedOnServer, isLater)
        refusal.reword()
        return refusal
    }

    /// Whether sending again can neither store twice nor miss bytes: a method that may be repeated, FileQ's key, or
    /// nothing sent; and a source that can be read again.
    func canRepeat(_ task: UploadTask) -> Bool {
        let hasSentNothing = metrics.bodySent == earlier.bodySent && task.progress.sent == 0
        if case .stream = upload.source, !hasSentNothing || didMove { return false }
        if case .fileQ = upload.form { return true }
        return Coordinator.isRepeatable(description.options.method ?? .put) || (hasSentNothing && !didMove)
    }
}

/// What a 2xx means for the bytes that were sent in one request, or as FileQ does it. Pure.
enum UploadReceipt {
    /// - Parameter sent: the digest of what was sent, by ``algorithm(for:)``; `nil` if none was computed.
    /// - Returns: `nil` if the response confirms that the file is stored as it was sent, as far as the form requires
    ///   that.
    static func failure(of head: HTTPResponse, for upload: Upload, authority: String, sent: [UInt8]?) -> TransferError?
    {
        // The `Repr-Digest` after a plain PUT may be that of the response itself (RFC 9530, section 3.1).
        guard case .fileQ = upload.form else { return nil }
        let status = head.status.code
        guard status == 201 || (status == 200 && head.headerFields[.location] != nil) else {
            return TransferError(
                .sendFailed, .notStored, host: authority,
                fields: .init(status: status, variant: .notFileQ))
        }
        guard let sent, let algorithm = algorithm(for: upload), let text = head.headerFields[.reprDigest],
            let stored = ReprDigest(parsing: text)?[algorithm], stored.bytes != sent
        else { return nil }
        return otherBytes(stored, sent: sent, authority: authority)
    }

    static func otherBytes(_ stored: Checksum, sent: [UInt8], authority: String) -> TransferError {
        let sent = Checksum(algorithm: stored.algorithm, bytes: sent)
        return TransferError(
            ContentMismatch(.stored, expected: sent, found: stored.bytes), host: authority, variant: .storedOtherBytes)
    }

    /// The digest to compute while the body is sent: a FileQ server sends that of what it stored.
    /// - Parameter isVerified: the file has the checksum of the user.
    static func algorithm(for upload: Upload, isVerified: Bool = false) -> Checksum.Algorithm? {
        if case .fileQ = upload.form { return upload.checksum?.algorithm ?? .sha256 }
        return isVerified ? nil : upload.checksum?.algorithm
    }
}
