// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What the end of an upload's attempt means.
///
/// An upload is done when the server had every byte before it sent a 2xx, and for a FileQ upload when that response says where the
/// file is stored and, by its `Repr-Digest`, that it is the file that was sent.
extension Coordinator {
    func uploadEnded(_ job: Job, _ task: UploadTask, _ error: TransferError?) {
        guard let upload = job.upload else { return }
        let (head, authority, sent) = (task.response, job.description.url.authority, task.progress.sent)
        let size = task.progress.expectedToSend
        if let head, head.status.kind == .successful {
            // It would come again as early as it came now.
            if task.isAnsweredEarly || (error == nil && size.map { sent < $0 } ?? false) {
                return failed(job, .answeredEarly(authority, status: head.status.code))
            }
            if error == nil, let failure = UploadReceipt.failure(of: head, for: upload, authority: authority, sent: task.digest) {
                return failed(job, failure)
            }
        }
        let refusal = head.flatMap { HTTPStatusError.make($0, authority: authority, said: ServerReason.text(of: job.answer)) }
        if let error { return judge(job, error, retryAfter: retryAfter(head), isRepeatable: canRepeat(job, task)) }
        if let refusal, let head {
            let isWhole = size.map { sent >= $0 } ?? true && !task.isAnsweredEarly
            return refused(job, task, refusal, head, afterWholeBody: isWhole)
        }
        if let checksum = upload.checksum, task.digest != checksum.bytes {
            return failed(job, TransferError(.checksumMismatch, "\(job.file): what was sent does not have the sum "
                + "\(checksum); the server has a file that you did not mean"))
        }
        note(job.id) { $0.bytes = sent; $0.total = size ?? sent; $0.confirmed = sent }
        end(job, .completed, nil)
    }

    /// The server answered with a status that is no success.
    private func refused(_ job: Job, _ task: UploadTask, _ refusal: TransferError, _ head: HTTPResponse, afterWholeBody: Bool) {
        var refusal = refusal
        let status = head.status.code
        if FolderCreation.mayLackFolder(status, job.description) {
            if createsFolders(job, FolderCreation.Refusal(error: refusal, status: status, retryAfter: retryAfter(head),
                                                          isAfterWholeBody: afterWholeBody)) { return }
            refusal.message += FolderCreation.hint
        }
        judge(job, refusal, retryAfter: retryAfter(head), isRepeatable: canRepeat(job, task),
              isAfterWholeBody: afterWholeBody)
    }

    /// Whether sending again can neither store twice nor miss bytes: a method that may be repeated, FileQ's key, or
    /// nothing sent; and a source that can be read again.
    private func canRepeat(_ job: Job, _ task: UploadTask) -> Bool {
        guard let upload = job.upload else { return false }
        let hasSentNothing = job.metrics.bodySent == job.earlier.bodySent && task.progress.sent == 0
        if case .stream = upload.source, !hasSentNothing || job.didMove { return false }
        if case .fileQ = upload.form { return true }
        return Self.isRepeatable(job.description.options.method ?? .put) || (hasSentNothing && !job.didMove)
    }
}

/// What a 2xx says of the bytes that were sent. Pure.
enum UploadReceipt {
    /// - Parameter sent: the digest of what was sent, by ``algorithm(for:)``; `nil` where none was computed.
    /// - Returns: `nil` where the response says that the file is stored as it was sent, as far as its form demands that.
    static func failure(of head: HTTPResponse, for upload: Upload, authority: String, sent: [UInt8]?) -> TransferError? {
        // What a plain PUT gets as `Repr-Digest` may be that of the response itself (RFC 9530, section 3.1).
        guard case .fileQ = upload.form else { return nil }
        let status = head.status.code
        guard status == 201 || (status == 200 && head.headerFields[.location] != nil) else {
            return TransferError(.sendFailed, "\(authority): answered \(status) without saying that the file is stored; check that the "
                + "address is that of a FileQ server's upload")
        }
        guard let sent, let algorithm = algorithm(for: upload), let text = head.headerFields[.reprDigest],
            let stored = ReprDigest(parsing: text)?[algorithm], stored.bytes != sent else { return nil }
        return TransferError(.checksumMismatch, "\(authority): the server stored other bytes than were sent (\(algorithm.rawValue) "
            + "\(stored.hex) instead of \(Hex.encode(sent))); send the file again")
    }

    /// What to compute while the body is sent: a FileQ server says the digest of what it stored.
    static func algorithm(for upload: Upload) -> Checksum.Algorithm? {
        if let checksum = upload.checksum { return checksum.algorithm }
        if case .fileQ = upload.form { return .sha256 }
        return nil
    }
}

extension HTTPField.Name {
    static let reprDigest = Self("Repr-Digest")!
}
